"""Do the figures of a re-scored run equal those that the run itself tells?"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from sobench_metrics.data.prepared import DOMAINS
from sobench_metrics.results.rescoring import OURS
from sobench_metrics.results.tally import Tally
from sobench_metrics.results.task_names import domain_of, group_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sobench_metrics.results.scored_pieces import Scored

__all__ = ["Line", "Pool", "differing_figures", "lines_of", "pools_of"]

_ERROR: Final = "_stderr"
_ROUNDING: Final = 1e-12
"""lm-eval adds the squares of a plain mean's error one by one, and weighs means of a group: equal but for rounding."""


@dataclass(frozen=True, slots=True)
class Line:
    """One figure: its sums, value and standard error (None where it is not defined), and what the run told of both."""

    figure: str
    numerator: int
    denominator: int
    value: float
    stderr: float | None
    told: float | None = None
    told_stderr: float | None = None
    is_equal: bool = True


@dataclass(frozen=True, slots=True)
class Pool:
    """The four domains of SO-Bench as one: sums over all samples, and what the run told of its group."""

    task: str
    tally: Tally
    lines: tuple[Line, ...]


def lines_of(tally: Tally, told: Mapping[str, float], errors: Mapping[str, float] | None = None) -> tuple[Line, ...]:
    """Return the figures of a tally beside those that a run told; values must be equal bit for bit.

    Standard errors of plain means may differ by rounding. For a group `errors` are the standard errors by its harness's
    own formula, which is another one than that of its samples; its plain means may differ by rounding, too.
    """
    found = []
    for name in (name for name in OURS if name in tally.figures):
        moments = tally.figures[name]
        error = None if math.isnan(moments.error) else moments.error
        value, told_value, told_error = moments.value, told.get(name), told.get(name + _ERROR)
        is_mean = moments.b == moments.bb == moments.n
        is_value = told_value is None or told_value == value
        is_error = told_error is None or told_error == error
        if is_mean:
            is_value = is_value or (errors is not None and _close(told_value, value))
            is_error = is_error or _close(told_error, error) or _close(told_error, (errors or {}).get(name))
        line = Line(
            name, int(moments.a), int(moments.b), value, error, told_value, told_error, is_equal=is_value and is_error
        )
        found.append(line)
    lost = [name for name in told if name in OURS and name not in tally.figures]
    return (*found, *(Line(name, 0, 0, math.nan, None, told[name], None, is_equal=False) for name in lost))


def pools_of(scored: Sequence[Scored]) -> tuple[Pool, ...]:
    """Return a pool for each set of the four domains of SO-Bench, free or constrained, that a run holds whole."""
    groups: dict[str, list[Scored]] = {}
    for one in scored:
        if domain_of(one.run.task):
            groups.setdefault(group_of(one.run.task), []).append(one)
    return tuple(
        _pool(name, members)
        for name, members in groups.items()
        if sorted(domain_of(one.run.task) for one in members) == sorted(DOMAINS)
    )


def _pool(name: str, members: Sequence[Scored]) -> Pool:
    tally = Tally()
    for one in members:
        tally += one.tally
    told = members[0].run.told
    return Pool(name, tally, lines_of(tally, told.get(name) or told.get(f"{name}__average") or {}, _within(members)))


def _within(members: Sequence[Scored]) -> dict[str, float]:
    """Return by figure the error that lm-eval gives a group: of its members' means, each about its own mean."""
    found = {}
    total = sum(one.tally.samples for one in members)
    for name in members[0].tally.figures:
        columns = [one.tally.figures[name] for one in members if name in one.tally.figures]
        if len(columns) == len(members) < total:
            squares = sum(
                (one.tally.samples - 1) * column.error**2 * one.tally.samples
                for one, column in zip(members, columns, strict=True)
            )
            found[name] = math.sqrt(squares / (total - len(members)) / total)
    return found


def differing_figures(lines: Sequence[Line]) -> list[str]:
    """Return the names of the figures that a run told otherwise."""
    return [line.figure for line in lines if not line.is_equal]


def _close(told: float | None, ours: float | None) -> bool:
    return told is not None and ours is not None and math.isclose(told, ours, rel_tol=_ROUNDING, abs_tol=_ROUNDING)
