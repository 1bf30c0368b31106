"""Before a run every row has a plan, and the plans add up."""

import pytest

from sobench_metrics.constrained import plan, summary
from sobench_metrics.data import prepared
from sobench_metrics.data.ifstruct_rows import load_rows
from sobench_metrics.data.sample import ifstruct_rows_file, sample_home
from sobench_metrics.errors import UsageError
from sobench_metrics.json_schema import follows

CLOSED = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"], "additionalProperties": False}
UNIQUE = {"type": "array", "items": {"type": "string"}, "uniqueItems": True}


def test_what_is_taken_is_constrained_by_the_schema_itself():
    made = plan(CLOSED, "openai")
    assert (made.state, made.schema, made.findings, made.changes) == ("constrained", CLOSED, (), ())


def test_what_is_silently_ignored_is_a_warning_and_constrained_all_the_same():
    made = plan(UNIQUE, "xgrammar")
    assert made.state == "constrained"
    assert [finding.code for finding in made.findings] == ["constrained.ignored"]


@pytest.mark.parametrize(("choice", "state"), [("free", "free"), ("skip", "skipped")])
def test_what_is_refused_goes_as_the_user_chose(choice, state):
    made = plan(UNIQUE, "guidance", choice)
    assert (made.state, made.schema) == (state, None)
    assert [finding.code for finding in made.findings] == ["constrained.unsupported"]


def test_what_can_be_said_otherwise_is_sent_so():
    made = plan({"type": "string", "enum": ["a", 3]}, "xgrammar")
    assert made.state == "constrained"
    assert made.schema == {"type": "string", "enum": ["a"]}
    assert [change.code for change in made.changes] == ["convert.enum"]


def test_a_run_adds_up():
    rows = load_rows(ifstruct_rows_file()).rows
    docs = [
        doc for domain in ("ui", "natural", "document", "chart") for doc in prepared.load(sample_home(), domain).docs
    ]
    plans = [plan(row, "guidance", "skip") for row in (*rows, *docs)]
    figures = summary(plans)
    assert sum(figures.states.values()) == len(rows) + len(docs)
    assert figures.states["excluded"] == figures.codes["constrained.yaml"] + figures.codes["constrained.code_block"]
    for state in ("excluded", "skipped"):
        assert len(figures.doc_ids.get(state, ())) == figures.states.get(state, 0)
    yaml = [str(row["doc_id"]) for row in rows if row["output_format"] == "yaml"]
    assert set(yaml) <= set(figures.doc_ids["excluded"])


def test_reasons_are_counted_once_a_row():
    two = {"type": "object", "properties": {"a": UNIQUE, "b": UNIQUE}, "required": ["a", "b"]}
    figures = summary([plan(two, "guidance"), plan(UNIQUE, "guidance"), plan(CLOSED, "guidance")])
    assert figures.states == {"free": 2, "constrained": 1}
    assert figures.shapes == {"uniqueItems": 2}
    assert figures.codes == {"constrained.unsupported": 2}


@pytest.mark.parametrize("engine", ["xgrammar", "guidance", "outlines", "openai", "vllm"])
def test_the_target_of_every_sample_follows_the_schema_that_is_sent(engine):
    for domain in ("ui", "natural", "document", "chart"):
        for doc in prepared.load(sample_home(), domain).docs:
            made = plan(doc, engine)
            if made.schema is not None:
                assert follows(
                    doc["target_json"] if isinstance(doc["target_json"], dict) else _decoded(doc), made.schema
                )


def _decoded(doc):
    import json

    return json.loads(doc["target_json"])


def test_an_unknown_engine_is_a_usage_error():
    with pytest.raises(UsageError, match="magic"):
        plan(CLOSED, "magic")
