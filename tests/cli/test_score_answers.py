"""`sobench score` on files of answers: what is missing, what is told, what is written."""

import json
import os
import threading
from pathlib import Path

import pytest

from sobench_metrics.cli.score import SCORE
from tests.cli.conftest import assert_told
from tests.engines.golden_logs import CHART, LIMIT, SOBENCH, Edit, sample_file
from tests.results.prediction_files import GOOD, SHORT, ifstruct_row, mixed_rollouts, sobench_line, write


@pytest.fixture
def sobench(typed):
    return typed("score", SCORE)


def test_a_sample_file_whose_run_is_not_beside_it_is_scored_alone(sobench, golden, tmp_path):
    copy = tmp_path / "mine.jsonl"
    copy.write_bytes(sample_file(golden["oracle"], SOBENCH).read_bytes())
    status, out, _ = sobench(copy)
    assert status == 0
    assert out.startswith(f"mine: {LIMIT} samples")
    assert "equal (6 samples, 0 totals)" in out


def test_a_line_that_was_lost_changes_the_totals(sobench, golden, tmp_path):
    copy = Edit(golden["placeholder"], tmp_path / "copy").lines(SOBENCH, lambda number, _: number != 1)
    status, out, _ = sobench(copy.folder, "--task", SOBENCH)
    assert status == 1
    assert f"{SOBENCH}: {LIMIT - 1} of " in out
    assert "DIFFER in 0 samples" in out
    assert "in the totals " in out


def test_a_line_that_was_lost_is_told_though_the_figures_stay(sobench, golden, tmp_path):
    """All answers of an oracle are right, and so are those that are left: the denominator is what changed."""
    copy = Edit(golden["oracle"], tmp_path / "copy").lines(SOBENCH, lambda number, _: number != 1)
    status, out, _ = sobench(copy.folder, "--task", SOBENCH)
    assert status == 1
    assert f"the log holds {LIMIT - 1} of the {LIMIT} samples that its run says it asked" in out
    status, out, _ = sobench(sample_file(copy.folder, SOBENCH))
    assert status == 1
    assert "the log holds" in out


def test_answers_come_from_another_command(sobench, tmp_path, monkeypatch):
    """By `-`, or by a pipe as `<(zcat answers.jsonl.gz)` makes one; neither can be read twice."""
    file = write(tmp_path / "a.jsonl", mixed_rollouts(600))
    status, expected, _ = sobench(file, "--workers", 1)
    assert status == 0
    for place in ("-", tmp_path / "pipe"):
        if place != "-":
            os.mkfifo(place)
            feeder = threading.Thread(target=lambda: Path(tmp_path / "pipe").write_bytes(file.read_bytes()))
            feeder.start()
        with file.open() as stream:
            monkeypatch.setattr("sys.stdin", stream)
            assert sobench(place, "--workers", 2) == (0, expected, "")
    monkeypatch.setattr("sys.stdin", None)
    assert_told(sobench("-"), "`-` is what another command hands over")


def test_lines_and_table_are_written_whole(sobench, tmp_path):
    file = write(tmp_path / "a.jsonl", [sobench_line("a", '{"n": 3, "t": "red"}'), sobench_line("b", "no")])
    status, out, _ = sobench(file, "--out", tmp_path / "out.jsonl", "--json", tmp_path / "table.json")
    assert status == 0
    first, second = map(json.loads, (tmp_path / "out.jsonl").read_text().splitlines())
    assert (first["task"], first["doc_id"], first["line"], first["passed"]) == ("sobench", "a", 1, True)
    assert first["figures"]["field_match"] == [3, 3]
    assert second["diagnostics"]["codes"]
    (content,) = json.loads((tmp_path / "table.json").read_text())
    assert content["reference"]["num_invalid_generation"] == 1
    assert content["figures"]["full_match"] == {
        "value": 1.0, "stderr": 0.0, "numerator": 1, "denominator": 1, "told": None, "told_stderr": None,
    }  # fmt: skip
    assert sobench(file, "--json", "-")[1] == json.dumps([content], indent=2) + "\n"
    assert out.startswith("sobench: 2 samples")
    bad = write(tmp_path / "b.jsonl", [sobench_line("a", ""), {"id": 3}])
    assert_told(sobench(bad, "--out", tmp_path / "out.jsonl"), "b.jsonl, line 2 holds no row")
    assert len((tmp_path / "out.jsonl").read_text().splitlines()) == 2  # of the run before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.jsonl", "b.jsonl", "out.jsonl", "table.json"]


