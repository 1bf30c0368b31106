"""A conversion changes words, never a verdict."""

import json
import random

import pytest

from benchmarks.grammar_cases import CASES
from sobench_metrics.constrained import ENGINES, check, convert, is_supported, shape_of
from sobench_metrics.constrained.merging import merged
from sobench_metrics.json_schema import follows
from tests.constrained.mutants import mutants

VALUES = [value for case in CASES.values() for value in (*case.good, *case.bad)]
UNCONVERTED = ("constrained.unsupported", "constrained.limit", "constrained.ignored")


def verdict(value, schema):
    """Followed, not followed, or None where the schema itself cannot decide."""
    judged = follows(value, schema)
    return judged.followed if judged.followed or judged.finding.code == "schema.violation" else None


def assert_same_verdicts(given, made, values):
    for value in values:
        before = verdict(value, given)
        assert before is None or verdict(value, made) is before, (value, given, made)


def near(case):
    """The values of a case, and a few of the neighbours of each."""
    return [value for good in (*case.good, *case.bad) for value in (good, *mutants(good, 14))]


@pytest.mark.parametrize("name", CASES)
def test_every_case_keeps_its_verdicts(name):
    case = CASES[name]
    for made in {json.dumps(convert(case.schema, engine).schema) for engine in ENGINES}:
        assert_same_verdicts(case.schema, json.loads(made), [*near(case), *random.Random(name).sample(VALUES, 15)])


def drawn(rng, depth=0):
    """A schema of pieces of the cases, put together as real ones are."""
    case = CASES[rng.choice(list(CASES))]
    piece = case.schema.get("properties", {}).get("a", case.schema) if isinstance(case.schema, dict) else case.schema
    if not isinstance(piece, dict) or "$ref" in json.dumps(piece) or depth > 2:
        piece = {"type": "string", "minLength": 1}
    kind = rng.choice(("plain", "object", "list", "anyOf", "allOf", "oneOf", "reference", "annotated"))
    below = drawn(rng, depth + 1) if depth < 2 else {"type": "integer", "minimum": 0.5}
    made = {
        "plain": piece,
        "object": {
            "type": "object",
            "properties": {"a": piece, "b": below},
            "required": rng.choice((["a"], ["c"], [])),
        },
        "list": {"type": "array", "items": rng.choice((piece, below)), "uniqueItems": False},
        "anyOf": {**_beside(rng), "anyOf": [piece, below]},
        "allOf": {**_beside(rng), "allOf": [piece, below]},
        "oneOf": {**_beside(rng), "oneOf": [piece, below]},
        "reference": {"$ref": "#/$defs/t~1u", **_beside(rng)},
        "annotated": {**piece, "default": 1, "x-note": "n", "examples": [1]},
    }[kind]
    return made if depth else {**made, "$defs": {"t/u": piece}, "$comment": "drawn"}


def _beside(rng):
    return rng.choice(({}, {"type": "object"}, {"minLength": 2}, {"required": ["b"]}, {"title": "t"}, {"minimum": 1}))


@pytest.mark.parametrize("seed", range(50))
def test_schemas_put_together_at_random_keep_their_verdicts(seed):
    rng = random.Random(seed)
    schema = json.loads(json.dumps(drawn(rng)))
    for engine in ("xgrammar", "guidance", "outlines", "openai"):
        made = convert(schema, engine)
        if made.changes:
            seeds = rng.sample(VALUES, 8)
            assert_same_verdicts(schema, made.schema, [value for one in seeds for value in (one, *mutants(one, 8))])


