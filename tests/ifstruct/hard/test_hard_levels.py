"""The levels spread: a writer who slips now and then does worse at each, and who knows the official rules only, too."""

from benchmarks.hard_levels import DIALS, official_only, simulated, slipped_answer, tally, turned
from sobench_metrics.ifstruct.generate.chance import random_for
from sobench_metrics.ifstruct.hard import DEFAULT_SEED, hard_set
from sobench_metrics.ifstruct.hard.figures import hard_figures

ROWS = hard_set(DEFAULT_SEED, 12).rows


def test_a_writer_who_slips_falls_from_level_to_level():
    found = simulated(ROWS, 20)
    for metric in ("pass", "pass_strict"):
        values = [level.percent(metric) for level in found.values()]
        assert values == sorted(values, reverse=True)
        assert values[0] > 80
        assert values[-1] < 20


def test_the_benchmark_has_the_figures_of_the_task():
    answers = [(row, slipped_answer(row, 40, random_for(row["doc_id"]))) for row in ROWS[::7]]
    figures = [hard_figures(row, answer).values for row, answer in answers]
    counted = tally(answers)
    for metric in ("pass", "pass_strict"):
        assert counted.sums[metric] == sum(values[metric] for values in figures)


def test_a_writer_who_never_slips_is_right():
    answers = [slipped_answer(row, 0, random_for(0)) for row in ROWS[::6]]
    assert answers == [row["oracle_answer"] for row in ROWS[::6]]


def test_one_dial_alone_makes_it_harder():
    (depth,) = (dial for dial in DIALS if dial.startswith("depth"))
    values = [step.percent("pass_strict") for step in turned(depth, 20, 1, 40).values()]
    assert values[0] > values[2] > values[4]


def test_the_official_rules_alone_pass_officially_and_soon_fail_strictly():
    found = official_only(ROWS[::2])
    assert [level.percent("pass") for level in found.values()] == [100] * 5
    assert [level.percent("pass_strict") for level in found.values()][1:] == [0] * 4
