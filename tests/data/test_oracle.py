"""Oracle and placeholder for any schema and any row, the real ones included where they are at hand."""

import json
import re
from pathlib import Path

import jsonschema
import pytest
import yaml

from sobench_metrics import ifstruct, sobench
from sobench_metrics.data import oracle
from sobench_metrics.data.instance import instance_of
from sobench_metrics.data.pattern_text import text_for_pattern

REAL_SPECS = Path(__file__).parents[3] / "shared" / "conformance" / "real_ifstruct_specs_59.jsonl"

TREE = {"$defs": {"node": {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}}, "required": ["next"]}}}

SCHEMAS = [
    True,
    {},
    {"type": "object"},
    {"type": "string"},
    {"type": "string", "minLength": 3},
    {"type": "string", "maxLength": 0},
    {"type": "string", "pattern": "^[A-Z]{2}-[0-9]{4}$"},
    {"type": "string", "format": "date"},
    {"type": "integer", "minimum": 3},
    {"type": "integer", "maximum": -3},
    {"type": "integer", "minimum": 2.5},
    {"type": "integer", "exclusiveMinimum": 0, "multipleOf": 7},
    {"type": "integer", "minimum": 1, "multipleOf": 2.5},
    {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1},
    {"type": "number", "minimum": 0.3, "maximum": 0.4},
    {"type": "number", "minimum": 5, "multipleOf": 0.01},
    {"type": "number", "exclusiveMaximum": 0},
    {"minimum": 4},
    {"type": ["null", "string"]},
    {"type": ["string", "null"], "enum": [None, "a"]},
    {"enum": [3, "b"]},
    {"const": {"a": [1]}},
    {"type": "array", "minItems": 2, "items": {"type": "boolean"}},
    {"type": "array", "minItems": 3, "uniqueItems": True, "items": {"type": "integer", "minimum": 4}},
    {"type": "array", "minItems": 3, "uniqueItems": True, "items": {"type": "string"}},
    {"type": "array", "minItems": 2, "uniqueItems": True, "items": {"enum": ["a", "b"]}},
    {"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}], "minItems": 2},
    {"type": "array", "contains": {"type": "integer", "minimum": 2}, "minItems": 1},
    {"type": "object", "properties": {"a": {}, "b": {"type": "null"}}, "required": ["b", "c"]},
    {"type": "object", "properties": {"a": {"type": "string"}}, "minProperties": 1},
    {"properties": {"a": {"type": "integer"}}, "required": ["a"]},
    {"type": "object", "required": ["a"], "dependentRequired": {"a": ["b"]}, "properties": {"b": {"type": "integer"}}},
    {"type": "object", "additionalProperties": {"type": "integer"}, "required": ["k"]},
    {"allOf": [{"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]},
               {"properties": {"a": {"minimum": 5}, "b": {"type": "string"}}, "required": ["b"]}]},
    {"allOf": [{"type": "number", "minimum": 1}, {"type": "integer", "minimum": 6}]},
    {"anyOf": [False, {"type": "integer"}, {"type": "null"}]},
    {"oneOf": [{"type": "string"}, {"type": "integer"}]},
    {"$defs": {"money": {"type": "number", "minimum": 1}}, "$ref": "#/$defs/money", "maximum": 9},
    {"type": "object", "properties": {"x": {"$ref": "#/definitions/a~1b"}}, "required": ["x"],
     "definitions": {"a/b": {"enum": ["q"]}}},
    {"type": "object", "properties": {"child": {"$ref": "#"}}},
    {"type": "object", "properties": {"children": {"type": "array", "items": {"$ref": "#"}}}, "required": ["children"]},
    {"type": "object", "required": ["child"], "properties": {"child": {"anyOf": [{"$ref": "#"}, {"type": "null"}]}}},
    {"$schema": "http://json-schema.org/draft-04/schema#", "type": "integer", "minimum": 2, "exclusiveMinimum": True},
]  # fmt: skip


@pytest.mark.parametrize("schema", SCHEMAS, ids=str)
@pytest.mark.parametrize("complete", [False, True], ids=["smallest", "complete"])
def test_instances_follow_their_schema(schema, complete):
    jsonschema.validate(instance_of(schema, complete=complete), schema)


def test_the_smallest_instance_is_small():
    schema = {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "integer"}}, "required": ["a"]}
    assert instance_of(schema) == {"a": ""}
    assert instance_of(schema, text="x", complete=True) == {"a": "x", "b": 0}


