"""What the server calls a conforming answer must conform."""

import json

import pytest
from jsonschema import Draft202012Validator, FormatChecker

from tests.engines.schema_instance import instance_of, schema_in

SCHEMAS = [
    {"type": "object", "required": ["a", "b"], "properties": {"a": {"type": "string"}}},
    {"type": "array", "items": {"type": "integer", "minimum": 4, "multipleOf": 3}, "minItems": 3},
    {"type": "array", "items": {"enum": ["x", "y", "z"]}, "minItems": 2, "uniqueItems": True},
    {"type": ["null", "number"], "exclusiveMinimum": 1, "maximum": 2},
    {"type": "integer", "maximum": -7},
    {"type": "string", "minLength": 12, "maxLength": 14},
    {"type": "string", "format": "date"},
    {"anyOf": [{"type": "boolean"}, {"type": "null"}]},
    {"allOf": [{"properties": {"a": {"const": 1}}, "required": ["a"]}, {"properties": {"b": {}}, "required": ["b"]}]},
    {"$ref": "#/$defs/n~1n", "$defs": {"n/n": {"type": "object", "properties": {"next": {"$ref": "#/$defs/m"}}},
                                       "m": {"enum": [None, 1]}}},
]  # fmt: skip


@pytest.mark.parametrize("schema", SCHEMAS, ids=range(len(SCHEMAS)))
def test_the_instance_is_valid_and_always_the_same(schema):
    value = instance_of(schema)
    Draft202012Validator(schema, format_checker=FormatChecker()).validate(value)
    assert instance_of(json.loads(json.dumps(schema))) == value


def test_the_schema_is_found_between_other_braces():
    schema = {"type": "object", "properties": {"a": {"type": "string"}}}
    text = f'Use {{braces}} like {{"a": 1}}.\n{json.dumps(schema, indent=2)}\nNot {{"type": 1}}.'
    assert schema_in(text) == schema
    assert schema_in("nothing {here}") is None
