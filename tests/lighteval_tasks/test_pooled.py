"""lighteval's arithmetic on our floats against the plain sums over all samples."""

import copy
import json
import math
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lighteval_tasks import pooled
from sobench_metrics.moments import Moments

PAIRS = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=8)


def mean(values):
    """As lighteval averages subtasks, and all tasks."""
    assert sum(values) / len(values) == pytest.approx(running(values), nan_ok=True)
    return sum(values) / len(values)


def running(values):
    total = {}
    for value in values:
        total["x"] = total.get("x", 0) + value
    return total["x"] / len(values)


@given(st.lists(PAIRS, min_size=1, max_size=5))
def test_averages_are_those_of_one_big_task(tasks):
    everything = [pair for task in tasks for pair in task]
    values = [pooled.figure(Moments.of(task)) for task in tasks]
    errors = [pooled.stderr(Moments.of(task)) for task in tasks]
    assert mean(values) == sum(a for a, _ in everything) / max(1, sum(b for _, b in everything))
    assert mean(errors) == pytest.approx(Moments.of(everything).error, nan_ok=True)


def test_beside_another_benchmarks_plain_number_it_is_the_plain_mean():
    ours = pooled.figure(Moments.of([(1, 4), (3, 4)]))
    assert mean([ours, 0.25]) == mean([0.25, ours]) == 0.375
    assert mean([ours, 1, ours]) == pytest.approx((0.5 + 1 + 0.5) / 3)
    assert (
        mean([ours, pooled.stderr(Moments.of([(1, 4), (3, 4)]))])
        == (float(ours) + Moments.of([(1, 4), (3, 4)]).error) / 2
    )


def test_a_number_survives_what_a_results_file_does_to_it():
    value = pooled.figure(Moments.of([(1, 4), (2, 4)]))
    for other in (copy.deepcopy(value), pickle.loads(pickle.dumps(value))):
        assert other == value == 0.375
        assert other.moments == value.moments
    assert json.dumps({"x": value}, indent=2) == '{\n  "x": 0.375\n}'
    assert f"{value:.4f}" == "0.3750"


def test_an_error_of_one_sample_is_not_a_number():
    assert math.isnan(pooled.stderr(Moments.of([(1, 2)])))
    assert math.isnan(pooled.stderr(Moments.of([(0, 0), (0, 0)])))
