"""The headline tables of the page, with intervals, denominators and signatures."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from sobench_metrics.data.contact_sheet_page import escaped
from sobench_metrics.data.plain_words import one_line
from sobench_metrics.report.columns import differing_keys, signature_of
from sobench_metrics.report.figures import RECOVERABLE, figures_of, headline
from sobench_metrics.report.texts import answered_notes, answered_text, counts_text, interval_text, marks, value_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sobench_metrics.report.columns import Column
    from sobench_metrics.report.figures import Figure, Measured
    from sobench_metrics.report.model import Gathered, View
    from sobench_metrics.results.published import Published

__all__ = ["badge", "headline_table", "legend_of_runs"]

_SEVERAL = "(differs between its tasks)"


def badge(text: str, kind: str = "") -> str:
    """Return a small mark; its text says everything that its colour says."""
    return f'<span class="badge {kind}">{escaped(text)}</span>'


def legend_of_runs(columns: Sequence[Column]) -> str:
    """Return the list of runs, each with a box that shows or hides its column."""
    rows = []
    for place, column in enumerate(columns):
        told = "".join(badge(mark, "note") for mark in marks(column))
        rows.append(
            f'<li><label><input type="checkbox" class="toggle" value="{column.letter}" checked>'
            f'<span class="letter l{place % 8}">{column.letter}</span> <b>{escaped(column.model)}</b></label> {told} '
            f'<span class="faint">{escaped(column.harness)} · {escaped(column.place)}</span></li>'
        )
    return f'<ul class="runs">{"".join(rows)}</ul>'


def headline_table(gathered: Gathered, view: View, published: Sequence[Published]) -> str:
    """Return the table of one view: a row for each run, then published figures, marked as such; signatures below."""
    figures = figures_of(view, recoverable=gathered.recoverable)
    rows = [
        _run_row(view, column, place, headline(view, column.letter, figures))
        for place, column in enumerate(gathered.columns)
        if column.letter in view.runs
    ]
    rows += [_published_row(model, entries, figures) for model, entries in _by_model(published)]
    name = escaped(view.name)
    pooled = f' <span class="faint">{len(view.pooled)} domains pooled</span>' if view.pooled else ""
    return (
        f'<section class="task"><h3>{name}{pooled}</h3>\n<div class="scroll" tabindex="0" role="region" '
        f'aria-label="Figures of {name}"><table class="headline">\n<thead>{_head(figures)}</thead>\n'
        f"<tbody>{''.join(rows)}</tbody></table></div>\n{_signatures(gathered, view)}</section>\n"
    )


def _head(figures: Sequence[Figure]) -> str:
    groups = [(group, len(list(members))) for group, members in groupby(figures, key=lambda figure: figure.group)]
    names = {"other": "", "tolerant": "tolerant reading"}
    above = "".join(f'<th colspan="{size}" class="g-{group}">{names.get(group, group)}</th>' for group, size in groups)
    below = "".join(f'<th scope="col" class="g-{figure.group}">{_figure_name(figure)}</th>' for figure in figures)
    return f'<tr><th></th><th></th>{above}</tr><tr><th scope="col">run</th><th scope="col">answered</th>{below}</tr>'


def _figure_name(figure: Figure) -> str:
    if figure.name == RECOVERABLE:
        return f"{RECOVERABLE}<br><small>failed, yet the data are there</small>"
    return escaped(figure.name).replace("_", "_<wbr>")


def _run_row(view: View, column: Column, place: int, found: Sequence[Measured]) -> str:
    told = "".join(badge(mark, "note") for mark in marks(column, view))
    cells = "".join(f'<td class="g-{one.figure.group}"{_named(one.figure)}>{_cell(one)}</td>' for one in found)
    notes = "".join(f'<span class="of">{escaped(note)}</span>' for note in answered_notes(view, column.letter))
    letter = f'<span class="letter l{place % 8}">{column.letter}</span>'
    answered = f'<td class="answered" data-name="answered">{answered_text(view, column.letter)}{notes}</td>'
    head = f'<th scope="row">{letter} {escaped(column.model)} {told}</th>'
    return f'<tr data-column="{column.letter}">{head}{answered}{cells}</tr>\n'


def _named(figure: Figure) -> str:
    """Return the attribute that names a cell where the page is narrow and the head is not shown."""
    rules = "" if figure.group in ("other", "tolerant") else f", {figure.group}"
    return f' data-name="{escaped(figure.name)}{rules}"'


def _cell(found: Measured) -> str:
    parts = [f"<b>{value_text(found)}</b>"]
    if interval := interval_text(found):
        parts.append(f'<span class="interval">{interval}</span>')
    parts.append(f'<span class="of">{counts_text(found)}</span>')
    return "".join(parts)


def _by_model(published: Iterable[Published]) -> list[tuple[str, list[Published]]]:
    found: dict[str, list[Published]] = {}
    for entry in published:
        found.setdefault(entry.model, []).append(entry)
    return list(found.items())


def _published_row(model: str, entries: Sequence[Published], figures: Sequence[Figure]) -> str:
    known = {entry.figure: entry for entry in entries}
    cells = []
    for figure in figures:
        entry = known.get(figure.name)
        if entry is None:
            cells.append(f'<td class="g-{figure.group} none"></td>')
            continue
        counts = f'<span class="of">{entry.counts[0]:,}/{entry.counts[1]:,}</span>' if entry.counts else ""
        cells.append(f'<td class="g-{figure.group}"{_named(figure)}><b>{100 * entry.value:.2f}</b>{counts}</td>')
    second = badge("second-hand", "warn") if entries[0].second_hand else ""
    return (
        f'<tr class="published"><th scope="row">{escaped(model)} {badge("published", "note")}{second}'
        f'<small class="source">{escaped(entries[0].source)}</small></th><td class="none"></td>{"".join(cells)}</tr>\n'
    )


def _signatures(gathered: Gathered, view: View) -> str:
    columns = [column for column in gathered.columns if column.letter in view.runs]
    differing = differing_keys(view)
    told = "all alike" if not differing else f"the runs differ in {', '.join(differing)}"
    if len(columns) == 1:
        told = "of this run"
    warn = badge("compare with care", "warn") if differing and len(columns) > 1 else ""
    signatures = {letter: [signature_of(run) for run in runs] for letter, runs in view.runs.items()}
    keys = dict.fromkeys(key for own in signatures.values() for signature in own for key in signature)
    head = "".join(
        f'<th scope="col" data-column="{column.letter}">{column.letter} {escaped(column.model)}</th>'
        for column in columns
    )
    rows = "".join(
        f'<tr{" class=differs" if key in differing else ""}><th scope="row">{escaped(one_line(key))}'
        f"{' ' + badge('differs', 'warn') if key in differing else ''}</th>"
        + "".join(
            f'<td data-column="{column.letter}">{escaped(one_line(_signed(signatures[column.letter], key)))}</td>'
            for column in columns
        )
        + "</tr>"
        for key in keys
    )
    return (
        f'<details class="signatures"><summary>Signatures: {escaped(one_line(told))} {warn}</summary>'
        f'<div class="scroll" tabindex="0" role="region" aria-label="Signatures"><table><thead><tr><th></th>{head}</tr>'
        f"</thead><tbody>{rows}</tbody></table></div></details>"
    )


def _signed(signatures: Sequence[Mapping[str, str]], key: str) -> str:
    values = {signature.get(key, "untold") for signature in signatures}
    return next(iter(values)) if len(values) == 1 else _SEVERAL
