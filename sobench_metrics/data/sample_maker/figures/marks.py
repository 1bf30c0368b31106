"""The marks of a chart: bars that lie or stand, side by side or stacked; lines, dots, slices, tinted cells."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from matplotlib.axes import Axes

    from sobench_metrics.data.sample_maker.figures.dress import Dress
    from sobench_metrics.data.sample_maker.figures.topics import Figures

__all__ = ["bars", "cells", "dots", "lines", "scale", "slices", "stacks"]

_HATCH = ("", "//", "..", "xx")
_SIGNS = ("o", "s", "^", "D", "v")


def bars(axes: Axes, figures: Figures, dress: Dress, rng: Random, *, lying: bool) -> None:
    """Bars with their numbers printed at their ends."""
    number = len(figures.series)
    width = 0.8 / number
    hatched = rng.randrange(4) == 0
    for index, (name, values) in enumerate(zip(figures.series, figures.values, strict=True)):
        places = [place + width * index for place in range(len(values))]
        look: dict[str, Any] = {"label": name, "color": dress.colours[index], "hatch": _HATCH[index] if hatched else "",
                                "edgecolor": dress.ground}  # fmt: skip
        drawn = axes.barh(places, values, width, **look) if lying else axes.bar(places, values, width, **look)
        axes.bar_label(drawn, fmt="%d", padding=3, fontsize=dress.size - 1)
    middle = [place + 0.4 - width / 2 for place in range(len(figures.categories))]
    _named(axes, middle, figures, dress, lying=lying)
    if lying:
        axes.invert_yaxis()  # the first one on top
    axes.margins(x=0.14 if lying else None, y=None if lying else 0.14)


def stacks(axes: Axes, figures: Figures, dress: Dress, _rng: Random, *, lying: bool) -> None:
    """One column a category, its parts on top of one another, each with its number in the middle."""
    floor = [0.0] * len(figures.categories)
    for index, (name, values) in enumerate(zip(figures.series, figures.values, strict=True)):
        places = range(len(values))
        look: dict[str, Any] = {"label": name, "color": dress.colours[index], "edgecolor": dress.ground}
        if lying:
            drawn = axes.barh(places, values, 0.66, left=floor, **look)
        else:
            drawn = axes.bar(places, values, 0.66, bottom=floor, **look)
        back = {"boxstyle": "round,pad=0.15", "facecolor": dress.ground, "edgecolor": "none"}
        axes.bar_label(drawn, fmt="%d", label_type="center", fontsize=dress.size - 2, bbox=back)
        floor = [low + value for low, value in zip(floor, values, strict=True)]
    _named(axes, list(range(len(figures.categories))), figures, dress, lying=lying)
    if lying:
        axes.invert_yaxis()


def lines(axes: Axes, figures: Figures, dress: Dress, rng: Random) -> None:
    """Lines through marks that lie on the scale's marks."""
    dashed = rng.randrange(3) == 0
    where = rng.choice(("default", "default", "steps-mid"))
    for index, (name, values) in enumerate(zip(figures.series, figures.values, strict=True)):
        axes.plot(
            range(len(values)), values, marker=_SIGNS[index], markersize=8, linewidth=2, color=dress.colours[index],
            label=name, linestyle=("-", "--", ":")[index] if dashed else "-", drawstyle=where,
        )  # fmt: skip
    _named(axes, list(range(len(figures.categories))), figures, dress, lying=False)
    scale(axes, figures, dress)


def dots(axes: Axes, figures: Figures, dress: Dress, rng: Random) -> None:
    """A lollipop or a dot a category, its number beside it."""
    (values,) = figures.values
    places = list(range(len(values)))
    if rng.randrange(2):
        axes.hlines(places, 0, values, color=dress.grid, linewidth=2)
    axes.plot(values, places, rng.choice(_SIGNS), markersize=11, color=dress.colours[0])
    for place, value in zip(places, values, strict=True):
        axes.annotate(str(value), (value, place), xytext=(10, 0), textcoords="offset points", va="center")
    _named(axes, places, figures, dress, lying=True)
    axes.set_xlim(0, max(values) * 1.2)
    axes.invert_yaxis()


def slices(axes: Axes, names: tuple[str, ...], shares: list[int], dress: Dress, rng: Random) -> None:
    """A pie or a ring, clockwise from the top, with its percentages."""
    ring = rng.randrange(2) == 0
    wedges = {"edgecolor": dress.ground, "linewidth": 2, **({"width": 0.5} if ring else {})}
    colours = [colour + "b0" for colour in dress.colours]
    _, _, printed = axes.pie(
        shares, labels=names, autopct="%d%%", startangle=90, counterclock=False, colors=colours, wedgeprops=wedges,
        pctdistance=0.75,
    )  # fmt: skip
    for text in printed:
        text.set_bbox({"boxstyle": "round,pad=0.15", "facecolor": dress.ground, "edgecolor": "none"})


def cells(axes: Axes, figures: Figures, dress: Dress, _rng: Random) -> None:
    """A grid of tinted cells with their numbers: series down, categories across."""
    tints = "Greys" if dress.ink < "#8" else "bone"
    axes.imshow(figures.values, cmap=tints, vmin=0, vmax=2.2 * figures.top, aspect="auto")
    for row, values in enumerate(figures.values):
        for column, value in enumerate(values):
            axes.text(column, row, str(value), ha="center", va="center", fontsize=dress.size,
                      color="#101214" if dress.ink < "#8" else "#f4f6f8")  # fmt: skip
    axes.set_xticks(range(len(figures.categories)), figures.categories, rotation=_turn(figures))
    axes.set_yticks(range(len(figures.series)), figures.series)
    for spine in axes.spines.values():
        spine.set_visible(False)


def scale(axes: Axes, figures: Figures, dress: Dress) -> None:
    """Mark the scale so finely that each value lies on a line."""
    step = figures.top // 20
    axes.set_ylim(0, figures.top)
    axes.set_yticks(range(0, figures.top + 1, 2 * step))
    axes.set_yticks(range(step, figures.top, 2 * step), minor=True)
    axes.grid(visible=True, which="major", axis="both" if dress.gridded == "both" else "y", color=dress.grid)
    axes.grid(visible=True, which="minor", axis="y", color=dress.grid, alpha=0.45)


def _named(axes: Axes, places: Sequence[float], figures: Figures, dress: Dress, *, lying: bool) -> None:
    if lying:
        axes.set_yticks(places, figures.categories)
        axes.set_xlabel(figures.unit)
    else:
        turn = _turn(figures)
        axes.set_xticks(places, figures.categories, rotation=turn, ha="right" if turn else "center")
        axes.set_ylabel(figures.unit)
    if dress.gridded != "none":
        axes.grid(visible=True, axis="x" if lying else "y", color=dress.grid)


def _turn(figures: Figures) -> int:
    return 30 if sum(map(len, figures.categories)) > 34 else 0
