"""The iterative walk and leaf count against slow plain twins, and the paths of findings."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sobench_metrics import ifstruct
from sobench_metrics.ifstruct.display import shown
from sobench_metrics.ifstruct.leaves import leaf_count
from sobench_metrics.ifstruct.walk import MAX_FINDINGS, walk

NAMES = st.sampled_from(["a", "b", "c"])
TYPES = st.sampled_from(["string", "integer", "number", "boolean", "null", "nonsense", ["string", "null"], ["null"]])
LEAVES = st.builds(
    lambda kind, allowed: {"type": kind} | ({} if allowed is None else {"enum": allowed}),
    TYPES,
    st.none() | st.lists(st.integers(0, 3) | NAMES, max_size=3),
)


def containers(inner):
    objects = st.builds(
        lambda properties, required: (
            {"type": "object", "properties": properties} | ({} if required is None else {"required": required})
        ),
        st.dictionaries(NAMES, inner, max_size=3),
        st.none() | st.lists(NAMES, max_size=3),
    )
    arrays = st.builds(
        lambda kind, items: {"type": kind} | ({} if items is None else {"items": items}),
        st.sampled_from(["array", ["array", "null"]]),
        st.none() | inner,
    )
    return objects | arrays


SCHEMAS = st.recursive(LEAVES, containers, max_leaves=12)
DATA = st.recursive(
    st.none() | st.booleans() | st.integers(-1, 4) | st.floats(0, 3) | NAMES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=12,
)


def kind_of(schema):
    kind = schema.get("type")
    if isinstance(kind, list):
        kinds = [entry for entry in kind if entry != "null"]
        return kinds[0] if len(kinds) == 1 else ...
    return kind


def plain_leaf_count(schema):
    kind = kind_of(schema)
    if kind == "object":
        properties = schema.get("properties", {})
        chosen = [name for name in schema["required"] if name in properties] if "required" in schema else properties
        return sum(plain_leaf_count(properties[name]) for name in chosen) or 1
    if kind == "array":
        return plain_leaf_count(schema["items"]) if schema.get("items") else 1
    return 2 if "enum" in schema else 1


def plain_walk(schema, data):  # noqa: C901, PLR0911  # a twin is plain: all rules in one place
    """Return the texts of the checks, "" for a passed one, by plain recursion over rule A8."""
    declared, kind, got = schema.get("type"), kind_of(schema), type(data).__name__
    if data is None and isinstance(declared, list):
        return ["" if "null" in declared else f"expected {declared}, got NoneType"]
    if data is None and kind != "null":
        return [f"expected {kind}, got NoneType"]
    if kind == "array":
        if not isinstance(data, list):
            return [f"expected array, got {got}"]
        return [text for item in data for text in plain_walk(schema["items"], item)] if schema.get("items") else []
    if kind == "object":
        if not isinstance(data, dict):
            return [f"expected object, got {got}"]
        properties = schema.get("properties", {})
        texts = []
        for name in schema.get("required", []):
            if name not in data:
                texts += ["required field missing"] * plain_leaf_count(properties.get(name, {}))
        for name in properties:
            if name in data:
                texts += plain_walk(properties[name], data[name])
        return texts + [f"extraneous field '{name}'" for name in sorted(data) if name not in properties]
    python = {"string": (str,), "boolean": (bool,), "integer": (int,), "number": (int, float)}.get(kind)
    texts = []
    if python:
        right = isinstance(data, python) and (kind == "boolean" or not isinstance(data, bool))
        texts.append("" if right else f"expected {kind}, got {got}")
    if schema.get("enum") is not None:
        texts.append("" if data in schema["enum"] else f"{data!r} not in allowed values {schema['enum']}")
    return texts


@given(SCHEMAS)
def test_leaf_count_equals_plain_recursion(schema):
    assert leaf_count(schema) == plain_leaf_count(schema)


@given(SCHEMAS, DATA)
def test_walk_equals_plain_recursion(schema, data):
    walked, texts = walk(schema, data), plain_walk(schema, data)
    assert [finding.message for finding in walked.findings] == [text for text in texts if text]
    assert (walked.checks, walked.passed) == (len(texts), texts.count(""))


@given(
    DATA
    | st.recursive(st.integers(), lambda inner: st.tuples(inner) | st.tuples(inner, inner) | st.just({1}), max_leaves=5)
)
def test_shown_is_repr(value):
    assert shown(value) == repr(value)


def spec(schema, **changes):
    return ifstruct.Spec(schema, **changes)


@pytest.mark.parametrize(
    ("response", "path"),
    [
        ('{"rows": [{"id": "x"}, {"id": 3}]}', "/rows/1/id"),
        ('{"rows": [{}]}', "/rows/0/id"),
        ('{"rows": [{"id": "x", "a/b~": 1}]}', "/rows/0/a~1b~0"),
        ('{"rows": [3]}', "/rows/0"),
    ],
)
def test_path_points_into_the_answer_as_written(response, path):
    schema = {
        "type": "array",
        "items": {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]},
    }
    verdict = ifstruct.validate(response, spec(schema, require_wrapper_key=True, top_level_key="rows"))
    assert [finding.path for finding in verdict.errors] == [path]


def test_findings_beyond_the_limit_are_counted_not_listed():
    schema = {"type": "array", "items": {"type": "string"}}
    verdict = ifstruct.validate(f"[{'1,' * (MAX_FINDINGS + 4)}1]", spec(schema))
    assert len(verdict.errors) == MAX_FINDINGS + 1
    assert verdict.errors[-1].code == "limit.findings"
    assert verdict.errors[-1].message.startswith("5 more")
    assert verdict.details["schema_fields_total"] == MAX_FINDINGS + 5


@pytest.mark.parametrize("count", [[None, 2], ["1", "2"], [[], {}], [1, None]])
@pytest.mark.parametrize("response", ["[]", '["x"]', "[3]"])
def test_bounds_that_are_no_numbers_fail_where_the_reference_raises(count, response):
    """The reference compares them with a length and multiplies by the first: a TypeError (rules A9 and A10)."""
    verdict = ifstruct.validate(response, spec({"type": "array", "items": {"type": "string"}}, top_level_count=count))
    assert [finding.code for finding in verdict.errors] == ["reference.crash.type_error"]


@pytest.mark.parametrize("count", [True, [True, 3], [0.5, 2.5], 2.0, "2", [1], [1, 2, 3], [], [2, 1]])
def test_odd_forms_of_the_count_give_a_verdict(count):
    verdict = ifstruct.validate("[]", spec({"type": "array", "items": {"type": "string"}}, top_level_count=count))
    asks = isinstance(count, bool) or (isinstance(count, list) and len(count) == 2)
    assert verdict.passed is not asks
