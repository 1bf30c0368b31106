"""Known answers through the harness: the oracle gives 100 everywhere, the floors stay on the floor."""

import re
from pathlib import Path

import pytest

from lm_eval_tasks.catalog import task_names
from lm_eval_tasks.commands.baseline import imperfect, run_baseline

SAMPLES = [name for name in task_names() if name.endswith("_sample")]


@pytest.mark.parametrize("task", SAMPLES)
def test_the_oracle_is_perfect_on_every_sample_task(task):
    assert imperfect(run_baseline("oracle", [task])) == []


def test_the_empty_answer_scores_nothing_but_keeps_every_sample():
    results = run_baseline("empty", ["sobench_sample", "ifstruct_sample"])
    group = results["groups"]["sobench_sample"]
    assert group["invalid,none"] == 1.0
    for metric in (
        "schema_validity",
        "field_match",
        "full_match",
        "exact_match",
        "strict_field_recall",
        "strict_field_f1",
    ):
        assert group[f"{metric},none"] == 0.0
    assert results["results"]["ifstruct_sample"]["pass,none"] == 0.0
    assert all(counts["original"] == counts["effective"] for counts in results["n-samples"].values())


def test_the_placeholder_is_valid_and_nearly_always_wrong():
    results = run_baseline("placeholder", ["sobench_sample", "ifstruct_sample"])
    group = results["groups"]["sobench_sample"]
    assert group["schema_validity,none"] == 1.0
    assert group["exact_match,none"] == 0.0
    assert group["strict_field_f1,none"] < 0.3
    assert 0 < results["results"]["ifstruct_sample"]["pass,none"] < 1


def test_slices_of_ifstruct_cover_the_whole():
    results = run_baseline("placeholder", ["ifstruct_sample"])
    lines = results["samples"]["ifstruct_sample"]
    for left, right in (("json", "yaml"), ("wrapper", "bare"), ("fenced", "unfenced"), ("escaping", "plain")):
        inside = [sum(line[f"pass_{name}"] is not None for line in lines) for name in (left, right)]
        assert sum(inside) == len(lines)
        assert all(inside)


def test_the_oracle_is_perfect_on_real_rows_where_they_are_at_hand(monkeypatch):
    file = Path(__file__).resolve().parents[3] / "shared/conformance/real_ifstruct_rows_25.jsonl"
    if not file.is_file():
        pytest.skip("the recorded real rows stay outside the project")
    monkeypatch.setenv("SOBENCH_IFSTRUCT", str(file))
    results = run_baseline("oracle", ["ifstruct"])
    assert imperfect(results) == []
    assert results["n-samples"]["ifstruct"] == {"original": 25, "effective": 25}


def test_ifstructs_results_carry_their_signature():
    from lm_eval_tasks.commands.baseline import run_baseline

    results = run_baseline("oracle", ["ifstruct_yaml_sample"], limit=5)
    signature = results["configs"]["ifstruct_yaml_sample"]["metadata"]["signature"]
    assert re.fullmatch(
        r"task=ifstruct_yaml_sample:1\.0\|scores=official\|reasoning=removed by the scorer\|data=file:[0-9a-f]{12}"
        r"\|n=5/36\|max_gen_toks=1024\|sobench=[\d.]+",
        signature,
    )


def test_a_baselines_log_is_read_like_a_models(tmp_path, capsys):
    from sobench_metrics.cli.main import main
    from sobench_metrics.results.reading import open_runs, samples

    words = ["--tasks", "sobench_ui_sample", "--limit", "3", "--output_path", str(tmp_path / "out")]
    assert main(["baseline", "placeholder", *words]) == 0
    run = open_runs(tmp_path / "out")["sobench_ui_sample"]
    assert run.model == "baseline/placeholder"
    assert [sample.means["schema_validity"] for sample in samples(run)] == [1.0] * 3
    assert "baseline=placeholder" in capsys.readouterr().out
