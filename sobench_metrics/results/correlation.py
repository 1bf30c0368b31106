"""Do benchmarks order models alike? Correlations between the figures of many models, as in the paper's Table 2."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, Final, Literal

from sobench_metrics.errors import UsageError
from sobench_metrics.results.baselines import baseline_of
from sobench_metrics.results.task_names import group_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from sobench_metrics.results.aggregates import Aggregate
    from sobench_metrics.statistics import Interval

__all__ = ["FEW", "Correlation", "Method", "Scores", "correlate", "pearson", "ranks", "scores_of"]

Method = Literal["pearson", "spearman"]

FEW: Final = 10
"""With fewer models than this an r says little; the interval shows how little."""

_LEAST: Final = 3
_NAMED: Final = 6
_LEVEL: Final = 0.95


@dataclass(frozen=True, slots=True)
class Scores:
    """The figures by benchmark and model; `benchmarks` and `models` in the order in which they were first met.

    `notes` are sentences on what a reader may not expect in them.
    """

    models: tuple[str, ...]
    benchmarks: tuple[str, ...]
    values: Mapping[tuple[str, str], float]
    """By (benchmark, model); a model need not have every benchmark."""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Correlation:
    """Of two benchmarks over the `models` that have both.

    `r` is None with fewer than three models or where one side does not vary; `interval` is Fisher's, None below four.
    """

    a: str
    b: str
    models: tuple[str, ...]
    r: float | None
    interval: Interval | None


def scores_of(found: Iterable[Aggregate], chosen: Sequence[str] = ()) -> Scores:
    """Return the table of all figures: each task's main one, or those named `TASK` or `TASK/FIGURE` in `chosen`.

    A later figure of the same model and benchmark takes the place of an earlier one, which the notes tell. Raises
    UsageError for a name that no run has, and when there are fewer than two benchmarks or three models.
    """
    entries = list(found)
    known = {f"{one.task}/{one.figure}": one.task for one in entries} | {one.name: one.task for one in entries}
    unknown = [name for name in chosen if name not in known]
    if unknown:
        raise UsageError(f"no run has {unknown[0]}: choose from {', '.join(sorted(known))}.")
    values: dict[tuple[str, str], float] = {}
    models: dict[str, None] = {}
    replaced: dict[str, None] = {}
    benchmarks: dict[str, None] = dict.fromkeys(chosen)
    for one in entries:
        names = {one.name, f"{one.task}/{one.figure}"}
        for name in (names & set(chosen)) if chosen else ({one.name} if one.main else ()):
            models[one.model] = benchmarks[name] = None
            if values.get((name, one.model), one.value) != one.value:
                replaced[f"{name} of {one.model}"] = None
            values[name, one.model] = one.value
    if len(benchmarks) < 2 or len(models) < _LEAST:
        raise UsageError(
            f"these runs hold {len(benchmarks)} benchmarks of {len(models)} models: a correlation needs two benchmarks "
            f"and {_LEAST} models."
        )
    return Scores(tuple(models), tuple(benchmarks), values, tuple(_notes(replaced, models, benchmarks)))


def _notes(replaced: Collection[str], models: Collection[str], benchmarks: Collection[str]) -> Iterator[str]:
    if replaced:
        yield f"Several runs score the same; the newest counts for {_first_of(replaced)}."
    known = [model for model in models if baseline_of(model)]
    if known:
        yield f"No models but baselines, whose extreme scores alone make a correlation: {_first_of(known)}."
    parts = [name for name in benchmarks if group_of(name) in benchmarks and group_of(name) != name]
    if parts:
        yield f"Parts of a group that stands here, too, with which they must correlate: {_first_of(parts)}."


def _first_of(names: Collection[str]) -> str:
    listed = list(names)
    more = f" and {len(listed) - _NAMED} more" if len(listed) > _NAMED else ""
    return ", ".join(listed[:_NAMED]) + more


def correlate(scores: Scores, method: Method = "pearson") -> list[Correlation]:
    """Return the correlation of each pair of benchmarks, in their order."""
    pairs = [(a, b) for place, a in enumerate(scores.benchmarks) for b in scores.benchmarks[place + 1 :]]
    return [_correlation(scores, a, b, method) for a, b in pairs]


def _correlation(scores: Scores, a: str, b: str, method: Method) -> Correlation:
    both = tuple(model for model in scores.models if (a, model) in scores.values and (b, model) in scores.values)
    left, right = ([scores.values[name, model] for model in both] for name in (a, b))
    if method == "spearman":
        left, right = ranks(left), ranks(right)
    r = pearson(left, right) if len(both) >= _LEAST else None
    return Correlation(a, b, both, r, None if r is None else _fisher(r, len(both), method))


def pearson(a: Sequence[float], b: Sequence[float]) -> float | None:
    """Return the correlation of two columns of equal length; None where one does not vary."""
    mean_a, mean_b = (math.fsum(column) / len(column) for column in (a, b))
    off_a, off_b = [value - mean_a for value in a], [value - mean_b for value in b]
    spread = math.sqrt(math.fsum(x * x for x in off_a)) * math.sqrt(math.fsum(y * y for y in off_b))
    if spread <= 0 or len(set(a)) < 2 or len(set(b)) < 2:
        return None
    return max(-1.0, min(1.0, math.fsum(x * y for x, y in zip(off_a, off_b, strict=True)) / spread))


def ranks(values: Sequence[float]) -> list[float]:
    """Return each value's rank from 1, equal values sharing the mean of theirs."""
    ordered = sorted(values)
    first = {value: place for place, value in reversed(list(enumerate(ordered, 1)))}
    last = {value: place for place, value in enumerate(ordered, 1)}
    return [(first[value] + last[value]) / 2 for value in values]


def _fisher(r: float, size: int, method: Method) -> Interval | None:
    """Return Fisher's interval, by the inverse hyperbolic tangent; for ranks with Bonett and Wright's (2000) error."""
    if size <= _LEAST or abs(r) >= 1:
        return None
    spread = 1 + r * r / 2 if method == "spearman" else 1
    half = NormalDist().inv_cdf((1 + _LEVEL) / 2) * math.sqrt(spread / (size - 3))
    return math.tanh(math.atanh(r) - half), math.tanh(math.atanh(r) + half)
