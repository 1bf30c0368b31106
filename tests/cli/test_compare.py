"""`sobench compare` as a user types it."""

import json

import pytest

from sobench_metrics.cli.compare import COMPARE
from tests.cli.conftest import assert_told
from tests.engines.golden_logs import IFSTRUCT, LIMIT, SOBENCH, Edit, sample_file

VARIANT = "sobench_ui_constrained_sample"


@pytest.fixture
def sobench(typed):
    return typed("compare", COMPARE)


def test_two_runs_give_a_table_a_task_and_one_of_all_pictures(sobench, golden):
    status, out, err = sobench(golden["placeholder"], golden["oracle"])
    assert (status, err) == (0, "")
    head = out.splitlines()
    assert head[0].startswith("A  known/placeholder (a baseline, no model), lm-eval 0.4.13: ")
    titles = [line for line in head if " compared (" in line]
    assert [title.partition(":")[0] for title in titles] == [
        IFSTRUCT,
        "sobench_chart_sample",
        SOBENCH,
        "sobench_sample",
    ]
    assert f"{IFSTRUCT}: 6 samples of 36 compared (both ran 6)" in head
    (line,) = [line.split() for line in head if line.startswith("  pass ")]
    assert line[-4:] == ["6", "0", "0", "0.031"]
    assert max(map(len, head[3:])) <= 100


def test_a_seed_repeats_every_digit(sobench, golden):
    words = golden["placeholder"], golden["oracle"], "--json", "-", "--resamples", "60", "--tasks", SOBENCH
    first, again, other = sobench(*words), sobench(*words), sobench(*words, "--seed", "1")
    assert first == again
    assert json.loads(first[1])["seed"] == 0
    intervals = [[row["interval"] for row in json.loads(done[1])["tasks"][0]["figures"]] for done in (first, other)]
    assert intervals[0] != intervals[1]


def test_json_is_written_beside_the_table(sobench, golden, tmp_path):
    status, out, _ = sobench(golden["placeholder"], golden["oracle"], "--tasks", SOBENCH, "--json", tmp_path / "c.json")
    assert status == 0
    assert "field_match" in out
    (task,) = json.loads((tmp_path / "c.json").read_text(encoding="utf-8"))["tasks"]
    assert task["task"] == SOBENCH
    assert {"schema_validity", "field_match", "field_match_exact"} <= {row["figure"] for row in task["figures"]}


def test_a_constrained_run_against_a_free_one(sobench, golden, tmp_path):
    states = ["constrained", "free", "constrained", "skipped", "constrained", "constrained"]
    copy = Edit(golden["oracle"], tmp_path / "bound").generation(SOBENCH, states).rename(SOBENCH, VARIANT)
    status, out, _ = sobench(golden["placeholder"], copy.folder, "--tasks", SOBENCH, "--list")
    assert status == 0
    assert f"{SOBENCH}: 4 samples of 14 compared (both ran 6; 1 free in B; 1 skipped in B)" in out
    assert out.count("left out: ") == 2
    _, everything, _ = sobench(golden["placeholder"], copy.folder, "--tasks", SOBENCH, "--common", "all")
    assert f"{SOBENCH}: {LIMIT} samples of 14 compared (both ran 6)" in everything


def test_mistakes_are_one_sentence(sobench, golden, tmp_path):
    good = golden["oracle"]
    assert_told(sobench(good, tmp_path / "gone"), "--output_path")
    assert_told(sobench(*[good] * 27), "27 runs are named: compare at most 26")
    assert_told(sobench(good), "no constrained variant")
    assert_told(sobench(good, golden["placeholder"], "--resamples", "0"), "--resamples 0")
    assert_told(sobench(good, golden["placeholder"], "--tasks", "mmlu"), "no task mmlu")
    assert_told(sobench(good, golden["placeholder"], "--common", "constrained"), "neither run is constrained")
    assert_told(sobench(good, golden["placeholder"], "--json", tmp_path / "no/c.json"), "cannot write")
    copy = Edit(good, tmp_path / "cut").folder
    sample_file(copy, SOBENCH).write_bytes(sample_file(copy, SOBENCH).read_bytes()[:-9])
    assert_told(sobench(good, copy), f"line {LIMIT} is not whole")


def test_importing_the_command_loads_no_heavy_library():
    import subprocess
    import sys

    code = "import sys, sobench_metrics.cli.compare; print('numpy' in sys.modules, 'lm_eval' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]


def test_several_runs_are_each_compared_with_the_first(sobench, golden):
    status, out, err = sobench(golden["placeholder"], golden["oracle"], golden["empty"], "--tasks", IFSTRUCT)
    assert (status, err) == (0, "")
    head, *_ = out.split("\n\n")
    assert head.splitlines()[0] == IFSTRUCT
    (line,) = [line for line in head.splitlines() if line.startswith("  pass ")]
    assert line.split() == ["pass", "0.00", "100.00+", "0.00"]
    assert head.splitlines()[1].split() == ["figure", "A", "B", "C"]
    titles = [line for line in out.splitlines() if " compared (" in line]
    assert len(titles) == 2
    assert "C - A" in out
    assert "C  known/empty" in out
    status, out, _ = sobench(golden["placeholder"], golden["oracle"], golden["empty"], "--json", "-")
    assert [one["tasks"][0]["sides"] for one in json.loads(out)] == [["A", "B"], ["A", "C"]]


def test_what_changed_its_verdict_is_named_on_request(sobench, golden):
    status, out, _ = sobench(golden["placeholder"], golden["oracle"], "--tasks", IFSTRUCT, "--list")
    assert status == 0
    flat = " ".join(out.split())
    assert "pass better in B (6): " in flat
    _, plain, _ = sobench(golden["placeholder"], golden["oracle"], "--tasks", IFSTRUCT)
    assert "better in" not in plain
