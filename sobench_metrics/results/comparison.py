"""From two paired runs to the rows of a comparison: values, difference, interval, wins, losses, ties."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Literal

from sobench_metrics.statistics import (
    Counts,
    Interval,
    Ratio,
    bootstrap_differences,
    counts,
    detectable,
    mcnemar,
    sign,
    value,
    wilson,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from sobench_metrics.results.pairing import Pairing
    from sobench_metrics.results.records import Sample

__all__ = ["LEAST_CLUSTERS", "Comparison", "Row", "compare"]

Unit = Literal["percent", "number", "tokens", "characters", "seconds"]

LEAST_CLUSTERS: Final = 8
"""Fewer groups than this tell too little of how groups differ to draw intervals over them."""

_OUTSIDE: Final[Ratio] = (0, 0)
_AT_LIMIT: Final = "at_limit"
_FEWER_IS_BETTER: Final = ("tokens", "characters", "seconds", _AT_LIMIT)


@dataclass(frozen=True, slots=True)
class Row:
    """One figure on both sides; `difference` is B - A, `counts` are B's, `won`, `lost` and `tied` name the samples.

    `samples` counts those that have the figure on a side. `interval` is the paired bootstrap's, None for fewer than
    two samples and for what is known of the whole run only (`of_run`). `detectable` is the least true difference that
    such samples would show four times in five. Pass/fail figures have Wilson's interval for each side and the exact p
    of McNemar's test.
    """

    figure: str
    unit: Unit
    a: float
    b: float
    difference: float
    samples: int
    interval: Interval | None = None
    counts: Counts | None = None
    p: float | None = None
    wilson: tuple[Interval, Interval] | None = None
    of_run: bool = False
    detectable: float | None = None
    won: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    tied: tuple[str, ...] = ()
    lower_is_better: bool = False


@dataclass(frozen=True, slots=True)
class Comparison:
    """The rows of one task, and for each finding code in how many answers of each side it stands.

    `clusters` is the number of groups that the intervals were drawn over, None where samples were drawn alone.
    """

    pairing: Pairing
    rows: tuple[Row, ...]
    findings: Mapping[str, tuple[int, int]]
    clusters: int | None = None


def compare(pairing: Pairing, *, resamples: int, seed: int, clustered: bool = True) -> Comparison:
    """Return the comparison of a pairing: every figure that both logs have, then length and time.

    With `clustered`, intervals are drawn over pictures or entity types where samples share them; with fewer than
    LEAST_CLUSTERS of these, over samples.
    """
    columns = [_of_log(pairing, name) for name in _names(pairing)]
    if _told(pairing, lambda sample: sample.generation.at_limit):
        columns.append(
            _column(pairing, _AT_LIMIT, "percent", lambda sample: (int(bool(sample.generation.at_limit)), 1))
        )
    if _told(pairing, lambda sample: sample.generation.tokens):
        columns.append(_column(pairing, "tokens", "tokens", lambda sample: (sample.generation.tokens or 0, 1)))
    else:
        columns.append(_column(pairing, "characters", "characters", lambda sample: (sample.characters, 1)))
    timed = _told(pairing, lambda sample: sample.generation.seconds)
    if timed:
        columns.append(_column(pairing, "seconds", "seconds", lambda sample: (sample.generation.seconds or 0, 1)))
    clusters = _clusters(pairing) if clustered else None
    intervals = bootstrap_differences(
        [(one.a, one.b) for one in columns], clusters=clusters, resamples=resamples, seed=seed
    )
    names = [two.doc_id for two in pairing.pairs]
    rows = [_row(column, interval, names, clusters) for column, interval in zip(columns, intervals, strict=True)]
    return Comparison(
        pairing,
        (*rows, *([] if timed else _whole_run(pairing))),
        _findings(pairing),
        None if clusters is None else len(set(clusters)),
    )


def _clusters(pairing: Pairing) -> list[str] | None:
    names = [two.cluster or two.doc_id for two in pairing.pairs]
    return names if LEAST_CLUSTERS <= len(set(names)) < len(names) else None


@dataclass(frozen=True, slots=True)
class _Column:
    """One figure of all compared samples on both sides."""

    name: str
    unit: Unit
    a: tuple[Ratio, ...]
    b: tuple[Ratio, ...]
    lower_is_better: bool


def _of_log(pairing: Pairing, name: str) -> _Column:
    found = _column(pairing, name, "percent", lambda sample: _figure(sample, name))
    shares = all(0 <= top <= below for top, below in (*found.a, *found.b))
    return found if shares else replace(found, unit="number")


def _column(pairing: Pairing, name: str, unit: Unit, take: Callable[[Sample], Ratio]) -> _Column:
    lower = name in _FEWER_IS_BETTER or name in pairing.runs[0].lower_is_better
    a, b = tuple(take(two.a) for two in pairing.pairs), tuple(take(two.b) for two in pairing.pairs)
    return _Column(name, unit, a, b, lower)


def _names(pairing: Pairing) -> list[str]:
    """Return the figures that both sides' logs have, in the order of the log."""
    a, b = ({name: None for two in pairing.pairs for name in _figures(getattr(two, side))} for side in ("a", "b"))
    return [name for name in a if name in b]


