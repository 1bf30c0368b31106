"""Intervals and tests for two runs over the same samples; pure Python, so that a seed means the same everywhere.

A figure is a column of (numerator, denominator) pairs, one a sample, and its value the ratio of the sums: a mean has
the denominator 1 throughout, a micro average the sample's own, and (0, 0) is a sample that the figure leaves out.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from operator import itemgetter
from statistics import NormalDist
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

__all__ = [
    "Column",
    "Counts",
    "Interval",
    "Ratio",
    "bootstrap_differences",
    "bootstrap_values",
    "counts",
    "detectable",
    "mcnemar",
    "percentile",
    "sign",
    "tail",
    "value",
    "wilson",
]

Ratio = tuple[float, float]
Column = Sequence[Ratio]
Interval = tuple[float, float]

_LEVEL: Final = 0.95
_POWER: Final = 0.8
_ROUNDING: Final = 1e-12
_T_SERIES: Final = (
    (4, ((1, 3), (1, 1))),
    (96, ((5, 5), (16, 3), (3, 1))),
    (384, ((3, 7), (19, 5), (17, 3), (-15, 1))),
    (92160, ((79, 9), (776, 7), (1482, 5), (-1920, 3), (-945, 1))),
)
"""Student's t by z: for each power of 1 / (degrees of freedom) a divisor, and factors with powers of z."""


@dataclass(frozen=True, slots=True)
class Counts:
    """In how many samples the second side is better, worse or equal, or one of both sides has no denominator."""

    wins: int
    losses: int
    ties: int
    undefined: int


def value(column: Iterable[Ratio]) -> float:
    """Return sum(numerators) / max(1, sum(denominators)), the guard of the reference scorers."""
    pairs = list(column)
    return sum(top for top, _ in pairs) / max(1, sum(bottom for _, bottom in pairs))


def bootstrap_differences(
    figures: Sequence[tuple[Column, Column]],
    *,
    clusters: Sequence[Hashable] | None = None,
    resamples: int = 2000,
    seed: int = 0,
    level: float = _LEVEL,
) -> list[Interval | None]:
    """Return for each (A, B) a percentile interval of value(B) - value(A), samples drawn with replacement.

    One draw serves both sides of all figures, which keeps them paired. `clusters` names the group of each sample:
    groups are drawn whole, for samples that share a picture or a kind of prompt are no independent witnesses. The
    interval is widened for few samples or groups, as `tail` says. None stands for fewer than two of them. Raises
    ValueError when the columns differ in length.
    """
    drawn, size = _draws([column for pair in figures for column in pair], clusters, resamples, seed)
    if not size:
        return [None] * len(figures)
    sides = zip(drawn[::2], drawn[1::2], strict=True)
    return [_interval([b - a for a, b in zip(*both, strict=True)], tail(size, level)) for both in sides]


def bootstrap_values(
    columns: Sequence[Column],
    *,
    clusters: Sequence[Hashable] | None = None,
    resamples: int = 2000,
    seed: int = 0,
    level: float = _LEVEL,
) -> list[Interval | None]:
    """Return for each column a percentile interval of its value, drawn as in `bootstrap_differences`."""
    drawn, size = _draws(columns, clusters, resamples, seed)
    return [_interval(values, tail(size, level)) for values in drawn] if size else [None] * len(columns)


def _draws(
    columns: Sequence[Column], clusters: Sequence[Hashable] | None, resamples: int, seed: int
) -> tuple[list[list[float]], int]:
    """Return the value of each column in each resample, and how many samples or groups were drawn from; 0 for none."""
    sizes = {len(column) for column in (*columns, *([] if clusters is None else [clusters]))}
    if len(sizes) > 1:
        raise ValueError(f"columns of one comparison differ in length: {sorted(sizes)}")
    sums = [_summed(column, clusters) for column in columns]
    size = len(sums[0][0]) if sums else 0
    if size < 2 or resamples < 1:
        return [], 0
    draw = random.Random(seed)  # noqa: S311 - statistics, no secret
    everyone = range(size)
    drawn: list[list[float]] = [[] for _ in columns]
    for _ in range(resamples):
        pick = itemgetter(*draw.choices(everyone, k=size))
        for values, (tops, bottoms) in zip(drawn, sums, strict=True):
            values.append(sum(pick(tops)) / (size if bottoms is None else max(1, sum(pick(bottoms)))))
    return drawn, size


def _summed(column: Column, clusters: Sequence[Hashable] | None) -> tuple[list[float], list[float] | None]:
    """Split a column into tops and bottoms, summed over each cluster; bottoms that are all 1 need no summing."""
    if clusters is not None:
        groups: dict[Hashable, list[float]] = {}
        for name, (top, bottom) in zip(clusters, column, strict=True):
            total = groups.setdefault(name, [0, 0])
            total[0] += top
            total[1] += bottom
        column = [(top, bottom) for top, bottom in groups.values()]
    bottoms = [bottom for _, bottom in column]
    return [top for top, _ in column], None if all(bottom == 1 for bottom in bottoms) else bottoms


