"""The scores as an inspect scorer: numerators and denominators in a sample's score, exact figures over all samples.

A score's value is flat, as inspect wants it: `field_match` holds the numerator and `field_match_of` the denominator.
Inspect averages values over the epochs of a sample first; the ratio of such averages is the ratio over all epochs, and
its standard error counts a sample once, however often it was asked.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from inspect_ai.scorer import SampleScore, Score, metric, scorer  # inspect reads the annotations of metrics

from lighteval_tasks import figures
from lighteval_tasks.inspect_tasks.samples import located
from lighteval_tasks.inspect_tasks.solver import failure_of
from sobench_metrics.sobench.figures import RATIOS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from inspect_ai.scorer import Metric, Scorer, Target
    from inspect_ai.solver import TaskState

__all__ = ["corpus_figures", "tables_of", "task_scorer", "value_of"]

_OF = "_of"


@metric(name="sobench")
def corpus_figures() -> Metric:
    """Return the metric that computes every figure and its standard error under the names that lm-eval gives them."""

    def compute(scores: list[SampleScore]) -> dict[str, float]:
        numbers = figures.totals(tables_of(score.score.value for score in scores))
        return {name: float(number) for name, number in numbers.items() if not math.isnan(number)}

    return compute


@scorer(metrics=[corpus_figures()], name="sobench")
def task_scorer(ratios: bool = True) -> Scorer:
    """Return the scorer of our tasks; without `ratios` it leaves out what no reducer but the mean can reduce."""

    async def score(state: TaskState, target: Target) -> Score:  # noqa: ARG001 - the row knows its labels
        found, row = located(state.metadata)
        failure = failure_of(state.output)
        answer = None if failure else state.output.completion
        if found.task.benchmark == "sobench":
            table = figures.sobench_table(row, answer, failure=failure)
        else:
            table = figures.text_table(found.task.benchmark, row, answer, failure=failure)
        return Score(value=value_of(table, ratios=ratios), explanation=table["diagnostics"])

    return score


def value_of(table: Mapping[str, Any], *, ratios: bool = True) -> dict[str, float]:
    """Return the figures of a sample as one flat mapping; slices that it is not in are left out."""
    value: dict[str, float] = {}
    for name, (above, below) in table["figures"].items():
        if name in RATIOS:
            value |= {name: above, f"{name}{_OF}": below} if ratios else {}
        elif below:
            value[name] = above
    return value


def tables_of(values: Iterable[Any]) -> list[dict[str, Any]]:
    """Return the tables that `figures.totals` sums up; the inverse of `value_of`."""
    return [
        {
            "figures": {
                name: (float(number), float(value.get(f"{name}{_OF}", 1.0)))
                for name, number in value.items()
                if not name.endswith(_OF)
            }
        }
        for value in values
    ]
