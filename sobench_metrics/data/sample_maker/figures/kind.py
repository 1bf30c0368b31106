"""One chart: numbers, marks, dress, and the data that is asked of it in one of several shapes."""

from __future__ import annotations

from dataclasses import dataclass, replace
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
_VALUES = "values"
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
    keys = _sample_keys(figures, rng)
    value = number(0, description=_ESTIMATE) if estimated else integer(0)
    shape = rng.choice((_by_series, _by_category, _flat, _columns)) if len(figures.series) > 1 else _single
    schema, data = shape(figures, value, keys)
    rules = labels(data, fuzzy=(keys.value, _VALUES) if estimated else ())
    drawn = _answered(Drawn(image, schema, rng.choice(_WISHES), data, rules), figures, rng)
    has_unit = axes.get_xlabel() or axes.get_ylabel()
    return _with_unit(drawn, figures) if has_unit and rng.randrange(2) else drawn


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


def _with_unit(drawn: Drawn, figures: Figures) -> Drawn:
    """Ask for the unit at the axis, too, where a title is asked for."""
    if not isinstance(drawn.target, dict) or "title" not in drawn.target:
        return drawn
    schema = obj(**drawn.schema["properties"], unit=text("as printed at the axis of the values"))
    target, rules = {**drawn.target, "unit": figures.unit}, {**drawn.labels, "unit": "exact"}
    return replace(drawn, schema=schema, target=target, labels=rules)


@dataclass(frozen=True, slots=True)
class _Keys:
    """What a category, a number and a series are called in the answer."""

    label: str
    value: str
    series: str


def _sample_keys(figures: Figures, rng: Random) -> _Keys:
    thing, measure = (name.lower().replace(" ", "_") for name in (figures.thing, figures.measure))
    label = rng.choice(("label", "category", "x", thing))
    return _Keys(
        label, rng.choice(("value", "y", "amount", measure)), rng.choice(("series", "name", "group", "legend"))
    )


def _single(figures: Figures, value: Schema, keys: _Keys) -> tuple[Schema, Any]:
    data = [{keys.label: x, keys.value: y} for x, y in zip(figures.categories, figures.values[0], strict=True)]
    return arr(obj(**{keys.label: text(), keys.value: value}), minItems=1), data


def _by_series(figures: Figures, value: Schema, keys: _Keys) -> tuple[Schema, Any]:
    told = [
        [{keys.label: x, keys.value: y} for x, y in zip(figures.categories, row, strict=True)] for row in figures.values
    ]
    data = [{keys.series: name, "points": points} for name, points in zip(figures.series, told, strict=True)]
    point = obj(**{keys.label: text(), keys.value: value})
    one = obj(**{keys.series: text(), "points": arr(point, minItems=1)})
    return arr(one, minItems=1, description=_ORDER), data


def _by_category(figures: Figures, value: Schema, keys: _Keys) -> tuple[Schema, Any]:
    columns = list(zip(*figures.values, strict=True))
    told = [
        [{keys.series: name, keys.value: y} for name, y in zip(figures.series, row, strict=True)] for row in columns
    ]
    data = [{keys.label: label, _VALUES: values} for label, values in zip(figures.categories, told, strict=True)]
    inner = obj(**{keys.series: choice(*figures.series), keys.value: value})
    one = obj(**{keys.label: text(), _VALUES: arr(inner, minItems=1, description=_ORDER)})
    return arr(one, minItems=1), data


def _flat(figures: Figures, value: Schema, keys: _Keys) -> tuple[Schema, Any]:
    data = [
        {keys.series: name, keys.label: label, keys.value: shown}
        for name, row in zip(figures.series, figures.values, strict=True)
        for label, shown in zip(figures.categories, row, strict=True)
    ]
    one = obj(**{keys.series: choice(*figures.series), keys.label: text(), keys.value: value})
    return arr(one, minItems=1, description=f"Series by series, {_ORDER[0].lower()}{_ORDER[1:]}"), data


def _columns(figures: Figures, value: Schema, keys: _Keys) -> tuple[Schema, Any]:
    data = {
        keys.label: list(figures.categories),
        "columns": [
            {keys.series: name, _VALUES: list(row)} for name, row in zip(figures.series, figures.values, strict=True)
        ],
    }
    column = obj(**{keys.series: text(), _VALUES: arr(value, minItems=1)})
    labelled = {keys.label: arr(text(), minItems=1), "columns": arr(column, minItems=1, description=_ORDER)}
    return obj(**labelled), data


def _with(figures: Figures, values: tuple[tuple[int, ...], ...]) -> Figures:
    return replace(figures, values=values)