def test_missing_answers_and_rows_that_cannot_be_scored_are_told(sobench, tmp_path):
    rows = write(tmp_path / "rows.jsonl", [ifstruct_row(number) for number in range(3)])
    file = write(tmp_path / "a.jsonl", [{"id": 0, "response": GOOD}, {"id": 1, "response": SHORT}])
    status, out, _ = sobench(file, "--rows", rows)
    assert status == 0
    assert "1 sample missing: counted as failed" in out
    assert "pass                     0.333333" in out
    lines = [{**sobench_line("a", "{}"), "target_content": "{"}, sobench_line("b", "{}")]
    del lines[1]["evaluation_labels"]
    _, out, _ = sobench(write(tmp_path / "a.jsonl", lines))
    assert "1 sample that cannot be scored, through their own data" in out
    assert "1 sample without labels" in out


def test_reasoning_is_cut_as_in_the_tasks_or_kept_as_in_the_reference(sobench, tmp_path):
    file = write(tmp_path / "a.jsonl", [sobench_line("a", '<think>hm</think>{"n": 3, "t": "red"}')])
    for words, invalid in (((), 0), (("--reasoning", "keep"), 1), (("--reasoning", "remove"), 0)):
        _, out, _ = sobench(file, *words)
        assert f"num_invalid_generation {invalid}" in out
        assert f"reasoning={'kept' if invalid else 'removed'}" in out


def test_repeats_of_a_row_are_counted_when_the_user_says_so(sobench, tmp_path):
    file = write(tmp_path / "a.jsonl", [sobench_line("a", "{}"), sobench_line("a", "{}")])
    assert_told(sobench(file), "sample a is there twice, first in line 1")
    status, out, _ = sobench(file, "--repeats")
    assert (status, out.splitlines()[0]) == (0, "sobench: 2 samples")


def test_progress_is_shown_as_lines_where_there_is_no_terminal(sobench, tmp_path, monkeypatch):
    monkeypatch.setattr("sobench_metrics.cli.score._A_LINE", 300)
    _, _, err = sobench(write(tmp_path / "a.jsonl", mixed_rollouts(700)), "--workers", 1)
    assert err.splitlines() == ["ifstruct: 512 samples scored", "ifstruct: 700 samples scored"]
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    _, _, err = sobench(tmp_path / "a.jsonl", "--workers", 1)
    assert "ifstruct: 256 samples scored" in err


def test_mistakes_are_one_sentence(sobench, golden, tmp_path):
    file = write(tmp_path / "a.jsonl", [sobench_line("a", "{}")])
    run = golden["oracle"]
    for words, told in [
        ((tmp_path / "gone",), "there is no"),
        ((file, "--workers", 0), "--workers 0 is no use"),
        ((file, file, "--out", tmp_path / "o"), "--out takes the samples of one run"),
        ((file, "--out", tmp_path / "no" / "o"), "its folder is not there"),
        ((file, "--out", "-"), "--out needs a file"),
        ((run, "--task", "sobench_natural_sample"), "it holds"),
        ((run, "--rows", file), "leave --rows out"),
        ((run, "--reasoning", "keep"), "leave --reasoning out"),
        ((tmp_path,), "holds no results"),
    ]:
        assert_told(sobench(*words), told)


def test_a_task_that_is_not_ours_is_told_and_left_aside(sobench, golden, tmp_path):
    def other_row(_number, line):
        line["doc"] = {"sentence": "The cat sat on the mat."}

    copy = Edit(golden["oracle"], tmp_path / "copy").lines(CHART, other_row).rename(CHART, "winogrande")
    status, out, err = sobench(copy.folder, "--workers", 1)
    assert (status, err) == (0, "note: winogrande is no task of sobench: not scored\n")
    assert "winogrande" not in out
    status, out, err = sobench(copy.folder, "--task", "winogrande")
    assert (status, out) == (2, "")
    assert "holds no task of sobench" in err
