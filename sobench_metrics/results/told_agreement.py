"""Do the figures of a re-scored run equal those that the run itself tells?"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from sobench_metrics.data.prepared import DOMAINS
from sobench_metrics.results.rescoring import OURS
from sobench_metrics.results.tally import Tally
from sobench_metrics.results.told_figures import plain_row

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sobench_metrics.results.records import Run
    from sobench_metrics.results.scored_pieces import Scored

__all__ = ["Line", "Pool", "differing_figures", "lines_of", "pool_of"]

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


def lines_of(tally: Tally, told: Mapping[str, float], *, is_pool: bool = False) -> tuple[Line, ...]:
    """Return the figures of a tally beside those that a run told; values must be equal bit for bit.

    Standard errors of plain means, and plain means over a group, may differ by rounding.
    """
    found = []
    for name in (name for name in OURS if name in tally.figures):
        moments = tally.figures[name]
        error = None if math.isnan(moments.error) else moments.error
        value, told_value, told_error = moments.value, told.get(name), told.get(name + _ERROR)
        is_mean = moments.b == moments.bb == moments.n
        is_equal = (
            told_value is None or told_value == value or (is_pool and is_mean and _close(told_value, value))
        ) and (told_error is None or told_error == error or (is_mean and _close(told_error, error)))
        found.append(Line(name, int(moments.a), int(moments.b), value, error, told_value, told_error, is_equal))
    lost = [name for name in told if name in OURS and name not in tally.figures]
    return (*found, *(Line(name, 0, 0, math.nan, None, told[name], None, is_equal=False) for name in lost))


def pool_of(scored: Sequence[Scored]) -> Pool | None:
    """Return the pool of a run that holds all four domains of SO-Bench; None for any other."""
    by_domain: dict[str, Scored] = {}
    for one in scored:
        words = plain_row(one.run.task).split("_")
        found = [domain for domain in DOMAINS if domain in words]
        if words[0] == "sobench" and found and "constrained" not in words:
            by_domain[found[0]] = one
    if sorted(by_domain) != sorted(DOMAINS):
        return None
    tally = Tally()
    for one in by_domain.values():
        tally += one.tally
    run: Run = next(iter(by_domain.values())).run
    name = "sobench_sample" if "sample" in plain_row(run.task).split("_") else "sobench"
    told = run.told.get(name) or run.told.get(f"{name}__average") or {}
    return Pool(name, tally, lines_of(tally, told, is_pool=True))


def differing_figures(lines: Sequence[Line]) -> list[str]:
    """Return the names of the figures that a run told otherwise."""
    return [line.figure for line in lines if not line.is_equal]


def _close(told: float, ours: float | None) -> bool:
    return ours is not None and math.isclose(told, ours, rel_tol=_ROUNDING, abs_tol=_ROUNDING)
