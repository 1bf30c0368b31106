"""What an engine will refuse or ignore is known before anything is sent, and where it stands."""

import json

import pytest

from benchmarks.grammar_cases import CASES
from sobench_metrics.constrained import ENGINES, check, is_supported, shape_of
from sobench_metrics.constrained.engines import TABLES
from sobench_metrics.constrained.pattern_shapes import pattern_shapes
from sobench_metrics.constrained.places import Schema, places
from sobench_metrics.constrained.shapes import shapes
from sobench_metrics.constrained.vllm_choice import vllm_backend
from sobench_metrics.errors import UsageError

CLOSED = {"type": "object", "additionalProperties": False}


def shapes_in(schema):
    whole = Schema.of(schema)
    return {shape for place in places(whole) for shape, _ in shapes(place, whole)}


def found(schema, engine):
    return {(finding.code.rpartition(".")[2], shape_of(finding), finding.path) for finding in check(schema, engine)}


@pytest.mark.parametrize("name", [name for name in CASES if not name.startswith("note/")])
def test_every_case_of_the_experiment_has_the_shape_that_it_is_named_after(name):
    assert name.partition("/")[0] in shapes_in(CASES[name].schema)


@pytest.mark.parametrize("engine", TABLES)
def test_a_table_speaks_only_of_shapes_that_can_be_found(engine):
    table = TABLES[engine]
    known = set().union(*(shapes_in(case.schema) for case in CASES.values()))
    listed = [*table.refused, *table.ignored, *table.narrowed, *table.enforced]
    assert set(listed) <= known
    assert len(listed) == len(set(listed))  # no shape in two classes


def test_the_place_of_a_finding_is_a_pointer_into_the_schema():
    schema = {
        **CLOSED,
        "properties": {"a/b": {"type": "array", "items": {"$ref": "#/$defs/t~1u"}, "uniqueItems": True}},
    }
    schema["$defs"] = {"t/u": {"type": "string", "minLength": 2, "pattern": "^a$"}}
    assert ("ignored", "uniqueItems", "/properties/a~1b/uniqueItems") in found(schema, "xgrammar")
    assert ("unsupported", "$ref:escaped", "/properties/a~1b/items/$ref") in found(schema, "xgrammar")
    assert ("ignored", "pattern:length", "/$defs/t~1u/pattern") in found(schema, "xgrammar")


def test_engines_differ_on_the_same_schema():
    schema = {**CLOSED, "properties": {"a": {"type": "array", "items": {"type": "integer"}, "uniqueItems": True}}}
    assert {engine: is_supported(check(schema, engine)) for engine in ("xgrammar", "guidance", "outlines")} == {
        "xgrammar": True, "guidance": False, "outlines": True,
    }  # fmt: skip


def test_unused_definitions_do_not_count():
    schema = {**CLOSED, "properties": {"a": {"$ref": "#/$defs/used"}}}
    schema["$defs"] = {
        "used": {"type": "string"},
        "unused": {"type": "array", "items": {"type": "string"}, "uniqueItems": True},
    }
    assert check(schema, "guidance") == ()


@pytest.mark.parametrize(
    ("schema", "shape"),
    [
        ({"type": "array", "items": {"type": "string"}}, "root:array"),
        ({**CLOSED, "properties": {"a": {"type": "string"}}}, "required:optional"),
        ({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}, "additionalProperties:open"),
        ({**CLOSED, "properties": {"a": {"type": "string", "minLength": 1}}, "required": ["a"]}, "minLength"),
        ({**CLOSED, "properties": {"a": {"description": "anything"}}, "required": ["a"]}, "type:none"),
        ({**CLOSED, "properties": {"a": {"type": "string", "default": "x"}}, "required": ["a"]}, "default"),
    ],
)
def test_openai_strict_mode_has_its_own_rules(schema, shape):
    assert shape in {
        shape_of(finding) for finding in check(schema, "openai") if finding.code == "constrained.unsupported"
    }


def test_openai_strict_mode_takes_what_it_documents():
    node = {
        **CLOSED,
        "properties": {"a": {"type": ["string", "null"]}, "b": {"$ref": "#/$defs/n"}},
        "required": ["a", "b"],
    }
    node["$defs"] = {
        "n": {**CLOSED, "properties": {"n": {"anyOf": [{"$ref": "#/$defs/n"}, {"type": "null"}]}}, "required": ["n"]}
    }
    assert check(node, "openai") == ()


def test_sizes_are_limits():
    deep = {"type": "string"}
    for _ in range(11):
        deep = {**CLOSED, "properties": {"a": deep}, "required": ["a"]}
    wide = {**CLOSED, "properties": {"a": {"type": "string", "enum": [f"{n}" for n in range(1001)]}}, "required": ["a"]}
    assert [finding.message for finding in check(deep, "openai")] == ["limit: levels is 11, the limit is 10"]
    assert [finding.message for finding in check(wide, "openai")] == ["limit: enum_values is 1001, the limit is 1000"]
    for _ in range(60):
        deep = {**CLOSED, "properties": {"a": deep}, "required": ["a"]}
    assert [finding.code for finding in check(deep, "vllm")] == ["constrained.limit"]
    assert check(deep, "xgrammar") == ()


