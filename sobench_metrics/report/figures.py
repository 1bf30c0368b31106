"""The headline figures of a view: for each column its values with intervals, official, strict and recoverable apart."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import chain
from statistics import NormalDist
from typing import TYPE_CHECKING, Final, Literal

from sobench_metrics.statistics import bootstrap_values, value, wilson

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sobench_metrics.report.model import Answer, Asked, View
    from sobench_metrics.statistics import Interval, Ratio

__all__ = ["RECOVERABLE", "Figure", "Measured", "approximate", "figures_of", "headline", "of_ratios", "sliced"]

Group = Literal["official", "strict", "tolerant", "other"]

RECOVERABLE: Final = "recoverable"
_RESAMPLES: Final = 1000
_LEVEL: Final = 0.95
_NO_WIDTH: Final = 1e-9
_STUDENT: Final = (  # two-sided 95 % by degrees of freedom, from 1
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
    2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
)  # fmt: skip
_IFSTRUCT: Final = (("pass", "official"), ("pass_strict", "strict"))
_OF_SOME: Final = ("pass_strict",)  # the hard set has it, other rows of IFStruct have no strict figure
_SOBENCH: Final = (
    ("schema_validity", "official"),
    ("field_match", "official"),
    ("full_match", "official"),
    ("invalid", "official"),
    ("strict_field_recall", "strict"),
    ("strict_field_f1", "strict"),
    ("strict_full_match", "strict"),
)


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of a view: its name, and by which rules it is counted."""

    name: str
    group: Group


@dataclass(frozen=True, slots=True)
class Measured:
    """A figure of one column: its value, the sums it is made of, the answers that have it, and its interval.

    The value is sum(tops) / max(1, sum(bottoms)), the references' guard, and no value at all where `answers` is 0.
    `share` says that it is a share (0 to 1). `interval` is None where there is nothing to draw from.
    """

    figure: Figure
    value: float
    top: float
    bottom: float
    answers: int
    share: bool
    interval: Interval | None


def figures_of(view: View, *, recoverable: bool) -> list[Figure]:
    """Return the figures to show of a view: the main ones of our benchmarks, all of another task."""
    known = {"ifstruct": _IFSTRUCT, "sobench": _SOBENCH}.get(view.kind)
    if known is None:
        names = dict.fromkeys(chain.from_iterable((*one.means, *one.ratios) for one in _all_answers(view)))
        return [Figure(name, "other") for name in names]
    had = {name for name in _OF_SOME if any(name in one.means for one in _all_answers(view))}
    named: list[Figure] = [
        Figure(name, group)  # type: ignore[arg-type]  # literals above
        for name, group in known
        if name not in _OF_SOME or name in had
    ]
    return [*named, Figure(RECOVERABLE, "tolerant")] if recoverable else named


def headline(view: View, letter: str, figures: Sequence[Figure]) -> list[Measured]:
    """Return the figures of one column with intervals: Wilson's for pass or fail, else a bootstrap by clusters.

    Answers to one picture, or of one kind of entity, are drawn together: they are not independent of each other.
    """
    answered = view.answers(letter)
    clusters = _clusters(answered)
    columns = [_column(answered, figure) for figure in figures]
    plain = [_wilson(column) for column in columns]
    drawn = iter(
        bootstrap_values(
            [column for column, known in zip(columns, plain, strict=True) if known is None],
            clusters=clusters,
            resamples=_RESAMPLES,
        )
    )
    size = len(set(clusters))
    found = []
    for figure, column, known in zip(figures, columns, plain, strict=True):
        interval = known
        if known is None and (ends := next(drawn)) is not None:
            interval = _opened(value(column), ends, size, column)
        found.append(_measured(figure, column, interval))
    return found


def sliced(answered: Sequence[tuple[Asked, Answer]], figure: Figure) -> Measured:
    """Return a figure over the answers of one slice, with the interval that needs one pass."""
    column = _column(answered, figure)
    return _measured(figure, column, approximate(column, _clusters(answered)))


def of_ratios(figure: Figure, column: Sequence[Ratio], clusters: Sequence[str]) -> Measured:
    """Return a figure over pairs of the caller's own, with the interval that needs one pass."""
    return _measured(figure, column, approximate(column, clusters))


def _measured(figure: Figure, column: Sequence[Ratio], interval: Interval | None) -> Measured:
    top, bottom = sum(one for one, _ in column), sum(below for _, below in column)
    inside = sum(below > 0 for _, below in column)
    share = all(0 <= one <= below for one, below in column)
    return Measured(figure, value(column), top, bottom, inside, share, interval if inside else None)


def _column(answered: Sequence[tuple[Asked, Answer]], figure: Figure) -> list[Ratio]:
    return [_ratio(answer, figure.name) for _, answer in answered]


def _clusters(answered: Sequence[tuple[Asked, Answer]]) -> list[str]:
    return [asked.cluster or f"\0{place}" for place, (asked, _) in enumerate(answered)]


def approximate(column: Sequence[Ratio], clusters: Sequence[str]) -> Interval | None:
    """Return an interval in one pass, for the many slices: Wilson's, or the linearised one of a ratio by clusters."""
    if (plain := _wilson(column)) is not None:
        return plain
    sums = _by_cluster(column, clusters)
    bottom = sum(below for _, below in sums)
    if len(sums) < 2 or bottom <= 0:
        return None
    share = sum(top for top, _ in sums) / bottom
    spread = sum((top - share * below) ** 2 for top, below in sums) * len(sums) / (len(sums) - 1)
    half = _quantile(len(sums)) * math.sqrt(spread) / bottom
    return _opened(share, (share - half, share + half), len(sums), column)


def _wilson(column: Sequence[Ratio]) -> Interval | None:
    """Return Wilson's interval of a figure that is pass or fail throughout; None for another."""
    if not all(pair in ((0, 1), (1, 1), (0, 0)) for pair in column):
        return None
    return wilson(round(sum(top for top, _ in column)), round(sum(below for _, below in column)))


def _opened(share: float, found: Interval, size: int, column: Sequence[Ratio]) -> Interval:
    """Return the interval of a share inside 0 to 1; one without width is opened as far as n clusters ask."""
    if not all(0 <= top <= below for top, below in column):
        return found
    if found[1] - found[0] < _NO_WIDTH:
        right = round(share * size, 6)
        return wilson(math.floor(right), size)[0], wilson(math.ceil(right), size)[1]
    return max(0.0, found[0]), min(1.0, found[1])


def _quantile(clusters: int) -> float:
    """Return how many standard errors an interval of 95 % reaches: Student's, for few clusters say little."""
    return _STUDENT[clusters - 2] if clusters - 2 < len(_STUDENT) else NormalDist().inv_cdf((1 + _LEVEL) / 2)


def _by_cluster(column: Sequence[Ratio], clusters: Sequence[str]) -> list[Ratio]:
    sums: dict[str, Ratio] = {}
    for (top, below), cluster in zip(column, clusters, strict=True):
        so_far = sums.get(cluster, (0, 0))
        sums[cluster] = (so_far[0] + top, so_far[1] + below)
    return [pair for pair in sums.values() if pair[1] > 0]


def _ratio(answer: Answer, name: str) -> Ratio:
    if name == RECOVERABLE:  # of all answers that a tolerant reader could judge: those that failed and were recovered
        return (0, 0) if answer.recoverable is None else (int(answer.recoverable), 1)
    if name in answer.means:
        return answer.means[name], 1
    return answer.ratios.get(name, (0, 0))


def _all_answers(view: View) -> list[Answer]:
    return [answer for asked in view.samples for answer in asked.answers.values()]
