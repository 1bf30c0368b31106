"""One chart: numbers, marks, dress, and the data that is asked of it in one of several shapes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import matplotlib as mpl

from sobench_metrics.data.sample_maker.drawn import Drawn, arr, choice, integer, labels, number, obj, text
from sobench_metrics.data.sample_maker.figures import dress as dresses
from sobench_metrics.data.sample_maker.figures import marks
from sobench_metrics.data.sample_maker.figures.topics import Figures, sample_figures

if TYPE_CHECKING:
    from random import Random

    from sobench_metrics.data.sample_maker.drawn import Schema

__all__ = ["chart_figure"]

_ESTIMATE = "Read from the scale; an estimate is fine"
_ORDER = "In the order of the legend, or from top to bottom where there is none"
_WISHES = (
    "Give me the data behind this chart.", "I need the numbers, not the picture.", "rebuild the table of this figure",
    "The spreadsheet is lost; recover it from the plot.", "Chart to JSON, please.", "Which values are shown here?",
    "Read off every value, in the order of the axis.", "Make this figure machine-readable.",
    "For a check of our report: what does the chart say, number by number?", "Write down all that is plotted.",
    "My screen reader stops at this chart. What is in it?", "Digitise the plot, labels as printed.",
)  # fmt: skip


def chart_figure(rng: Random) -> Drawn:
    """A chart in a drawn form, under matplotlib's shipped settings whatever the user's own are."""
    with mpl.rc_context():
        mpl.rcdefaults()
        look = dresses.sample_dress(rng)
        return rng.choice((_bars, _bars, _stacked, _lines, _dots, _parts, _cells))(look, rng)


def _bars(look: dresses.Dress, rng: Random) -> Drawn:
    figures = sample_figures(rng, series=rng.choice((1, 1, 2, 3)), most=6)
    lying = rng.randrange(2) == 0
    return _drawn(figures, look, rng, lambda axes: marks.bars(axes, figures, look, rng, lying=lying))


def _stacked(look: dresses.Dress, rng: Random) -> Drawn:
    figures = sample_figures(rng, series=rng.choice((2, 3)), most=6)
    low = figures.top // 8  # a part that is too thin has no room for its number
    figures = _with(figures, tuple(tuple(max(value, low + 1) for value in row) for row in figures.values))
    lying = rng.randrange(2) == 0
    return _drawn(figures, look, rng, lambda axes: marks.stacks(axes, figures, look, rng, lying=lying))


def _lines(look: dresses.Dress, rng: Random) -> Drawn:
    figures = sample_figures(rng, series=rng.choice((1, 2, 2, 3)), fewest=4, on_scale=True)
    return _drawn(figures, look, rng, lambda axes: marks.lines(axes, figures, look, rng), estimated=True)


def _dots(look: dresses.Dress, rng: Random) -> Drawn:
    figures = sample_figures(rng, series=1, fewest=4)
    return _drawn(figures, look, rng, lambda axes: marks.dots(axes, figures, look, rng))


def _cells(look: dresses.Dress, rng: Random) -> Drawn:
    figures = sample_figures(rng, series=3, most=6)
    return _drawn(figures, look, rng, lambda axes: marks.cells(axes, figures, look, rng))


def _parts(look: dresses.Dress, rng: Random) -> Drawn:
    figures = sample_figures(rng, series=1, most=6)
    spare = 20 - 2 * len(figures.categories)  # twentieths beyond the two of each slice: none is below 10 %
    cuts = sorted(rng.randint(0, spare) for _ in figures.categories[1:])
    shares = [5 * (after - before) + 10 for before, after in zip([0, *cuts], [*cuts, spare], strict=True)]
    figure, axes = dresses.figure_of(look)
    marks.slices(axes, figures.categories, shares, look, rng)
    axes.set_title(figures.title, loc=look.title, fontsize=look.size + 3)
    target = [{"label": name, "percent": share} for name, share in zip(figures.categories, shares, strict=True)]
    schema = arr(obj(label=text(), percent=number(0, 100)), minItems=1)
    wish = rng.choice(_WISHES) + " Start at the top and go clockwise."
    return _answered(Drawn(dresses.picture(figure), schema, wish, target, labels(target)), figures, rng)


def _drawn(figures: Figures, look: dresses.Dress, rng: Random, mark: Any, *, estimated: bool = False) -> Drawn:
    figure, axes = dresses.figure_of(look)
    mark(axes)
    dresses.titled(axes, figures.title, look)
    if len(figures.series) > 1 and axes.get_legend_handles_labels()[1]:
        dresses.legend(axes, look, len(figures.series))
    image = dresses.picture(figure)
    value = number(0, description=_ESTIMATE) if estimated else integer(0)
    shape = rng.choice((_by_series, _by_category, _flat, _columns)) if len(figures.series) > 1 else _single
    schema, data = shape(figures, value)
    wish = rng.choice(_WISHES)
    rules = labels(data, fuzzy=("value", "values", "y") if estimated else ())
    return _answered(Drawn(image, schema, wish, data, rules), figures, rng)


def _answered(drawn: Drawn, figures: Figures, rng: Random) -> Drawn:
    """Wrap the data, mostly, together with the chart's title."""
    if rng.randrange(3) == 0:
        return drawn
    return replace(
        drawn,
        schema=obj(title=text("as printed"), data=drawn.schema),
        target={"title": figures.title, "data": drawn.target},
        labels={"title": "exact", "data": drawn.labels},
    )


def _single(figures: Figures, value: Schema) -> tuple[Schema, Any]:
    data = [{"label": name, "value": shown} for name, shown in zip(figures.categories, figures.values[0], strict=True)]
    return arr(obj(label=text(), value=value), minItems=1), data


def _by_series(figures: Figures, value: Schema) -> tuple[Schema, Any]:
    data = [
        {"name": name, "points": [{"x": x, "y": y} for x, y in zip(figures.categories, row, strict=True)]}
        for name, row in zip(figures.series, figures.values, strict=True)
    ]
    return arr(obj(name=text(), points=arr(obj(x=text(), y=value), minItems=1)), minItems=1, description=_ORDER), data


def _by_category(figures: Figures, value: Schema) -> tuple[Schema, Any]:
    columns = list(zip(*figures.values, strict=True))
    told = [[{"series": name, "value": y} for name, y in zip(figures.series, row, strict=True)] for row in columns]
    data = [{"category": label, "values": values} for label, values in zip(figures.categories, told, strict=True)]
    inner = obj(series=choice(*figures.series), value=value)
    return arr(obj(category=text(), values=arr(inner, minItems=1, description=_ORDER)), minItems=1), data


def _flat(figures: Figures, value: Schema) -> tuple[Schema, Any]:
    data = [
        {"series": name, "label": label, "value": shown}
        for name, row in zip(figures.series, figures.values, strict=True)
        for label, shown in zip(figures.categories, row, strict=True)
    ]
    described = obj(series=choice(*figures.series), label=text(), value=value)
    return arr(described, minItems=1, description=f"Series by series, {_ORDER[0].lower()}{_ORDER[1:]}"), data


def _columns(figures: Figures, value: Schema) -> tuple[Schema, Any]:
    data = {
        "labels": list(figures.categories),
        "columns": [
            {"series": name, "values": list(row)} for name, row in zip(figures.series, figures.values, strict=True)
        ],
    }  # fmt: skip
    column = obj(series=text(), values=arr(value, minItems=1))
    return obj(labels=arr(text(), minItems=1), columns=arr(column, minItems=1, description=_ORDER)), data


def _with(figures: Figures, values: tuple[tuple[int, ...], ...]) -> Figures:
    return replace(figures, values=values)
