"""Bounded schema checks: the library's verdicts, no connection, an end in time."""

import json
import re
import socket
import sys
import threading

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sobench_metrics import json_schema
from sobench_metrics.json_schema import engine, patterns, verdicts
from sobench_metrics.json_schema.wellformed import is_plainly_well_formed

TREE = {"$defs": {"n": {"properties": {"c": {"$ref": "#/$defs/n"}}}}, "$ref": "#/$defs/n"}
values = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(-2, 2), st.sampled_from([0.0, 1.0, 1.5]), st.sampled_from(["", "a", "ab"])
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.sampled_from("ab"), inner, max_size=2)),
    max_leaves=10,
)
keywords = {
    "type": st.sampled_from(["object", "array", "string", "integer", "number", "null", "boolean", "odd", ["string", "null"], []]),
    "enum": st.lists(values, max_size=2),
    "const": values,
    "minimum": st.sampled_from([0, 1.5, "x", True]),
    "minItems": st.sampled_from([0, 2, -1, 1.0]),
    "maxLength": st.integers(0, 1),
    "pattern": st.sampled_from(["^a", "b$", "[", r"\w\b"]),
    "required": st.sampled_from([["a"], ["a", "a"], ["b"], "a", []]),
    "uniqueItems": st.sampled_from([True, False, 1]),
    "multipleOf": st.sampled_from([1, 0.5, 0]),
    "$ref": st.sampled_from(["#", "#/$defs/x", "#/nowhere", "http://json-schema.org/draft-07/schema#", 5]),
    "unknownWord": values,
    "format": st.sampled_from(["date", 3]),
    "$schema": st.sampled_from(["http://json-schema.org/draft-07/schema#", "http://json-schema.org/draft-04/schema#", "urn:none"]),
}  # fmt: skip


def nested(inner):
    many = st.lists(inner, max_size=2)
    mapped = st.dictionaries(st.sampled_from("ab"), inner, max_size=2)
    return st.fixed_dictionaries(
        {},
        optional={
            "properties": mapped,
            "patternProperties": mapped,
            "additionalProperties": inner,
            "unevaluatedProperties": inner,
            "items": inner,
            "prefixItems": many,
            "unevaluatedItems": inner,
            "contains": inner,
            "anyOf": many,
            "oneOf": many,
            "allOf": many,
            "not": inner,
            "if": inner,
            "then": inner,
            "$defs": st.fixed_dictionaries({"x": inner}),
            **{name: keywords[name] for name in ("type", "$ref", "$schema", "pattern", "uniqueItems")},
        },
    )


schemas = st.recursive(st.one_of(st.booleans(), st.fixed_dictionaries({}, optional=keywords)), nested, max_leaves=6)


def library_follows(instance, schema):
    try:
        jsonschema.validate(instance, schema)
    except Exception:  # noqa: BLE001
        return False
    return True