def detectable(
    a: Column,
    b: Column,
    *,
    clusters: Sequence[Hashable] | None = None,
    level: float = _LEVEL,
    power: float = _POWER,
) -> float | None:
    """Return the least true difference of two values that so many samples, so paired, would show in most repetitions.

    (z of `level` + z of `power`) times the standard error of the paired difference, linearised for ratios and summed
    over clusters. None for fewer than two samples or groups, for a side without any denominator, and where all samples
    moved alike, which says nothing about others.
    """
    names = range(len(a)) if clusters is None else clusters
    sides = [(value(column), sum(bottom for _, bottom in column)) for column in (a, b)]
    if len(set(names)) < 2 or any(bottom <= 0 for _, bottom in sides):
        return None
    (value_a, bottom_a), (value_b, bottom_b) = sides
    pulls: dict[Hashable, float] = {}
    for name, (top_a, below_a), (top_b, below_b) in zip(names, a, b, strict=True):
        pull = (top_b - value_b * below_b) / bottom_b - (top_a - value_a * below_a) / bottom_a
        pulls[name] = pulls.get(name, 0.0) + pull
    error = math.sqrt(len(pulls) / (len(pulls) - 1) * sum(pull * pull for pull in pulls.values()))
    if error <= _ROUNDING:
        return None
    return (NormalDist().inv_cdf((1 + level) / 2) + NormalDist().inv_cdf(power)) * error


def _interval(values: list[float], outside: float) -> Interval:
    ordered = sorted(values)
    return percentile(ordered, outside), percentile(ordered, 1 - outside)


def tail(size: int, level: float = _LEVEL) -> float:
    """Return the share of resampled values that a percentile interval leaves out at each end, for `size` units drawn.

    Plain percentiles, as a normal interval with the spread of n in place of n - 1, are too narrow for few units. The
    share is that of a t interval with the spread of n - 1 (Hesterberg 2015, "expanded percentile interval"), t by its
    series in 1 / (n - 1) (Abramowitz and Stegun 26.7.5); it tends to (1 - level) / 2.
    """
    z = NormalDist().inv_cdf((1 + level) / 2)
    free = size - 1
    t = z + sum(
        sum(factor * z**power for factor, power in terms) / (divisor * free**order)
        for order, (divisor, terms) in enumerate(_T_SERIES, 1)
    )
    return NormalDist().cdf(-t * math.sqrt(size / free))


def percentile(ordered: Sequence[float], share: float) -> float:
    """Return the value below which that share of ascending values lies, interpolated between neighbours."""
    place = share * (len(ordered) - 1)
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    low, high = ordered[below], ordered[above]
    return low if low == high else low + (high - low) * (place - below)


def wilson(passed: int, total: int, level: float = _LEVEL) -> Interval:
    """Return Wilson's interval of a share, which stays inside 0..1 and is open also at 0 of n; (0, 1) for none."""
    if total <= 0:
        return 0.0, 1.0
    z = NormalDist().inv_cdf((1 + level) / 2)
    share = passed / total
    scale = 1 + z * z / total
    middle = (share + z * z / (2 * total)) / scale
    half = z / scale * math.sqrt(share * (1 - share) / total + z * z / (4 * total * total))
    # at the ends the bound is the share itself; rounding would miss it by a hair
    return (0.0 if passed == 0 else max(0.0, middle - half)), (1.0 if passed == total else min(1.0, middle + half))


def mcnemar(wins: int, losses: int) -> float:
    """Return the exact two-sided p of McNemar's test: how odd the split of the samples that changed would be by chance.

    Samples that passed on both sides or on none say nothing about it; with no other sample p is 1.
    """
    changed = wins + losses
    ways, term = 0, 1
    for less in range(min(wins, losses) + 1):  # whole numbers: exact, and no overflow at any size
        ways += term
        term = term * (changed - less) // (less + 1)
    return min(1.0, 2 * ways / (1 << changed))


def counts(a: Column, b: Column, *, lower_is_better: bool = False) -> Counts:
    """Return how often B's sample value beats A's; a side without denominator makes a sample undefined."""
    signs = [sign(*both, lower_is_better=lower_is_better) for both in zip(a, b, strict=True)]
    return Counts(signs.count(1), signs.count(-1), signs.count(0), signs.count(None))


def sign(a: Ratio, b: Ratio, *, lower_is_better: bool = False) -> int | None:
    """Return 1 where B's value is better, -1 where A's is, 0 where they are equal; None without a denominator."""
    (top_a, bottom_a), (top_b, bottom_b) = a, b
    if bottom_a <= 0 or bottom_b <= 0:
        return None
    # by cross product where it is exact: 1/3 and 2/6 must tie
    left, right = top_b * bottom_a, top_a * bottom_b
    if left == right:
        return 0
    return 1 if (left < right) == lower_is_better else -1
