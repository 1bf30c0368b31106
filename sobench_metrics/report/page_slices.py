"""The slices of a view as tables of small bars, one figure shown at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sobench_metrics.data.contact_sheet_page import escaped
from sobench_metrics.data.plain_words import counted
from sobench_metrics.report.figures import figures_of
from sobench_metrics.report.plots import share_bar
from sobench_metrics.report.slice_figures import alike, dimensions
from sobench_metrics.report.texts import counts_text, interval_text, value_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sobench_metrics.report.figures import Figure, Measured
    from sobench_metrics.report.model import Gathered, View
    from sobench_metrics.report.slice_figures import Dimension

__all__ = ["slices_html"]


def slices_html(gathered: Gathered, view: View, number: int) -> str:
    """Return the slices of a view; empty where its samples do not differ in any dimension."""
    letters = [column.letter for column in gathered.columns if column.letter in view.runs]
    places = {column.letter: place for place, column in enumerate(gathered.columns)}
    figures = figures_of(view, recoverable=gathered.recoverable)
    found = dimensions(view, letters, figures)
    same = ", ".join(f"{name}: {group}" for name, group in alike(view))
    told = f'<p class="faint">Alike in all samples: {escaped(same)}.</p>' if same else ""
    if not found:
        return f'<section class="task"><h3>{escaped(view.name)}</h3>{told}</section>\n' if told else ""
    first = next((place for place, figure in enumerate(figures) if figure.name == "field_match"), 0)
    options = "".join(
        f'<option value="{place}"{" selected" if place == first else ""}>{escaped(figure.name)} '
        f"({'tolerant reading' if figure.group == 'tolerant' else figure.group})</option>"
        for place, figure in enumerate(figures)
    )
    blocks = "".join(
        f'<div class="cards" data-figure="{place}"{"" if place == first else " hidden"}>'
        + "".join(_dimension(one, figure, place, places) for one in found if not one.of_fields)
        + "</div>\n"
        for place, figure in enumerate(figures)
    )
    fields = "".join(_dimension(one, None, 0, places) for one in found if one.of_fields)
    below = f'<h4>Fields of the targets, strict recall</h4><div class="cards">{fields}</div>' if fields else ""
    return (
        f'<section class="task"><h3>{escaped(view.name)}</h3><p><label>Figure '
        f'<select class="figure" data-view="{number}">{options}</select></label></p>'
        f'<div id="slices-{number}">{blocks}</div>{below}{told}</section>\n'
    )


def _dimension(found: Dimension, figure: Figure | None, place: int, places: Mapping[str, int]) -> str:
    noun = "field" if found.of_fields else "sample"
    total = sum(group.asked for group in found.groups)
    body = "".join(
        f'<tbody><tr><th colspan="3" scope="rowgroup">{escaped(group.name)} '
        f"<small>{counted(group.asked, noun)}</small></th></tr>{_rows(group.columns, place, places)}</tbody>"
        for group in found.groups
    )
    named = "strict recall of fields" if figure is None else figure.name
    return (
        f'<table class="slices"><caption>{escaped(found.name)} <small>{escaped(named)}, {counted(total, noun)}</small>'
        f'</caption><colgroup><col class="key"><col class="plot"><col></colgroup>{body}</table>'
    )


def _rows(columns: Mapping[str, Sequence[Measured]], place: int, places: Mapping[str, int]) -> str:
    rows = []
    for letter, measured in columns.items():
        found = measured[place]
        rows.append(
            f'<tr data-column="{letter}"><td><span class="letter l{places[letter] % 8}">{letter}</span></td>'
            f"<td>{share_bar(found, places[letter])}</td><td><b>{value_text(found)}</b> "
            f'<small>{interval_text(found)}</small> <small class="of">{counts_text(found)}</small></td></tr>'
        )
    return "".join(rows)