@pytest.mark.parametrize(
    ("schema", "engine", "codes"),
    [
        ({"type": "array", "items": {"type": "string"}, "uniqueItems": False}, "guidance", {"convert.annotation"}),
        ({"type": "string", "enum": ["a", 3, None]}, "xgrammar", {"convert.enum"}),
        ({"type": "integer", "minimum": 1.5}, "xgrammar", {"convert.bound"}),
        ({"type": "string", "format": "iri"}, "guidance", {"convert.format"}),
        ({"type": "array", "maxItems": 3}, "xgrammar", {"convert.items"}),
        ({"allOf": [{"type": "string"}, {"minLength": 2}]}, "xgrammar", {"convert.all_of"}),
        ({"type": "object", "required": ["z"]}, "xgrammar", {"convert.required"}),
        ({"$ref": "#/$defs/a%20b", "$defs": {"a b": {"type": "string"}}}, "xgrammar", {"convert.references"}),
        ({"type": "object", "properties": {}, "unevaluatedProperties": False}, "guidance", {"convert.unevaluated"}),
        ({"$schema": "http://json-schema.org/draft-07/schema#", "items": [{"type": "integer"}]}, "xgrammar", {"convert.dialect"}),
        ({"type": "object", "properties": {"a": {}}, "anyOf": [{"required": ["a"]}, {"maxProperties": 0}]}, "xgrammar", {"convert.spread"}),
    ],
)  # fmt: skip
def test_what_an_engine_stumbles_over_is_said_otherwise(schema, engine, codes):
    made = convert(schema, engine)
    assert {change.code for change in made.changes} >= codes
    assert not {finding.code for finding in check(made.schema, engine)} & set(UNCONVERTED)


@pytest.mark.parametrize(
    ("schema", "engine", "shape"),
    [
        (
            {"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": False},
            "openai",
            "required:optional",
        ),
        (
            {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]},
            "openai",
            "additionalProperties:open",
        ),
        ({"oneOf": [{"minimum": 3}, {"maximum": 5}]}, "guidance", "oneOf:overlap"),
        ({"type": "array", "items": {"type": "string"}, "uniqueItems": True}, "guidance", "uniqueItems"),
        ({"type": "string", "not": {"const": "a"}}, "guidance", "not"),
    ],
)
def test_what_would_change_the_meaning_stays_and_is_found(schema, engine, shape):
    made = convert(schema, engine)
    assert made.schema == schema
    assert shape in {shape_of(finding) for finding in check(made.schema, engine)}
    assert not is_supported(check(made.schema, engine))


def test_a_schema_that_needs_nothing_comes_back_as_it_is():
    schema = {"type": "object", "title": "t", "properties": {"a": {"type": "string"}}, "required": ["a"]}
    assert convert(schema, "xgrammar").schema is schema
    assert convert(schema, "xgrammar").changes == ()


def test_the_given_schema_is_not_touched():
    schema = {"allOf": [{"type": "string", "default": "x"}, {"minLength": 2}], "$comment": "c"}
    before = json.dumps(schema)
    assert convert(schema, "openai").changes
    assert json.dumps(schema) == before


def test_recursive_schemas_keep_their_references():
    node = {"type": "object", "properties": {"next": {"$ref": "#/definitions/a~1b", "description": "d"}}}
    schema = {"$ref": "#/definitions/a~1b", "definitions": {"a/b": node}}
    made = convert(schema, "xgrammar")
    assert_same_verdicts(
        schema, made.schema, [{}, {"next": {}}, {"next": {"next": 3}}, 3, {"next": {"next": {"next": {}}}}]
    )
    assert is_supported(check(made.schema, "xgrammar"))


@pytest.mark.parametrize(
    "schema", [True, None, [], {"$ref": "#/$defs/none"}, {"items": {"$id": "a.json", "$ref": "#/x"}}]
)
def test_what_cannot_be_converted_comes_back(schema):
    assert convert(schema, "guidance").schema == schema


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"properties": {"a": {}}}, {"additionalProperties": False}),
        ({"prefixItems": [{}]}, {"items": {"type": "string"}}),
        ({"minimum": 3}, {"minimum": 5, "exclusiveMinimum": True}),
        ({"if": {"minimum": 3}}, {"then": {"maximum": 5}}),
        ({"contains": {"const": 1}}, {"minContains": 2}),
        ({"enum": [1, 2]}, {"enum": [1.0]}),
        ({"const": 1}, {"const": True}),
        ({"$ref": "#"}, {"type": "string"}),
        ({"type": "string"}, {"type": "integer"}),
        ({"unevaluatedProperties": False}, {"properties": {"a": {}}}),
        ({"pattern": "a"}, {"pattern": "b"}),
        (False, {"type": "string"}),
    ],
)
def test_schemas_that_read_each_other_are_not_merged(one, other):
    assert merged(one, other) is None
    assert merged(other, one) is None
