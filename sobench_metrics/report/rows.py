"""The figures of a report as flat rows: for CSV, and for whoever wants to plot them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sobench_metrics.report.columns import signature_lines
from sobench_metrics.report.figures import figures_of, headline
from sobench_metrics.report.slice_figures import dimensions
from sobench_metrics.report.texts import marks

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sobench_metrics.report.columns import Column
    from sobench_metrics.report.figures import Figure, Measured
    from sobench_metrics.report.model import Gathered, View
    from sobench_metrics.results.published import Published

__all__ = ["FigureRow", "figure_rows"]


@dataclass(frozen=True, slots=True)
class FigureRow:
    """One figure of one run over all samples (`dimension` "all") or one slice; shares are 0 to 1.

    `kind` is "run", "baseline" or "published"; `source` names the log, or where a published figure was read. `answers`
    are those that have the figure, `planned` the samples of the run's tasks. `marks` says what to know before comparing
    ("constrained", "partial"), `signature` by which rules the run was made; several tasks may have several.
    """

    task: str
    run: str
    model: str
    kind: str
    dimension: str
    group: str
    figure: str
    rules: str
    value: float | None
    low: float | None
    high: float | None
    numerator: float | None
    denominator: float | None
    answers: int | None
    planned: int | None = None
    source: str = ""
    marks: str = ""
    signature: str = ""


def figure_rows(gathered: Gathered, published: Sequence[Published]) -> Iterator[FigureRow]:
    """Yield all figures of the report: headline figures of every task, pooled ones, slices, published ones."""
    letters = {column.letter: column for column in gathered.columns}
    for view in (*gathered.pooled, *gathered.tasks):
        figures = figures_of(view, recoverable=gathered.recoverable)
        for letter in view.runs:
            for found in headline(view, letter, figures):
                yield _row(view, letters[letter], "all", "all", found)
    for view in gathered.views:
        yield from _slices(view, letters, figures_of(view, recoverable=gathered.recoverable))
    names = {view.name for view in (*gathered.pooled, *gathered.tasks)}
    for entry in published:
        if entry.task in names:
            yield _published(entry)


def _slices(view: View, letters: Mapping[str, Column], figures: Sequence[Figure]) -> Iterator[FigureRow]:
    for dimension in dimensions(view, list(view.runs), figures):
        for group in dimension.groups:
            for letter, measured in group.columns.items():
                for found in measured:
                    yield _row(view, letters[letter], dimension.name, group.name, found)


def _published(entry: Published) -> FigureRow:
    top, bottom = entry.counts or (None, None)
    source = f"{entry.source}{' (second-hand)' if entry.second_hand else ''}"
    return FigureRow(
        entry.task, "", entry.model, "published", "all", "all", entry.figure, "official", entry.value, None, None,
        top, bottom, None, source=source,
    )  # fmt: skip


def _row(view: View, column: Column, dimension: str, group: str, found: Measured) -> FigureRow:
    low, high = found.interval or (None, None)
    rules = "recoverable" if found.figure.group == "tolerant" else found.figure.group
    return FigureRow(
        view.name, column.letter, column.model, "baseline" if column.baseline else "run", dimension, group,
        found.figure.name, rules, found.value if found.answers else None, low, high, found.top, found.bottom,
        found.answers, view.planned.get(column.letter), column.place, "; ".join(marks(column, view)),
        " ".join(signature_lines(view, column.letter)),
    )  # fmt: skip