@pytest.fixture
def no_connection(monkeypatch):
    def refuse(*_args, **_kwargs):
        raise AssertionError("a connection was opened")

    for name in ("connect", "connect_ex"):
        monkeypatch.setattr(socket.socket, name, refuse)
    monkeypatch.setattr(socket, "create_connection", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


# --- the same verdicts as the library ---------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@settings(max_examples=250, deadline=None)
@given(values, schemas)
def test_verdicts_equal_the_librarys(instance, schema):
    assert json_schema.follows(instance, schema).followed == library_follows(instance, schema)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@settings(max_examples=250, deadline=None)
@given(schemas)
def test_a_plainly_well_formed_schema_passes_the_metaschema(schema):
    if is_plainly_well_formed(schema):
        jsonschema.validators.validator_for(schema, default=jsonschema.Draft202012Validator).check_schema(schema)


@settings(max_examples=150, deadline=None)
@given(st.lists(values, max_size=8))
def test_uniqueness_equals_the_librarys(items):
    assert json_schema.follows(items, {"uniqueItems": True}).followed == library_follows(items, {"uniqueItems": True})


PATTERNS = [
    "^a", "b$", "a|", "(a)(b)?", r"(a)\1", r"(?P<x>a)(?P=x)", r"(a)?(?(1)b|c)", "[^a]", "a{2}", "a{,2}b", "a{e<=1}",
    "[[:alpha:]]", "[]a]", r"[\w-]", r"[^\W\d]", r"[\Sx]", r"[^\S\n]", r"\bfoo\b", r"\B", r"\Ba", r"\d+", r"\D", r"\s", r"\S",
    r"\w", r"\W", "(?i)straße", "(?i)k", "(?i:A)b", "(?s).", ".", "(?m)^b$", "$", r"\A\Z", "a+?b", "(?:)", "(?=a)a", "(?!a).", "(?<=a)b",
    "(?<!a)b", r"(?a)\w", r"(?i)\w", r"(?i)[\w-]", r"(?i)[^\W\d]", r"(?i)a\b", r"(?i)\B.", r"(?ia)\w", r"(?x) a  b", "\\x41|\\u00e9", "", "^(?:(a)|b)*$", "[a-f&&c]", r"[\^\-\]]", "a~~b", "[a||b]", r"\.", "^\\S+@\\S+$",
]  # fmt: skip
TEXTS = [
    "", "a", "b", "ab", "aa", "aab", "c", "foo", "a foo b", "é", "e\u0301", "\u0301", "٣", "²", "\x1c", "\x85", "\u200b", "\u3000", "_", "-",
    "\n", "a\n", "b\nb", "STRASSE", "STRAßE", "K", "\u212a", "A", "AB", "[", "]", "^", "a{e<=1}", "xyz", ":", "p", "a&", "x@y", "x@ y", "\u017f", "\u0345", "a\u0345", "\u0131", "日本",
]  # fmt: skip


@pytest.mark.filterwarnings("ignore::FutureWarning")
@pytest.mark.parametrize("pattern", PATTERNS)
def test_patterns_match_as_re_does(pattern):
    different = [
        text for text in TEXTS if patterns.search(pattern, text, timeout=5) != (re.search(pattern, text) is not None)
    ]
    assert different == []


@pytest.mark.parametrize("pattern", ["[", r"\p{L}", "(?<=a+)b", "*", r"(?P<a>x)(?P<a>y)"])
def test_patterns_that_re_refuses_are_refused(pattern):
    with pytest.raises(re.error):
        patterns.search(pattern, "a", timeout=5)


def test_word_and_space_classes_cover_the_same_characters():
    import unicodedata

    for code in range(sys.maxunicode + 1):
        character = chr(code)
        # Characters that Python's tables do not know yet are known to a newer `regex`.
        if (
            unicodedata.category(character) in ("Cn", "Cs", "Co")
            or 0x3400 <= code <= 0xD7A3
            or 0x17000 <= code <= 0x323AF
        ):
            continue
        for pattern, expected in (
            (r"\w", character.isalnum() or character == "_"),
            (r"\s", character.isspace()),
            (r"\d", character.isdecimal()),
        ):
            assert patterns.search(pattern, character, timeout=5) == expected, hex(code)


# --- bounds ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": {"a": {"pattern": "^(a|aa)+$"}}},
        {"patternProperties": {"^(a|aa)+$": {}}, "additionalProperties": False},
        {"additionalProperties": False, "patternProperties": {"^(a|aa)+$": True}},
        {"patternProperties": {"^(a|aa)+$": {}}, "unevaluatedProperties": False},
        {"properties": {"a": {"$schema": "http://json-schema.org/draft-07/schema#", "pattern": "^(a|aa)+$"}}},
        {"$schema": "https://json-schema.org/draft/2019-09/schema", "propertyNames": {"pattern": "^(a|aa)+$"}},
    ],
)
def test_a_runaway_pattern_ends_in_a_verdict(schema):
    hostile = "a" * 60 + "!"
    verdict = json_schema.follows({"a": hostile, hostile: 1}, schema, time_limit=0.3)
    assert (verdict.followed, verdict.finding.code) == (False, "schema.timeout")


def test_a_schema_that_branches_without_end_ends_in_a_verdict():
    schema = {"oneOf": [{"items": {"$ref": "#"}}, {"items": {"$ref": "#"}}, {"type": "string"}]}
    deep = []
    for _ in range(40):
        deep = [deep]
    assert json_schema.follows(deep, schema, time_limit=0.3).finding.code == "schema.timeout"


@pytest.mark.usefixtures("no_connection")
@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:9/schema", "https://example.com/s#/a", "file:///etc/passwd", "other.json"]
)
def test_a_reference_elsewhere_is_unresolvable(url):
    verdict = json_schema.follows({"a": 1}, {"properties": {"a": {"$ref": url}}})
    assert verdict.finding.code == "schema.unresolvable_reference"
    assert json_schema.follows({}, {"properties": {"a": {"$ref": url}}})


@pytest.mark.usefixtures("no_connection")
def test_metaschemas_and_own_identifiers_are_local():
    assert json_schema.follows({"type": "string"}, {"$ref": "https://json-schema.org/draft/2020-12/schema"})
    named = {"$id": "http://example.com/s", "$defs": {"x": {"type": "string"}}, "$ref": "http://example.com/s#/$defs/x"}
    assert json_schema.follows("a", named)
    assert not json_schema.follows(1, named)


@pytest.mark.parametrize(
    "schema", [{"$ref": "#"}, {"$ref": "#", "unevaluatedProperties": False}, {"allOf": [{"$ref": "#"}]}]
)
def test_a_schema_that_refers_to_itself_ends(schema):
    assert json_schema.follows({"a": 1}, schema).finding.code == "schema.too_deep"


def test_the_recursion_limit_of_the_host_does_not_matter():
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(100_000)
    try:
        assert json_schema.follows({"a": 1}, {"$ref": "#"}).finding.code == "schema.too_deep"
    finally:
        sys.setrecursionlimit(before)


def test_many_items_that_cannot_be_sorted_are_compared_in_one_pass():
    items = [{"n": number} for number in range(100_000)]
    assert json_schema.follows([*items, None, "x", True, 1], {"uniqueItems": True})
    assert not json_schema.follows([*items, {"n": 5.0}], {"uniqueItems": True})


