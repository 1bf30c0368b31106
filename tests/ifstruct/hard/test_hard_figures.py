"""Figures of the hard set: official and strict beside each other, by level and format."""

import pytest

from sobench_metrics.ifstruct.hard import LEVELS, hard_row
from sobench_metrics.ifstruct.hard.figures import HARD_SLICES, METRICS, hard_figures
from tests.ifstruct.hard.faults import faulty_answers

ROW = hard_row(4, 2, 5)


def test_a_right_answer_passes_both():
    found = hard_figures(ROW, ROW["oracle_answer"])
    assert found.values == {"pass": 1.0, "pass_strict": 1.0}
    assert found.diagnostics["strict_findings"] == []


def test_a_strict_fault_costs_the_strict_figure_alone_and_says_where():
    (answer, *_) = faulty_answers(ROW, "strict.content.key_order")
    found = hard_figures(ROW, answer)
    assert found.values == {"pass": 1.0, "pass_strict": 0.0}
    assert found.diagnostics["strict"] == ["strict.content.key_order"]
    assert found.diagnostics["strict_findings"][0]["path"].count("/") >= 2


@pytest.mark.parametrize("text", [None, "", "{}", "[" * 5000, "<think>", ROW["prompt"]])
def test_no_answer_and_nonsense_pass_neither(text):
    assert set(hard_figures(ROW, text, failure="" if text else "HTTP 500").values.values()) == {0.0}


def test_every_sample_is_in_one_level_and_one_format():
    for level in LEVELS:
        found = hard_figures(hard_row(level.number, 0, 5), "")
        assert sum(found.inside[name] for name in HARD_SLICES) == 2
        assert found.inside[f"level_{level.number}"]


def test_the_table_names_every_metric_in_every_slice():
    table = hard_figures(ROW, "").table()
    assert set(table) == {*METRICS, *(f"{metric}_{name}" for metric in METRICS for name in HARD_SLICES)}
    assert (table["pass_strict_level_4"], table["pass_strict_level_5"]) == (0.0, None)
