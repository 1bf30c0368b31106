"""What a file of answers says of its rules is what the tasks say, so that the two can be compared."""

import json

import pytest

from sobench_metrics.results.reading import open_runs
from sobench_metrics.results.records import RowSource
from tests.results.prediction_files import ifstruct_row, sobench_line, write


@pytest.mark.parametrize(
    ("task", "scores"),
    [
        ("ifstruct_sample", "official"),
        ("ifstruct_hard_sample", "official+strict"),
        ("sobench_ui_sample", "official+strict"),
    ],
)
def test_rows_of_a_task_have_its_scores(tmp_path, task, scores):
    file = write(tmp_path / "a.jsonl", [{"id": 0, "response": "[]"}])
    (run,) = open_runs(file, RowSource(task=task)).values()
    assert run.signature["scores"] == scores


def test_rows_in_the_lines_have_them_too(tmp_path):
    for line, scores in (
        ({**ifstruct_row(0), "response": "[]"}, "official"),
        ({**ifstruct_row(0), "level": 3, "content_rules": json.dumps([]), "response": "[]"}, "official+strict"),
        (sobench_line("a", "{}"), "official+strict"),
    ):
        (run,) = open_runs(write(tmp_path / "a.jsonl", [line])).values()
        assert run.signature["scores"] == scores
