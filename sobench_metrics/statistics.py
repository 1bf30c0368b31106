"""Intervals and tests for two runs over the same samples; pure Python, so that a seed means the same everywhere.

A figure is a column of (numerator, denominator) pairs, one a sample, and its value the ratio of the sums: a mean has
the denominator 1 throughout, a micro average the sample's own, and (0, 0) is a sample that the figure leaves out.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from operator import itemgetter
from statistics import NormalDist
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["Counts", "Interval", "Ratio", "bootstrap_differences", "counts", "mcnemar", "percentile", "value", "wilson"]

Ratio = tuple[float, float]
Interval = tuple[float, float]

_LEVEL: Final = 0.95


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
    figures: Sequence[tuple[Sequence[Ratio], Sequence[Ratio]]],
    *,
    resamples: int = 2000,
    seed: int = 0,
    level: float = _LEVEL,
) -> list[Interval | None]:
    """Return for each (A, B) a percentile interval of value(B) - value(A), samples drawn with replacement.

    One draw serves both sides of all figures, which keeps them paired. None stands for fewer than two samples.
    Raises ValueError when the columns differ in length.
    """
    sizes = {len(column) for pair in figures for column in pair}
    if len(sizes) > 1:
        raise ValueError(f"columns of one comparison differ in length: {sorted(sizes)}")
    size = sizes.pop() if sizes else 0
    if size < 2 or resamples < 1:
        return [None] * len(figures)
    columns = [_columns(*pair) for pair in figures]
    draw = random.Random(seed)  # noqa: S311 - statistics, no secret
    everyone = range(size)
    drawn: list[list[float]] = [[] for _ in figures]
    for _ in range(resamples):
        pick = itemgetter(*draw.choices(everyone, k=size))
        for differences, (top_a, bottom_a, top_b, bottom_b) in zip(drawn, columns, strict=True):
            below_a = size if bottom_a is None else max(1, sum(pick(bottom_a)))
            below_b = size if bottom_b is None else max(1, sum(pick(bottom_b)))
            differences.append(sum(pick(top_b)) / below_b - sum(pick(top_a)) / below_a)
    return [_interval(differences, level) for differences in drawn]


def _columns(
    a: Sequence[Ratio], b: Sequence[Ratio]
) -> tuple[list[float], list[float] | None, list[float], list[float] | None]:
    """Split two columns into tops and bottoms; bottoms that are all 1 need no summing."""
    return ([top for top, _ in a], _bottoms(a), [top for top, _ in b], _bottoms(b))


def _bottoms(column: Sequence[Ratio]) -> list[float] | None:
    bottoms = [bottom for _, bottom in column]
    return None if all(bottom == 1 for bottom in bottoms) else bottoms


def _interval(values: list[float], level: float) -> Interval:
    ordered = sorted(values)
    tail = (1 - level) / 2
    return percentile(ordered, tail), percentile(ordered, 1 - tail)


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


def counts(a: Sequence[Ratio], b: Sequence[Ratio], *, lower_is_better: bool = False) -> Counts:
    """Return how often B's sample value beats A's; a side without denominator makes a sample undefined."""
    wins = losses = ties = undefined = 0
    for (top_a, bottom_a), (top_b, bottom_b) in zip(a, b, strict=True):
        if bottom_a <= 0 or bottom_b <= 0:
            undefined += 1
            continue
        # by cross product where it is exact: 1/3 and 2/6 must tie
        left, right = top_b * bottom_a, top_a * bottom_b
        if left == right:
            ties += 1
        elif (left < right) == lower_is_better:
            wins += 1
        else:
            losses += 1
    return Counts(wins, losses, ties, undefined)
