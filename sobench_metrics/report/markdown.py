"""The report as Markdown: headline tables, where answers are lost, slices of the main figure."""

from __future__ import annotations

import re
from typing import IO, TYPE_CHECKING, Final

from sobench_metrics.data.plain_words import one_line
from sobench_metrics.report.columns import differing_keys, signature_lines
from sobench_metrics.report.figures import figures_of, headline
from sobench_metrics.report.page_errors import tallies
from sobench_metrics.report.recovery_counts import recovery_counts, steps_of
from sobench_metrics.report.slice_figures import dimensions
from sobench_metrics.report.taxonomy import FAMILIES, UNEXPLAINED
from sobench_metrics.report.texts import answered_notes, answered_text, counts_text, interval_text, marks, value_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sobench_metrics.report.figures import Measured
    from sobench_metrics.report.model import Gathered, View
    from sobench_metrics.results.published import Published

__all__ = ["write_markdown"]

_SIGNS: Final = re.compile(r"([\\`*_{}\[\]<>#|~&!])")
_MAIN: Final = ("pass", "field_match")


def write_markdown(file: IO[str], gathered: Gathered, published: Sequence[Published] = ()) -> None:
    """Write the report; it holds figures and names alone, no prompt, label or answer."""
    for line in _lines(gathered, published):
        file.write(line + "\n")


def _lines(gathered: Gathered, published: Sequence[Published]) -> Iterator[str]:
    yield "# Structured output report\n"
    for column in gathered.columns:
        told = "".join(f", {mark}" for mark in marks(column))
        yield f"- **{column.letter}** {_plain(column.model)}{told} ({_plain(column.harness)}: {_plain(column.place)})"
    for warning in gathered.warnings:
        yield f"\n> {_plain(warning)}"
    for view in gathered.views:
        yield f"\n## {_plain(view.name)}\n"
        yield from _headline(gathered, view, [entry for entry in published if entry.task == view.name])
        yield from _families(view)
        yield from _recovery(view)
        yield from _slices(gathered, view)
    yield "\nIntervals are of 95 %. Shares are in percent, below them the sums they are made of."
    if gathered.recoverable:
        yield (
            "`recoverable`: failed by the official rules, although a tolerant reading finds the data; never part of an "
            "official or strict figure."
        )


def _headline(gathered: Gathered, view: View, published: Sequence[Published]) -> Iterator[str]:
    figures = figures_of(view, recoverable=gathered.recoverable)
    names = {"tolerant": "tolerant reading", "other": "logged"}
    yield _row(["run", "answered", *(f"{_plain(one.name)} ({names.get(one.group, one.group)})" for one in figures)])
    yield _rule(len(figures) + 2)
    for column in gathered.columns:
        if column.letter in view.runs:
            told = "".join(f" ({_plain(mark)})" for mark in marks(column, view))
            cells = [_cell(found) for found in headline(view, column.letter, figures)]
            answered = "; ".join([answered_text(view, column.letter), *answered_notes(view, column.letter)])
            yield _row([f"{column.letter} {_plain(column.model)}{told}", answered, *cells])
    for model in dict.fromkeys(entry.model for entry in published):
        known = {entry.figure: entry for entry in published if entry.model == model}
        first = next(iter(known.values()))
        told = "published, second-hand" if first.second_hand else "published"
        cells = [_published_cell(known[one.name]) if one.name in known else "" for one in figures]
        yield _row([f"{_plain(model)} ({told}: {_plain(first.source)})", "", *cells])
    if differing := differing_keys(view):
        yield f"\nSignatures differ in {', '.join(_plain(key) for key in differing)}."
    for letter in view.runs:
        for signature in signature_lines(view, letter):
            yield f"\n{letter}: `{signature.replace('`', '')}`"


def _families(view: View) -> Iterator[str]:
    counted = tallies(view, list(view.runs))
    names = ["passed", *(family.name for family in FAMILIES), UNEXPLAINED]
    shown = [name for name in names if any(one.first[name] for one in counted.values())]
    if not shown:
        return
    yield "\n### Where answers are lost first\n"
    yield _row(["", *counted])
    yield _rule(len(counted) + 1)
    for name in shown:
        yield _row([name, *(f"{one.first[name]:,}" for one in counted.values())])
    yield _row(["all answers", *(f"{one.first.total():,}" for one in counted.values())])


def _recovery(view: View) -> Iterator[str]:
    counts = recovery_counts(view, list(view.runs))
    if not any(one.split["recoverable"] + one.split["not recoverable"] for one in counts.values()):
        return
    yield "\n### Failed answers: were the data there?\n"
    yield _row(["", *counts])
    yield _rule(len(counts) + 1)
    for name in ("recoverable", "not recoverable", "not told"):
        if any(one.split[name] for one in counts.values()):
            yield _row([name, *(f"{one.split[name]:,}" for one in counts.values())])
    yield _row(["all failed answers", *(f"{one.split.total():,}" for one in counts.values())])
    for step, _ in steps_of(counts):
        yield _row([f"recoverable by {_plain(step)}", *(f"{one.steps[step]:,}" for one in counts.values())])


def _slices(gathered: Gathered, view: View) -> Iterator[str]:
    figures = figures_of(view, recoverable=gathered.recoverable)
    main = next((place for place, figure in enumerate(figures) if figure.name in _MAIN), 0)
    for found in dimensions(view, list(view.runs), figures):
        place = 0 if found.of_fields else main
        name = "strict recall of fields" if found.of_fields else _plain(figures[main].name)
        yield f"\n### {_plain(found.name)}: {name}\n"
        yield _row(["", "fields" if found.of_fields else "samples", *view.runs])
        yield _rule(len(view.runs) + 2)
        for group in found.groups:
            cells = [_cell(measured[place]) for measured in group.columns.values()]
            yield _row([_plain(group.name), f"{group.asked:,}", *cells])


def _cell(found: Measured) -> str:
    interval = interval_text(found)
    return f"{value_text(found)}{f' [{interval}]' if interval else ''} {counts_text(found)}"


def _published_cell(entry: Published) -> str:
    counts = f" {entry.counts[0]:,}/{entry.counts[1]:,}" if entry.counts else ""
    return f"{100 * entry.value:.2f}{counts}"


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _rule(number: int) -> str:
    return f"|{' --- |' * number}"


def _plain(text: str) -> str:
    """Return text in which nothing is markup."""
    return _SIGNS.sub(r"\\\1", one_line(text))
