"""The levels spread: a writer who slips now and then does worse at each, and who knows the official rules only, too."""

from benchmarks.hard_levels import DIALS, official_only, simulated, slipped_answer, turned
from sobench_metrics.ifstruct.generate.chance import random_for
from sobench_metrics.ifstruct.hard import DEFAULT_SEED, hard_set

ROWS = hard_set(DEFAULT_SEED, 12).rows


def test_a_writer_who_slips_falls_from_level_to_level():
    found = simulated(ROWS, 20)
    for metric in ("pass", "pass_strict"):
        values = [tally.percent(metric) for tally in found.values()]
        assert values == sorted(values, reverse=True)
        assert values[0] > 80
        assert values[-1] < 20


def test_a_writer_who_never_slips_is_right():
    answers = [slipped_answer(row, 0, random_for(0)) for row in ROWS[::6]]
    assert answers == [row["oracle_answer"] for row in ROWS[::6]]


def test_one_dial_alone_makes_it_harder():
    (depth,) = (dial for dial in DIALS if dial.startswith("depth"))
    values = [tally.percent("pass_strict") for tally in turned(depth, 20, 1, 40).values()]
    assert values[0] > values[2] > values[4]


def test_the_official_rules_alone_pass_officially_and_soon_fail_strictly():
    found = official_only(ROWS[::2])
    assert [tally.percent("pass") for tally in found.values()] == [100] * 5
    assert [tally.percent("pass_strict") for tally in found.values()][1:] == [0] * 4