@pytest.mark.parametrize(
    "schema",
    [
        {**TREE, "$ref": "#/$defs/node"},
        {"$ref": "#"},
        {"allOf": [{"$ref": "#"}]},
        {"type": "array", "minItems": 1, "items": {"$ref": "#"}},
        {"anyOf": [False]},
    ],
    ids=str,
)
def test_a_schema_without_a_finite_instance_still_ends(schema):
    assert instance_of(schema) in (None, "")


@pytest.mark.parametrize(
    "pattern",
    [
        "^a+$",
        "x{3,5}",
        "(ab|cd)*e",
        "[^a]b",
        "[^a0 _-]",
        r"\d{4}-\d\d",
        r"^\w+@\w+\.com$",
        "a?b",
        "(?:q|r)s{0}",
        "[]x]",
        r"[\d]",
        "a|b|",
        "",
    ],
)
def test_a_text_for_a_pattern_matches_it(pattern):
    made = text_for_pattern(pattern)
    assert made is not None
    assert re.search(pattern, made)


@pytest.mark.parametrize(
    "pattern", ["(?=a)", "(?P<n>a)", r"(a)\1", "[", "(a", "a)", "*", "a{9999999}", r"\p{L}", "a{x}", "(" * 5000]
)
def test_a_pattern_beyond_the_simple_gives_none(pattern):
    assert text_for_pattern(pattern) is None


def test_backticks_in_a_target_do_not_end_the_answer():
    target = {"code": "```json\n{}\n```"}
    answer = oracle.sobench_answer({"target_json": json.dumps(target)})
    score = sobench.score(answer, target=target, schema={"type": "object"}, labels={"code": "exact"})
    assert score.exact_match


def row(**changes):
    schema = {
        "type": "array",
        "items": {
            "type": "object",
            "properties": {
                "time": {"type": "string", "enum": ["10:00", "no", "1.10", "=", "~"]},
                "note": {"type": "string"},
                "level": {"type": "number", "enum": [1.5, 2]},
                "list": {"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 2},
                "empty": {"type": "object", "properties": {}},
                "extra": {"type": "integer", "minimum": 4, "maximum": 5, "x-optional": True},
            },
            "required": ["time", "note", "level", "list", "empty"],
        },
    }
    return {
        "doc_id": 0, "entity_type": "sample__escaping__x", "prompt": "p", "output_format": "yaml", "top_level_count": "[2, 3]",
        "top_level_key": "things", "require_wrapper_key": True, "require_code_block": True, "require_no_commentary": True,
        "json_schema": json.dumps(schema), **changes,
    }  # fmt: skip


@pytest.mark.parametrize("output_format", ["json", "yaml"])
@pytest.mark.parametrize("wrapped", [True, False])
@pytest.mark.parametrize("fenced", [True, False])
@pytest.mark.parametrize("entity_type", ["sample__x", "sample__escaping__x"])
def test_oracle_passes_every_form(output_format, wrapped, fenced, entity_type):
    made = row(
        output_format=output_format,
        require_wrapper_key=wrapped,
        require_code_block=fenced,
        entity_type=entity_type,
        top_level_key="things" if wrapped else None,
    )
    verdict = ifstruct.validate(oracle.ifstruct_answer(made), ifstruct.Spec.from_row(made))
    assert verdict.passed, verdict.errors


def test_oracle_takes_decoded_columns_and_a_missing_count():
    made = row(top_level_count=None, json_schema=json.loads(row()["json_schema"]), top_level_key=None)
    assert ifstruct.validate(oracle.ifstruct_answer(made), ifstruct.Spec.from_row(made)).passed


def test_oracle_fences_what_unfenced_json_cannot_carry():
    made = row(output_format="json", json_schema='{"type": "integer"}', require_code_block=False, top_level_count=None)
    assert ifstruct.validate(oracle.ifstruct_answer(made), ifstruct.Spec.from_row(made)).passed


def test_placeholder_leaves_the_form_out():
    assert yaml.safe_load(oracle.ifstruct_placeholder(row())) == []
    assert oracle.ifstruct_placeholder(row(output_format="json")) == "[]"


@pytest.mark.skipif(not REAL_SPECS.is_file(), reason="the shared folder is not next to the checkout")
@pytest.mark.parametrize("output_format", ["json", "yaml"])
@pytest.mark.parametrize("wrapped", [True, False])
def test_oracle_passes_real_specs(output_format, wrapped):
    for line in REAL_SPECS.read_text(encoding="utf-8").splitlines():
        made = {**json.loads(line), "output_format": output_format, "require_wrapper_key": wrapped}
        verdict = ifstruct.validate(oracle.ifstruct_answer(made), ifstruct.Spec.from_row(made))
        assert verdict.passed, (made["doc_id"], verdict.errors)
