"""Micro averages survive lm-eval's own group arithmetic; errors are those of the ratio estimator."""

import json
import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from lm_eval.api.metrics import aggregate_subtask_metrics, pooled_sample_stderr

from lm_eval_tasks.pooling import UNDEFINED, ratio, ratio_stderr, skip_none_mean, skip_none_stderr

PAIRS = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=12)


def plain_ratio(pairs):
    return sum(a for a, _ in pairs) / max(1, sum(b for _, b in pairs))


def plain_error(pairs):
    n, total = len(pairs), sum(b for _, b in pairs)
    if n < 2 or total == 0:
        return math.nan
    r = sum(a for a, _ in pairs) / total
    residuals = [a - r * b for a, b in pairs]
    return math.sqrt(n / (n - 1) * sum(e * e for e in residuals)) / total


@given(st.lists(PAIRS, min_size=1, max_size=5))
def test_a_group_of_ratios_is_the_ratio_over_all_samples(tasks):
    everything = [pair for task in tasks for pair in task]
    pooled = aggregate_subtask_metrics([ratio(task) for task in tasks], [len(task) for task in tasks])
    assert float(pooled) == plain_ratio(everything)


@given(st.lists(PAIRS, min_size=2, max_size=5))
def test_a_group_of_errors_is_the_error_over_all_samples(tasks):
    everything = [pair for task in tasks for pair in task]
    errors = [ratio_stderr(task) for task in tasks]
    assume(UNDEFINED not in errors)  # lm-eval then prints N/A for the group
    pooled = pooled_sample_stderr(errors, [len(task) for task in tasks])
    assert float(pooled) == pytest.approx(plain_error(everything))


def test_a_mean_of_means_would_be_another_number():
    tasks = [[(1, 1)], [(0, 9), (0, 9)]]
    pooled = aggregate_subtask_metrics([ratio(task) for task in tasks], [1, 2])
    assert float(pooled) == 1 / 19
    assert float(pooled) != (1.0 * 1 + 0.0 * 2) / 3


def test_with_all_denominators_one_the_error_is_that_of_a_mean():
    values = [0, 1, 1, 0, 1]
    expected = np.std(values, ddof=1) / math.sqrt(len(values))
    assert float(ratio_stderr([(v, 1) for v in values])) == pytest.approx(expected)


def test_ratios_are_plain_numbers_for_tables_and_json():
    assert f"{ratio([(1, 4)]):.4f}" == "0.2500"
    assert json.loads(json.dumps({"value": ratio([(1, 4)]), "error": ratio_stderr([(1, 4), (2, 4)])}))["value"] == 0.25


def test_empty_denominators_give_zero_as_the_references_do():
    assert float(ratio([(0, 0), (0, 0)])) == 0.0


def test_a_slice_counts_only_its_own_samples():
    assert float(skip_none_mean([1.0, None, 0.0, None])) == 0.5
    assert float(skip_none_stderr([1.0, None, 0.0])) == pytest.approx(0.5)


@pytest.mark.parametrize("figure", [skip_none_mean([None]), skip_none_stderr([1.0, None]), ratio_stderr([(1, 2)])])
def test_an_undefined_figure_is_lm_evals_own_word_and_no_nan(figure):
    assert figure == "N/A"
