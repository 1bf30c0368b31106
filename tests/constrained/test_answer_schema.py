"""The schema of a whole answer says what the official validator checks, no more and no less."""

import json

import pytest

from sobench_metrics import ifstruct
from sobench_metrics.constrained import AnswerSchema, NotPossible, answer_schema
from sobench_metrics.data import oracle, prepared
from sobench_metrics.data.ifstruct_rows import load_rows
from sobench_metrics.data.instance import instance_of
from sobench_metrics.data.sample import ifstruct_rows_file, sample_home
from sobench_metrics.errors import UsageError
from sobench_metrics.json_schema import follows
from tests.constrained.mutants import mutants
from tests.engines.schema_instance import instance_of as served_instance

ROWS = [row for row in load_rows(ifstruct_rows_file()).rows if row["output_format"] == "json"]
ALL_ROWS = load_rows(ifstruct_rows_file()).rows


def without_block(row):
    """The same row as if it asked for no code block, so that rows of every kind can be constrained."""
    return {**row, "require_code_block": False}


def passes(value, row):
    return ifstruct.validate(json.dumps(value), ifstruct.Spec.from_row(row)).passed


def row_of(schema, **columns):
    plain = {
        "top_level_count": None, "top_level_key": None, "require_wrapper_key": False, "require_code_block": False,
        "require_no_commentary": False, "output_format": "json",
    }  # fmt: skip
    return {"json_schema": schema, **plain, **columns}


def has_whole_float(value):
    """3.0 is an integer to JSON Schema and none to the validator: the one difference of the sample's rows."""
    if isinstance(value, float):
        return value.is_integer()
    children = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return any(map(has_whole_float, children))


@pytest.mark.parametrize("row", [without_block(row) for row in ROWS], ids=[row["doc_id"] for row in ROWS])
def test_schema_and_validator_agree_on_right_answers_and_on_their_neighbours(row):
    schema = answer_schema(row).schema
    right = json.loads(oracle.ifstruct_answer(row))
    assert passes(right, row)
    assert follows(right, schema)
    judged = [
        (passes(value, row), follows(value, schema).followed) for value in mutants(right) if not has_whole_float(value)
    ]
    assert all(official == ours for official, ours in judged)
    assert {official for official, _ in judged} == {True, False} or len(judged) > 50


@pytest.mark.parametrize("row", [without_block(row) for row in ROWS], ids=[row["doc_id"] for row in ROWS])
def test_what_is_made_from_the_schema_passes(row):
    schema = answer_schema(row).schema
    for made in (instance_of(schema), instance_of(schema, complete=True, text="words"), served_instance(schema)):
        assert passes(made, row), made


def test_rows_that_no_schema_can_say_are_named():
    codes = {row["doc_id"]: getattr(answer_schema(row), "code", None) for row in ALL_ROWS}
    for row in ALL_ROWS:
        wanted = (
            "constrained.yaml" if row["output_format"] == "yaml"
            else "constrained.code_block" if row["require_code_block"] else None
        )  # fmt: skip
        assert codes[row["doc_id"]] == wanted
    assert set(codes.values()) == {"constrained.yaml", "constrained.code_block", None}


@pytest.mark.parametrize(
    ("row", "code"),
    [
        (row_of({"type": "string"}), "constrained.no_root_type"),
        (row_of({"enum": [1]}), "constrained.no_root_type"),
        (row_of({"type": "array", "minItems": 4}, top_level_count=3), "constrained.nothing_passes"),
        (
            row_of({"type": "object", "properties": {"a": {"type": "array"}}, "required": ["a"]}),
            "constrained.nothing_passes",
        ),
        (row_of({"type": "object", "required": ["a"]}), "constrained.nothing_passes"),
        ({"schema_json": "[1]"}, "constrained.schema_broken"),
        ({"schema_json": "{"}, "constrained.schema_broken"),
    ],
)
def test_what_cannot_be_has_a_code_and_a_sentence(row, code):
    found = answer_schema(row)
    assert isinstance(found, NotPossible)
    assert found.code == code
    assert found.message.endswith(".")


HAND_MADE = [
    row_of({"type": "array", "items": {"type": ["string", "null"], "enum": ["a", "b"]}}, top_level_count=[1, 3]),
    row_of({"type": "array", "items": {"type": "integer", "minimum": 2, "maximum": None}}, top_level_count=2),
    row_of({"type": ["array", "null"], "items": {"type": "number"}, "maxItems": 2}, top_level_count=[0, 5]),
    row_of({"type": "array", "items": {"type": "string", "pattern": "^x$", "minLength": 3}}, top_level_count=True),
    row_of({"type": "array", "items": {}}, require_wrapper_key=True, top_level_key="k", top_level_count="3"),
    row_of({"type": "array", "items": {"type": "boolean"}}, require_wrapper_key=True, top_level_count=1),
    row_of({"type": "array", "items": {"type": ["object", "null"], "properties": {"a": {"type": "string"}}}}),
    row_of({"type": "array", "items": {"type": ["string", "integer"]}}),
    row_of({"type": "array", "items": {"type": ["string", "integer", "null"]}}),
    row_of({"type": "array", "items": {"type": "date"}}),
    row_of({"type": "object", "properties": {"a": {"type": "array"}, "b": {"type": "string"}}, "required": ["a"]}),
    row_of(
        {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "integer"}}, "required": ["a", "b"]}
    ),
]


@pytest.mark.parametrize("row", HAND_MADE, ids=range(len(HAND_MADE)))
def test_odd_but_legal_rows_agree_too(row):
    schema = answer_schema(row).schema
    seeds = [
        [], ["a"], [None], ["a", "b"], [1, 2], [3, 3], [1.5], [True], [{}], [{"a": "x"}], ["a", 1, None], ["x" * 4],
        {"k": []}, {"k": [1]}, {"other": [True]}, {"a": [], "b": "x"}, {"a": []}, {"a": "x", "b": 2}, {"a": "x"},
    ]  # fmt: skip
    judged = set()
    for value in [near for seed in seeds for near in (seed, *mutants(seed, 60))]:
        if isinstance(value, (dict, list)) and not has_whole_float(value):
            assert passes(value, row) == follows(value, schema).followed, value
            judged.add(passes(value, row))
    assert judged == {True, False}


def test_a_free_wrapper_key_is_any_one_key():
    found = answer_schema(row_of({"type": "array", "items": {"type": "integer"}}, require_wrapper_key=True))
    assert isinstance(found, AnswerSchema)
    assert follows({"whatever": [1]}, found.schema)
    assert not follows({"two": [1], "keys": [1]}, found.schema)
    assert not follows([1], found.schema)


@pytest.mark.parametrize("domain", ["ui", "natural", "document", "chart"])
def test_a_sobench_row_brings_its_own_schema(domain):
    for doc in prepared.load(sample_home(), domain).docs:
        found = answer_schema(doc)
        assert found.benchmark == "sobench"
        assert follows(json.loads(doc["target_json"]), found.schema)


def test_a_row_of_neither_benchmark_is_a_usage_error():
    with pytest.raises(UsageError, match="json_schema"):
        answer_schema({"question": "2 + 2"})
