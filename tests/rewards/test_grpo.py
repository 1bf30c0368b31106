"""The example of a training: its rows and its curve; the training itself, of many minutes, where SOBENCH_GRPO=1 asks."""

import csv
import os

import pytest

from benchmarks.grpo.curve import Curve, Point, rise, write
from benchmarks.grpo.rows import made_up_rows, short_rows
from sobench_metrics.data.oracle import ifstruct_answer
from sobench_metrics.rewards import ifstruct_reward
from tests.rewards.rows import columns


@pytest.fixture(scope="module")
def splits():
    return {split: short_rows(split, 12, 0) for split in ("train", "eval")}


def test_measured_rows_share_no_entity_type_with_lessons_and_steps(splits):
    types = {split: {row["entity_type"] for row in rows} for split, rows in splits.items()}
    lessons = made_up_rows(6, 0)
    assert {name.partition("__")[0] for name in types["eval"]} == {"eval"}
    assert {row["entity_type"].partition("__")[0] for row in [*splits["train"], *lessons]} == {"train"}
    assert short_rows("eval", 12, 0) == splits["eval"]


def test_rows_can_be_passed_by_a_short_answer(splits):
    rows = [*splits["train"], *splits["eval"], *made_up_rows(6, 0)]
    answers = [ifstruct_answer(row) for row in rows]
    assert set(ifstruct_reward(None, answers, **columns(rows))) == {1.0}
    assert max(map(len, answers)) < 400


CURVE = Curve(
    types=("a", "a", "b", "b", "c", "c"),
    points=(Point(0, (0.0,) * 6, (0.2,) * 6), Point(2, (1.0, 1.0, 0.0, 1.0, 1.0, 0.0), (1.0, 1.0, 0.4, 1.0, 1.0, 0.4))),
    training=((1, 0.25, 0.5), (2, 0.5, 0.75)),
)


def test_the_table_tells_each_step_with_intervals(tmp_path):
    write(CURVE, tmp_path / "curve.csv")
    lines = list(csv.DictReader((tmp_path / "curve.csv").read_text(encoding="utf-8").splitlines()))
    assert [line["step"] for line in lines] == ["0", "1", "2"]
    assert [line["held_out_pass"] for line in lines] == ["0.0000", "", "0.6667"]
    assert [line["trained_shaped"] for line in lines] == ["", "0.5000", "0.7500"]
    assert float(lines[2]["held_out_pass_low"]) < 0.6667 < float(lines[2]["held_out_pass_high"])


def test_the_rise_is_the_last_point_minus_the_first_never_the_best():
    fallen = Curve(CURVE.types, (*CURVE.points, Point(4, CURVE.points[0].passed, CURVE.points[0].shaped)), ())
    assert rise(CURVE)["passed"][0] == pytest.approx(4 / 6)
    assert rise(fallen)["passed"] == (0.0, (0.0, 0.0))


@pytest.mark.skipif(not os.environ.get("SOBENCH_GRPO"), reason="a training of many minutes: set SOBENCH_GRPO=1")
@pytest.mark.timeout(7200)
def test_the_reward_rises_on_rows_of_types_that_were_never_trained_on(tmp_path):
    pytest.importorskip("trl")
    from benchmarks.grpo.curve import draw
    from benchmarks.grpo.training import Settings, train

    curve = train(Settings(out=tmp_path))
    _, (low, _) = rise(curve)["shaped"]
    assert low > 0
    draw(curve, tmp_path / "curve.png")
    assert (tmp_path / "curve.png").stat().st_size > 0
    assert (tmp_path / "model" / "model.safetensors").is_file()