@pytest.mark.parametrize(
    ("schema", "backend"),
    [
        ({"type": "string", "minLength": 3}, "xgrammar"),
        ({"type": "integer", "multipleOf": 5}, "guidance"),
        ({"multipleOf": 5}, "xgrammar"),  # vLLM asks for the type beside it
        ({"type": "array", "uniqueItems": False}, "guidance"),  # and not for the value
        ({"type": "string", "pattern": "^a$", "maxLength": 3}, "guidance"),
        ({"type": "string", "format": "iri"}, "guidance"),
        ({"allOf": [{"type": "string"}, {"minLength": 2}]}, "guidance"),
        ({"type": "object", "patternProperties": {"^a$": {}, "^b$": {}}}, "outlines"),
        ({"type": "object", "propertyNames": {"enum": ["a"]}, "properties": {}}, "guidance"),
        ({"type": "string", "$defs": {"unused": {"type": "array", "contains": {}}}}, "guidance"),
        ({"type": "string", "pattern": "^(a)\\1$"}, "guidance"),  # xgrammar itself raises
        ({"type": "object", "not": {"required": ["a"]}}, "xgrammar"),  # silently ignored, so vLLM does not pass it on
    ],
)
def test_vllm_takes_another_backend_where_its_first_falls_short(schema, backend):
    assert vllm_backend(schema) == backend
    assert check(schema, "vllm") == check(schema, backend)


def endless():
    schema = {"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}, "$ref": "#/$defs/a"}
    schema["properties"] = {"me": {"$ref": "#"}, "nowhere": {"$ref": "#/properties/nowhere/$ref"}}
    return schema


def deep(levels):
    schema = {"type": "string"}
    for _ in range(levels):
        schema = {"type": "array", "items": schema}
    return schema


HOSTILE = [
    endless(),
    deep(400),
    deep(50_000),
    {"anyOf": [{"$ref": f"#/anyOf/{(index * 7) % 3000}"} for index in range(3000)]},
    {"oneOf": [{"type": "object", "properties": {"a": {"const": n}}, "required": ["a"]} for n in range(500)]},
    {"type": "object", "properties": {f"p{n}": {"type": "string", "uniqueItems": 1} for n in range(4_000)}},
    {"type": "string", "pattern": "(" * 5000 + ")" * 5000},
    {"type": "string", "pattern": "(a|" * 400 + "b" + ")" * 400},
    {"type": "string", "pattern": "[", "format": 3, "minLength": "x"},
    {"type": 7, "enum": 5, "properties": [], "required": "a", "items": 3, "$ref": 9, "oneOf": {}, "minItems": None},
    {"type": {"a": 1}, "additionalProperties": [], "patternProperties": {"(": 1}, "allOf": [1, None], "not": 3},
    {"a": float("nan")},
    {"a": object()},
    True,
    [1],
    None,
]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("schema", HOSTILE, ids=range(len(HOSTILE)))
def test_a_hostile_schema_gives_findings_and_never_an_exception(schema, engine):
    assert len(check(schema, engine)) <= 200


def test_one_shape_is_listed_a_few_times_only():
    schema = {"type": "object", "properties": {f"p{n}": {"type": "array", "uniqueItems": True} for n in range(50)}}
    assert sum(shape_of(finding) == "uniqueItems" for finding in check(schema, "guidance")) == 3


def test_an_unknown_engine_is_a_usage_error():
    with pytest.raises(UsageError, match="take one of xgrammar"):
        check({}, "magic")


@pytest.mark.parametrize(
    ("pattern", "wanted"),
    [
        ("^a$", set()),
        ("a", {"pattern:unanchored"}),
        ("^a", {"pattern:half"}),
        ("^a$|b", {"pattern:half", "pattern:branches"}),
        ("^(^a$)$", {"pattern:anchors"}),
        ("^[^$]$", {"pattern:negated"}),
        ("(^a$)|(?:^b$)", set()),
        ("^[$^|(]$", set()),
        ("^\\$$", set()),
        ("^a\\$", {"pattern:half"}),
        ("^a\\\\b$", {"pattern:backslash"}),
        ("^(?<!x)a$", {"pattern:look", "pattern:look:behind"}),
        ("^[\\p{L}]$", {"pattern:unicode:class"}),
        ("^[\n]$", {"pattern:newline:literal"}),
        ("^[^a]{600}$", {"pattern:negated", "pattern:large"}),
    ],
)
def test_a_pattern_shows_what_it_asks_for(pattern, wanted):
    assert set(pattern_shapes(pattern)) - {"pattern"} == wanted


def test_findings_can_be_written_to_a_log():
    assert json.dumps([finding.message for finding in check(endless(), "guidance")])
