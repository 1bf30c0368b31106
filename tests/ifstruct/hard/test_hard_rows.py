"""Rows of the hard set: same seed same bytes, a right answer each, nothing scored that the prompt does not say."""

import json
import os
import subprocess
import sys
from dataclasses import fields
from itertools import pairwise

import pytest

from sobench_metrics import ifstruct
from sobench_metrics.ifstruct.content_rules import ARGUMENTS
from sobench_metrics.ifstruct.generate.taxonomy.reading import entity_types
from sobench_metrics.ifstruct.generate.test_set import TEST_SET_NAMES
from sobench_metrics.ifstruct.hard import DEFAULT_SEED, HARD_VERSION, LEVELS, hard_row, hard_set
from sobench_metrics.ifstruct.hard.presentation import STYLES
from sobench_metrics.ifstruct.hard.subjects import SUBJECTS
from sobench_metrics.ifstruct.strict.schema_keywords import KEYWORD_RULES
from tests.ifstruct.hard.faults import faulty_answers

CODES = [
    "strict.duplicate_key",
    "strict.yaml_retyped",
    "strict.yaml_ambiguous",
    *(rule.code for rule in KEYWORD_RULES if rule.code != "strict.value"),
    *(f"strict.content.{name}" for name in ARGUMENTS),
]


@pytest.fixture(scope="module")
def rows():
    return hard_set(DEFAULT_SEED, 12).rows


def verdict_on(row, answer):
    return ifstruct.validate(answer, ifstruct.Spec.from_row(row))


def test_the_right_answer_of_every_row_keeps_every_rule(rows):
    for row in rows:
        verdict = verdict_on(row, row["oracle_answer"])
        assert (row["doc_id"], verdict.errors, verdict.strict) == (row["doc_id"], (), ())


@pytest.mark.parametrize("code", CODES)
def test_a_fault_against_one_rule_is_told_with_that_code_alone(rows, code):
    for row in rows:
        for answer in faulty_answers(row, code):
            verdict = verdict_on(row, answer)
            if {finding.code for finding in verdict.strict} == {code}:
                assert verdict.passed is (code != "strict.yaml_retyped")
                return
    pytest.fail(f"no answer of {len(rows)} rows can break {code} and nothing else")


def test_a_version_and_a_seed_name_the_bytes():
    code = "from sobench_metrics.ifstruct.hard import *; print(hard_set(DEFAULT_SEED, 3).revision)"
    told = {
        subprocess.run(
            [sys.executable, "-c", code], env={**os.environ, "PYTHONHASHSEED": seed}, check=True, capture_output=True,
            text=True,
        ).stdout.strip()
        for seed in ("1", "2")
    }  # fmt: skip
    assert told == {f"ifstruct-hard-1.0:seed{DEFAULT_SEED}:68e06b4d9609"}, (
        "bytes changed: raise HARD_VERSION, then this"
    )
    assert HARD_VERSION == "1.0"


def test_a_row_does_not_depend_on_how_many_are_made(rows):
    assert hard_set(DEFAULT_SEED, 2, (4,)).rows == (rows[36], rows[37])
    assert hard_row(4, 1, DEFAULT_SEED) == rows[37]
    assert hard_row(4, 1, DEFAULT_SEED + 1) != rows[37]


def test_every_dial_goes_as_far_as_at_the_level_before():
    for before, after in pairwise(LEVELS):
        for dial in fields(before):
            one, other = getattr(before, dial.name), getattr(after, dial.name)
            if dial.name == "window":
                assert other < one
            elif isinstance(one, tuple) and dial.name != "links":
                assert len(other) >= len(one)
                assert all(left <= right for left, right in zip(one, other))
            elif dial.name != "links":
                assert other >= one
        assert sum(after.links) >= sum(before.links)


def test_prompts_grow_and_ask_for_more_with_each_level(rows):
    def mean(measure, level):
        found = [measure(row) for row in rows if row["level"] == level]
        return sum(found) / len(found)

    measures = (
        lambda row: len(row["prompt"]),
        lambda row: len(row["oracle_answer"]),
        lambda row: len(json.loads(row["content_rules"])),
    )
    for measure in measures:
        values = [mean(measure, level.number) for level in LEVELS]
        assert values == sorted(set(values))
    assert max(len(row["oracle_answer"]) for row in rows) < 40_000, "an answer must fit into 16,000 tokens"


@pytest.mark.parametrize("style", STYLES)
def test_the_prompt_says_whatever_is_scored(rows, style):
    for row in rows:
        if row["style"] == style:
            wanted = list(_facts(json.loads(row["json_schema"])["items"]))
            wanted += [fact for rule in json.loads(row["content_rules"]) for fact in _facts_of_rule(rule)]
            wanted += [row["top_level_key"] or "The root is the list itself", row["output_format"].upper()]
            prompt = row["prompt"].replace("\\|", "|")
            assert [fact for fact in wanted if fact not in prompt] == []


def _facts(schema):
    """Yield every name and limit of a schema as prompts write them."""
    for name, below in schema.get("properties", {}).items():
        yield json.dumps(name, ensure_ascii=False)[1:-1]
        yield from _facts(below)
    for keyword in ("pattern",):
        if keyword in schema:
            yield json.dumps(schema[keyword])
    for keyword in ("minimum", "maximum", "multipleOf", "minLength", "maxLength", "minItems", "maxItems"):
        if keyword in schema:
            yield str(schema[keyword])
    for value in schema.get("enum", ()):
        yield json.dumps(value, ensure_ascii=False)
    if schema.get("type") == "array":
        yield from _facts(schema["items"])


def _facts_of_rule(rule):
    for argument, value in rule.items():
        if argument == "keys":
            yield ", ".join(json.dumps(key, ensure_ascii=False) for key in value)
        elif argument in ("exactly", "least", "most"):
            yield str(value)
        elif argument == "text":
            yield json.dumps(value, ensure_ascii=False)
        elif argument in ("by", "field"):
            yield value


def test_what_varies_is_all_there(rows):
    assert {row["style"] for row in rows} == set(STYLES)
    assert {row["output_format"] for row in rows} == {"json", "yaml"}
    for column in ("require_wrapper_key", "require_code_block", "require_no_commentary"):
        assert {row[column] for row in rows} == {True, False}


def test_no_name_is_one_of_another_set():
    names = {subject.name for subject in SUBJECTS}
    assert len(names) == len(SUBJECTS)
    assert not names & TEST_SET_NAMES
    assert not names & {entity.name for entity in entity_types()}
