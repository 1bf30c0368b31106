"""Rows of the hard set: same seed same bytes, a right answer each, nothing scored that the prompt does not say."""

import json
import os
import re
import subprocess
import sys
from dataclasses import fields, replace
from itertools import islice, pairwise
from pathlib import Path

import pytest

from sobench_metrics import ifstruct
from sobench_metrics.ifstruct.content_rules import ARGUMENTS
from sobench_metrics.ifstruct.generate.taxonomy.reading import entity_types
from sobench_metrics.ifstruct.generate.test_set import TEST_SET_NAMES
from sobench_metrics.ifstruct.hard import DEFAULT_SEED, HARD_VERSION, LEVELS, hard_row, hard_set
from sobench_metrics.ifstruct.hard.presentation import STYLES
from sobench_metrics.ifstruct.hard.rows import row_of
from sobench_metrics.ifstruct.hard.subjects import SUBJECTS
from sobench_metrics.ifstruct.hard.wording import path_words
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
def test_each_fault_against_one_rule_is_told_with_that_code_alone(rows, code):
    faults = ((row, answer) for row in rows for answer in islice(faulty_answers(row, code), 1))
    found = [verdict_on(row, answer) for row, answer in islice(faults, 8)]
    linked = {"strict.content.reference"} if code == "strict.content.distinct" else set()  # its code stood there once
    assert len(found) > 3
    for verdict in found:
        assert {finding.code for finding in verdict.strict} - linked == {code}
        assert all(finding.message and len(finding.message) < 400 for finding in verdict.strict)
        assert verdict.passed is (code != "strict.yaml_retyped")


def test_a_version_and_a_seed_name_the_bytes():
    code = "from sobench_metrics.ifstruct.hard import *; print(hard_set(DEFAULT_SEED, 3).revision)"
    environment = {**os.environ, "PYTHONHASHSEED": "1"}
    told = subprocess.run([sys.executable, "-c", code], env=environment, check=True, capture_output=True, text=True)
    assert told.stdout.strip() == hard_set(DEFAULT_SEED, 3).revision
    assert told.stdout.strip() == f"ifstruct-hard-1.0:seed{DEFAULT_SEED}:0d7fcec98cb9", (
        "bytes changed: raise HARD_VERSION and the version of the task, then this"
    )


def test_the_task_has_the_version_of_its_rows():
    task = (Path(__file__).parents[3] / "lm_eval_tasks/tasks/ifstruct_hard/_base.yaml").read_text()
    assert re.search(r"^  version: (.*)$", task, re.MULTILINE)[1] == HARD_VERSION


def test_the_bounds_of_a_row_made_by_other_dials_are_those_dials(rows):
    narrow = replace(LEVELS[0], plain=1, keywords=0)
    row = row_of(narrow, 0, 5)
    assert len(json.loads(row["json_schema"])["items"]["properties"]) == 2
    assert verdict_on(row, row["oracle_answer"]).passed
    assert row_of(LEVELS[3], 1, DEFAULT_SEED) == rows[37]


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


def test_words_around_the_data_are_forbidden_wherever_they_cannot_be_told_from_it(rows):
    for row in rows:
        assert row["require_code_block"] or row["require_no_commentary"]
        assert ("Write nothing before or after the data." in row["prompt"]) is row["require_no_commentary"]


@pytest.mark.parametrize("name", ["no", "on", "null", "1.50", "a.b", 'say "when"'])
def test_a_name_that_could_be_read_as_something_else_is_quoted_in_paths(name):
    assert path_words("[]", name) == f"[].{json.dumps(name)}"


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