def _figures(sample: Sample) -> tuple[str, ...]:
    return (*sample.means, *sample.ratios)


def _figure(sample: Sample, name: str) -> Ratio:
    if name in sample.means:
        return sample.means[name], 1
    return sample.ratios.get(name, _OUTSIDE)


def _told(pairing: Pairing, take: Callable[[Sample], object]) -> bool:
    return all(take(two.a) is not None and take(two.b) is not None for two in pairing.pairs)


def _row(column: _Column, interval: Interval | None, names: Sequence[str], clusters: Sequence[str] | None) -> Row:
    tally = counts(column.a, column.b, lower_is_better=column.lower_is_better)
    signs = [sign(*both, lower_is_better=column.lower_is_better) for both in zip(column.a, column.b, strict=True)]
    won, lost, tied = (
        tuple(name for name, found in zip(names, signs, strict=True) if found == wanted) for wanted in (1, -1, 0)
    )
    both = (*column.a, *column.b)
    yes_no = column.unit == "percent" and all(pair in ((0, 1), (1, 1), _OUTSIDE) for pair in both)
    inside = sum(below_a > 0 or below_b > 0 for (_, below_a), (_, below_b) in zip(column.a, column.b, strict=True))
    a, b = value(column.a), value(column.b)
    return Row(
        column.name, column.unit, a, b, b - a, inside, interval, tally,
        p=mcnemar(tally.wins, tally.losses) if yes_no else None,
        wilson=(_wilson(column.a), _wilson(column.b)) if yes_no else None,
        detectable=detectable(column.a, column.b, clusters=clusters), won=won, lost=lost, tied=tied,
        lower_is_better=column.lower_is_better,
    )  # fmt: skip


def _wilson(pairs: tuple[Ratio, ...]) -> Interval:
    return wilson(round(sum(top for top, _ in pairs)), round(sum(below for _, below in pairs)))


def _whole_run(pairing: Pairing) -> list[Row]:
    a, b = (run.seconds for run in pairing.runs)
    if a is None or b is None or pairing.runs[0].where == pairing.runs[1].where:  # one time for both tells nothing
        return []
    return [Row("seconds", "seconds", a, b, b - a, len(pairing.pairs), of_run=True)]


def _findings(pairing: Pairing) -> dict[str, tuple[int, int]]:
    a = Counter(code for two in pairing.pairs for code in set(two.a.codes))
    b = Counter(code for two in pairing.pairs for code in set(two.b.codes))
    return {code: (a[code], b[code]) for code in sorted({*a, *b})}
