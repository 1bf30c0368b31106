"""Several runs against the first, side by side: one line a figure, before the tables of each pair."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Final

from sobench_metrics.data.plain_words import one_line
from sobench_metrics.results.comparison_table import SHOWN, WIDTH, shown_number

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sobench_metrics.results.comparison import Comparison, Row

__all__ = ["overview"]

_PLACES: Final = (WIDTH - 24) // 10
_MARKS: Final = {1: "+", -1: "-", 0: " "}


def overview(against_first: Sequence[Sequence[Comparison]]) -> Iterator[str]:
    """Yield a table for each task that every pair has: the first run's value, then each other's, marked + or -.

    `against_first` holds the comparisons of each other run with the first. Values of the first run are those of its
    first pair: pairs may stand on different samples, which their own tables tell.
    """
    by_task = [{one.pairing.task: one for one in comparisons} for comparisons in against_first]
    for task in (name for name in by_task[0] if all(name in found for found in by_task)):
        columns = [found[task] for found in by_task]
        for start in range(0, len(columns), _PLACES - 1):
            yield from _table(task, columns[start : start + _PLACES - 1])
            yield ""
    yield from textwrap.wrap(
        "+ and -: better or worse than the first run, its paired interval leaves 0 out. Each pair is tested for "
        "itself: among many runs some differ by chance.",
        WIDTH,
    )


def _table(task: str, columns: Sequence[Comparison]) -> Iterator[str]:
    first = columns[0].pairing.sides[0]
    yield one_line(task)
    yield f"  {'figure':<20}{first:>10}" + "".join(f"{column.pairing.sides[1]:>10}" for column in columns)
    rows = [{row.figure: row for row in column.rows} for column in columns]
    for figure in SHOWN:
        if all(figure in found for found in rows):
            here = [found[figure] for found in rows]
            values = "".join(f"{shown_number(row, row.b):>9}{_mark(row)}" for row in here)
            yield f"  {figure[:20]:<20}{shown_number(here[0], here[0].a):>10}{values}".rstrip()


def _mark(row: Row) -> str:
    """Say whether the interval lies on one side of 0, in the sense in which the figure is better."""
    if row.interval is None or row.counts is None or row.interval[0] <= 0 <= row.interval[1]:
        return _MARKS[0]
    rising = row.interval[0] > 0
    return _MARKS[1 if rising != row.lower_is_better else -1]
