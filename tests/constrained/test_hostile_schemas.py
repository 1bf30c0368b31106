"""Any JSON may stand where a schema is expected: it gets a verdict, in bounded work, and never an exception."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sobench_metrics.constrained import ENGINES, check, convert, is_supported, plan, shape_of, signs, signs_of, summary
from sobench_metrics.constrained.words import KNOWN
from sobench_metrics.data import instance
from sobench_metrics.data.instance import instance_of
from sobench_metrics.errors import UsageError

ODD = st.sampled_from((
    None, True, False, 0, -1, 2.0, 1.5, 1e30, 1e400, 30_000_000, 10**11, 10**400, "", "a", "string", "array", "object",
    "integer", "#", "#/", "#/$defs/a", "#/enum/" + "9" * 5000, "[", "[^a0 _-]", "a{99999999999}", "\ud800", [], {},
    ["a"], [{}], [[]], [None], {"a": {}}, {"a": 1}, {"a": None}, {"a": []}, ["string", "object"], ["object", 1],
))  # fmt: skip
SCHEMAS = st.recursive(
    ODD,
    lambda below: st.dictionaries(
        st.sampled_from(sorted(KNOWN)), st.one_of(below, st.lists(below, max_size=3), below.map(lambda one: {"a": one}))
    ),
    max_leaves=12,
)
MANY = settings(max_examples=200, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
ROW = {
    "top_level_count": None, "top_level_key": None, "require_wrapper_key": False, "require_code_block": False,
    "require_no_commentary": False, "output_format": "json",
}  # fmt: skip


def planned(row, engine):
    try:
        return [plan(row, engine)]
    except UsageError:
        return []


@MANY
@given(schema=SCHEMAS)
def test_every_engine_has_an_answer_to_any_json(schema):
    text = json.dumps(schema)
    for engine in ENGINES:
        check(schema, engine)
        check(convert(schema, engine).schema, engine)
        rows = ({"schema_json": text}, {"json_schema": text, **ROW}, schema if isinstance(schema, dict) else {})
        plans = [made for row in rows for made in planned(row, engine)]
        assert sum(summary(plans).states.values()) == len(plans)


@MANY
@given(schema=SCHEMAS, text=st.sampled_from(('{"a": "string"}', "[]", '{"a": [1, 2', "0", '["a", ""]')))
def test_signs_return_whatever_the_schema_is(schema, text):
    assert isinstance(signs(text, json.dumps(schema)), tuple)
    assert isinstance(signs_of(text, {"schema_json": json.dumps(schema)}), tuple)
    assert isinstance(signs_of(text, {"json_schema": schema, **ROW}), tuple)


def nested(times):
    return {"type": "array", "minItems": 300, "items": nested(times - 1)} if times else {"type": "integer"}


DOUBLING = {f"a{n}": {"properties": {key: {"$ref": f"#/$defs/a{n + 1}"} for key in "xy"}, "required": ["x", "y"]}
            for n in range(40)}  # fmt: skip
LARGE = [
    {"type": "array", "minItems": 30_000_000, "items": {"type": "integer"}},
    {"type": "array", "minItems": 1e30},
    {"type": "string", "minLength": 10**11},
    {"prefixItems": [{"minLength": 600}] * 10},
    nested(3),
    {"$ref": "#/$defs/a0", "$defs": DOUBLING},
    {"allOf": [{"$ref": "#"}, {"$ref": "#"}]},
]


@pytest.mark.parametrize("schema", LARGE, ids=range(len(LARGE)))
def test_no_more_is_built_than_there_is_room_for(schema, monkeypatch):
    built = []
    build = instance._Builder.build
    monkeypatch.setattr(instance._Builder, "build", lambda *args: built.append(1) or build(*args))
    assert instance_of(schema, steps=2_000, chars=5_000) is None
    assert len(built) <= 2_001


def test_a_count_may_be_written_as_a_float():
    assert instance_of({"type": "array", "items": {"minLength": 2.0}, "minItems": 2.0}) == ["aa", "aa"]


@pytest.mark.parametrize("engine", ENGINES)
def test_a_count_written_as_a_float_is_sent_as_an_integer(engine):
    node = {"type": "array", "items": {"type": "string"}, "minItems": 2.0}
    schema = {"type": "object", "properties": {"a": node}, "required": ["a"], "additionalProperties": False}
    made = convert(schema, engine)
    assert ("convert.whole_number", "/properties/a/minItems") in {(one.code, one.path) for one in made.changes}
    assert '"minItems": 2}' in json.dumps(made.schema)
    assert node["minItems"] == 2.0
    assert isinstance(node["minItems"], float)


@pytest.mark.parametrize(
    ("schema", "shape", "path"),
    [
        ({"required": [{}]}, "schema:broken", "/required"),
        ({"prefixItems": 0}, "schema:broken", "/prefixItems"),
        ({"items": {"type": "date"}}, "schema:broken", "/items/type"),
        ({"minLength": 1.5}, "schema:broken", "/minLength"),
        ({"maximum": 1e999}, "schema:broken", ""),
        ({"description": "\ud800"}, "schema:surrogate", ""),
        ({"type": "string", "minLength": 3, "maxLength": 2}, "size:crossed", "/minLength"),
        ({"items": {}, "minItems": 3, "maxItems": 2}, "size:crossed", "/minItems"),
        ({"type": "object", "required": ["a"], "maxProperties": 0}, "size:crossed", "/required"),
    ],
)
@pytest.mark.parametrize("engine", ["guidance", "xgrammar", "vllm"])
def test_what_no_engine_takes_is_named_and_placed(schema, shape, path, engine):
    findings = check(schema, engine)
    assert (shape, path) in {(shape_of(finding), finding.path) for finding in findings}
    assert plan({"schema_json": json.dumps(schema)}, engine).state == "free"


def test_a_crossed_count_of_a_type_that_is_not_allowed_is_idle():
    assert is_supported(check({"type": "string", "minItems": 3, "maxItems": 2}, "guidance"))


def test_a_schema_text_has_a_longest_length_for_guidance():
    def of_length(chars):
        return {"type": "string", "description": "x" * (chars - len(json.dumps({"type": "string", "description": ""})))}

    assert is_supported(check(of_length(500_000), "guidance"))
    assert not is_supported(check(of_length(500_001), "guidance"))
    assert is_supported(check(of_length(500_001), "xgrammar"))


def test_signs_of_a_row_know_the_wrapper():
    items = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}
    row = {**ROW, "json_schema": {"type": "array", "items": items, "minItems": 1}}
    row |= {"require_wrapper_key": True, "top_level_key": "k"}
    assert [sign.code for sign in signs_of('{"k": [{"a": 0}]}', row)] == ["sign.minimal"]
    assert signs('{"k": [{"a": 0}]}', row["json_schema"]) == ()
    assert signs_of('{"k": [{"a": 5}]}', row) == ()