def test_many_unevaluated_items():
    assert json_schema.follows(list(range(100_000)), {"items": True, "unevaluatedItems": False})


def test_a_failing_branch_keeps_few_errors(monkeypatch):
    kept = []
    original = engine._kept
    schema = {"anyOf": [{"items": {"type": "string"}}, {"type": "object"}]}
    assert not json_schema.follows([1] * 50_000, schema)
    monkeypatch.setattr(engine, "KEPT_ERRORS", 3)
    kept = original(number for number in range(10))
    assert kept == [0, 1, 2]


def test_data_that_contains_itself_and_data_that_explodes():
    own = []
    own.append(own)
    assert json_schema.follows(own, True).finding.code == "schema.too_deep"
    bomb = ["x"]
    for _ in range(30):
        bomb = [bomb] * 10
    assert json_schema.follows(bomb, True).finding.code == "schema.too_large"


def test_the_verdict_does_not_depend_on_the_callers_stack():
    deep = 1
    for _ in range(130):
        deep = {"c": deep}
    assert json_schema.follows(deep, TREE)

    def from_depth(frames):
        return from_depth(frames - 1) if frames else json_schema.follows(deep, TREE)

    assert from_depth(800)
    found = []
    before = threading.stack_size(64 * 1024)
    try:
        thread = threading.Thread(target=lambda: found.append(json_schema.follows(deep, TREE)))
        thread.start()
        thread.join()
    finally:
        threading.stack_size(before)
    assert found[0].followed
    assert threading.stack_size() == before


# --- findings --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "schema", [[], "x", 5, None, {"type": "nonsense"}, {"pattern": "["}, {"$schema": 5}, {"minimum": "x"}]
)
def test_a_broken_schema_is_named(schema):
    assert json_schema.follows({}, schema).finding.code == "schema.broken"
    assert [finding.code for finding in json_schema.errors({}, schema)] == ["schema.broken"]


def test_the_best_error_of_alternatives_is_told_with_its_place():
    schema = {"properties": {"a": {"anyOf": [{"type": "object", "required": ["k"]}, {"type": "null"}]}}}
    finding = json_schema.follows({"a": {}}, schema).finding
    assert (finding.code, finding.path, finding.message) == ("schema.violation", "/a", "'k' is a required property")


def test_all_errors_up_to_a_limit_in_a_stable_order():
    schema = {"properties": {"d": {"format": "date"}}, "additionalProperties": {"type": "null"}}
    data = {"z": 1, "y": 2, "x": 3, "d": "soon"}
    assert [finding.path for finding in json_schema.errors(data, schema)] == ["/z", "/y", "/x"]
    dates = jsonschema.FormatChecker(formats=("date",))
    found = json_schema.errors(data, schema, format_checker=dates)
    assert [finding.path for finding in found] == ["/d", "/z", "/y", "/x"]
    assert [finding.path for finding in json_schema.errors(data, schema, limit=1)] == ["/z"]
    assert json_schema.errors({"d": "soon"}, schema) == ()


def test_messages_are_short():
    assert len(json_schema.follows("x" * 1_000_000, {"type": "null"}).finding.message) <= verdicts.MAX_MESSAGE


def test_a_schema_that_changes_after_a_check_is_seen():
    schema = {"type": "string"}
    assert json_schema.follows("a", schema)
    schema["type"] = "integer"
    assert not json_schema.follows("a", schema)
    assert json_schema.follows("a", json.dumps({"type": "string"}))


# --- measures --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("schema", "depth", "fields"),
    [
        (True, 1, 0),
        ({"type": "string"}, 1, 0),
        ({"properties": {"a": {}, "b": True}}, 2, 2),
        ({"items": {"properties": {"a": {"items": {}}}}}, 4, 1),
        ({"anyOf": [{"properties": {"a": {}}}, {"type": "null"}]}, 2, 1),
        (TREE, 2, 1),
        (
            {
                "properties": {"a": {"$ref": "#/$defs/x"}, "b": {"$ref": "#/$defs/x"}},
                "$defs": {"x": {"properties": {"k": {}}}},
            },
            3,
            3,
        ),
        ({"$ref": "#"}, 1, 0),
        ({"$ref": "http://example.com"}, 1, 0),
        ("{", 1, 0),
    ],
)
def test_measures(schema, depth, fields):
    assert (json_schema.depth(schema), json_schema.field_count(schema)) == (depth, fields)
    if not isinstance(schema, str):
        assert json_schema.depth(json.dumps(schema)) == depth


def test_measures_of_hostile_schemas_are_bounded():
    doubling = {"$defs": {f"d{n}": {"properties": {k: {"$ref": f"#/$defs/d{n + 1}"} for k in "ab"}} for n in range(60)}}
    doubling["$ref"] = "#/$defs/d0"
    assert (json_schema.depth(doubling), json_schema.field_count(doubling)) == (61, 120)
    deep = {}
    for _ in range(50_000):
        deep = {"items": deep}
    assert json_schema.depth(deep) == 50_001
