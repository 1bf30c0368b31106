"""The hard set through lm-eval: known answers, figures by level, other seeds under another name."""

import json
import re

import pytest

from lm_eval_tasks.catalog import needs
from lm_eval_tasks.commands.baseline import run_baseline
from lm_eval_tasks.commands.check import data_failures
from lm_eval_tasks.ifstruct_hard import process_results
from sobench_metrics.ifstruct.hard import hard_row
from tests.ifstruct.hard.faults import faulty_answers

TASK = "ifstruct_hard_sample"


@pytest.fixture(scope="module")
def placeholder():
    return run_baseline("placeholder", [TASK])


def test_the_least_instance_passes_more_rows_officially_than_strictly(placeholder):
    numbers = placeholder["results"][TASK]
    assert 0 < numbers["pass_strict,none"] < numbers["pass,none"] < 1


def test_levels_and_formats_cover_the_whole(placeholder):
    lines = placeholder["samples"][TASK]
    assert len(lines) == 40
    for names in ([f"level_{number}" for number in range(1, 6)], ["json", "yaml"]):
        for metric in ("pass", "pass_strict"):
            inside = [sum(line[f"{metric}_{name}"] is not None for line in lines) for name in names]
            assert sum(inside) == 40
            assert all(inside)


def test_the_signature_names_version_seed_and_content(placeholder):
    signature = placeholder["configs"][TASK]["metadata"]["signature"]
    assert re.fullmatch(
        rf"task={TASK}:1\.0\|scores=official\+strict\|reasoning=removed by the scorer"
        r"\|data=ifstruct-hard-1\.0:seed7:[0-9a-f]{12}\|n=40/40\|max_gen_toks=4096\|sobench=[\d.]+",
        signature,
    )


def test_a_sample_says_what_was_found_beyond_the_official_rules():
    row = hard_row(3, 0, 1)
    (answer, *_) = faulty_answers(row, "strict.content.key_order")
    metrics = process_results(row, [answer])
    assert (metrics["pass"], metrics["pass_strict"], metrics["pass_strict_level_3"]) == (1.0, 0.0, 0.0)
    assert metrics["pass_level_1"] is None
    assert metrics["diagnostics"]["strict"] == ["strict.content.key_order"]


def test_another_seed_can_be_asked_in_a_run(evaluate):
    from lm_eval_tasks.baselines import BaselineLM

    results = evaluate(BaselineLM("oracle"), [TASK], metadata={"hard_seed": 3, "hard_rows": 1})
    assert "|data=ifstruct-hard-1.0:seed3:" in results["configs"][TASK]["metadata"]["signature"]
    assert results["n-samples"][TASK] == {"original": 5, "effective": 5}


def test_own_rows_are_asked_and_named_by_their_content(evaluate, tmp_path, monkeypatch):
    from lm_eval_tasks.baselines import BaselineLM

    rows = [{**hard_row(level, 0, 4), "level": level if level > 1 else None} for level in (1, 3)]
    (tmp_path / "own.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    monkeypatch.setenv("SOBENCH_IFSTRUCT_HARD", str(tmp_path / "own.jsonl"))
    results = evaluate(BaselineLM("placeholder"), ["ifstruct_hard"])
    assert re.search(r"\|data=file:[0-9a-f]{12}\|n=2/2\|", results["configs"]["ifstruct_hard"]["metadata"]["signature"])
    numbers = results["results"]["ifstruct_hard"]
    assert (numbers["pass_level_3,none"], numbers["pass_level_5,none"]) == (0, "N/A")


def test_the_task_needs_no_data(monkeypatch):
    monkeypatch.setenv("SOBENCH_IFSTRUCT", "/no/such/file")
    assert [(need.hard, need.domain) for need in needs(["ifstruct_hard", "ifstruct"])] == [(True, None), (False, None)]
    assert data_failures([TASK]) == []


def test_formats_that_no_strict_rule_checks_are_told_before_a_run(tmp_path, monkeypatch, capsys):
    from sobench_metrics.cli.main import main

    row = hard_row(1, 0, 1) | {"json_schema": json.dumps({"type": "array", "items": {"format": "iri"}})}
    (tmp_path / "rows.jsonl").write_text(json.dumps(row))
    monkeypatch.setenv("SOBENCH_IFSTRUCT", str(tmp_path / "rows.jsonl"))
    assert main(["check", "--tasks", "ifstruct,ifstruct_hard_sample"]) == 0
    told = [line for line in capsys.readouterr().out.splitlines() if "do not check these formats" in line]
    assert told == ["warn ifstruct: the strict findings do not check these formats: iri"]
