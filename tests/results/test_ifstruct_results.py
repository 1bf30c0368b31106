"""The results file of IFStruct's own runner, laid out as it writes one: run, summary, samples."""

import json

import pytest

from sobench_metrics.data.ifstruct_rows import load_rows
from sobench_metrics.data.oracle import ifstruct_answer
from sobench_metrics.data.sample import sample_home
from sobench_metrics.errors import UsageError
from sobench_metrics.results.reading import open_runs, samples
from sobench_metrics.results.records import RowSource
from sobench_metrics.results.score_table import figures_of, is_equal
from tests.results.prediction_files import ifstruct_row, write
from tests.results.scoring import scored

SAMPLE = {"task": "ifstruct_sample"}


def rate(passed):
    return {"passed": sum(passed), "total": len(passed), "pass_rate": sum(passed) / len(passed)}


@pytest.fixture
def results(tmp_path):
    """A file of the bundled rows: every third answered rightly, one refused, one whose requests failed."""
    rows = load_rows(sample_home() / "ifstruct.jsonl").rows[:12]
    told = []
    for number, row in enumerate(rows):
        right = number % 3 == 0
        told.append(
            {
                "seed": 700 + number, "model": "maker/model", "passed": right, "score": float(right),
                "errors": [] if right else ["any"], "details": {}, "prompt": row["prompt"],
                "response": ifstruct_answer(row) if right else "", "latency_ms": 5.0,
                "output_format": row["output_format"], "entity_type": row["entity_type"],
                "require_wrapper_key": row["require_wrapper_key"],
            }
        )  # fmt: skip
    told[1].update(errors=["Refusal: no"], details={"refusal": True})
    told[2].update(errors=["API error: timed out"], details={"api_error": True})
    by = {kind: rate([line["passed"] for line in told if line["output_format"] == kind]) for kind in ("json", "yaml")}
    structure = {
        name: rate([line["passed"] for line in told if line["require_wrapper_key"] is wanted])
        for name, wanted in (("wrapper_key", True), ("bare_list", False))
    }
    content = {
        "run": {
            "started_at": "2026-11-30T10:00:00", "finished_at": "2026-11-30T10:02:00", "duration_seconds": 120.0,
            "model": "maker/model", "base_url": "http://localhost/v1", "dataset": "data/test.jsonl",
            "example_count": 12, "n_threads": 4, "limit": 12, "offset": 0, "max_tokens": 16000, "temperature": 0.0,
        },
        "summary": {**rate([line["passed"] for line in told]), "by_format": by, "by_top_level_structure": structure},
        "samples": told,
    }  # fmt: skip

    def make(change=lambda content: None):
        change(content)
        file = tmp_path / "latest.json"
        file.write_text(json.dumps(content, indent=2))
        return file

    return make


def test_it_is_a_run_like_any_other(results):
    (run,) = open_runs(results(), RowSource(**SAMPLE)).values()
    assert (run.task, run.model, run.harness, run.seconds) == ("ifstruct_sample", "maker/model", "ifstruct-eval", 120)
    assert (run.signature["decoding"], run.signature["max_gen_toks"]) == ("greedy", "16000")
    found = list(samples(run))
    assert [sample.doc_id for sample in found[:2]] == ["700", "701"]
    assert [sample.passed for sample in found] == [number % 3 == 0 for number in range(12)]
    assert found[0].row["json_schema"]
    assert (found[2].answer, found[2].failure) == (None, "API error: timed out")


def test_its_figures_are_those_of_its_texts(results):
    found = scored(results(), **SAMPLE)
    assert is_equal(found)
    assert (found.compared, found.tally.failed, found.tally.missing) == (12, 1, 0)
    told = {line.figure: line.told for line in figures_of(found) if line.told is not None}
    assert told.keys() == {"pass", "pass_json", "pass_yaml", "pass_wrapper", "pass_bare"}


def test_a_figure_that_its_texts_do_not_bear_out_is_named(results):
    def boast(content):
        content["samples"][4]["passed"] = True

    found = scored(results(boast), **SAMPLE)
    assert found.differs == (("704", ("pass",)),)
    assert not is_equal(found)


def test_a_prompt_that_the_rows_lack_or_have_twice_is_told(results, tmp_path):
    other = write(tmp_path / "rows.jsonl", [ifstruct_row(0)])
    with pytest.raises(UsageError, match=r"latest.json, sample 1 \(seed 700\) asks what no one row .* --rows"):
        scored(results(), file=other)
    first = load_rows(sample_home() / "ifstruct.jsonl").rows[0]
    twins = write(tmp_path / "rows.jsonl", [{**first, "doc_id": 3}, {**first, "doc_id": 700}])

    def only_one(content):
        content["samples"] = content["samples"][:1]

    assert scored(results(only_one), file=twins).tally.figures["pass"].a == 1
    twins = write(tmp_path / "rows.jsonl", [{**first, "doc_id": 3}, {**first, "doc_id": 4}])
    with pytest.raises(UsageError, match="asks what no one row"):
        scored(results(), file=twins)
