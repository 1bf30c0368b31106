"""Domain chart: matplotlib figures whose values are printed, or can be read from gridlines by a patient person."""

from io import BytesIO
from random import Random

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

from sobench_metrics.data.sample_maker.drawn import (
    Drawn,
    Kind,
    Record,
    arr,
    choice,
    integer,
    labels,
    nullable,
    number,
    obj,
    text,
)
from sobench_metrics.data.sample_maker.words import CITIES, PALETTES

__all__ = ["KINDS"]

_HATCH = ("", "//", "..", "xx")
_MARKS = ("o", "s", "^", "D")


def _figure(width: float = 7.2, height: float = 4.8) -> tuple[Figure, Axes]:
    figure = Figure(figsize=(width, height), dpi=100)
    return figure, figure.add_subplot()


def _picture(figure: Figure) -> Image.Image:
    figure.tight_layout()
    FigureCanvasAgg(figure)
    stored = BytesIO()
    figure.savefig(stored, format="png")
    return Image.open(stored).convert("RGB")


def _colours(rng: Random) -> list[str]:
    accents = [accent for accent, _, _ in PALETTES]
    rng.shuffle(accents)
    return accents


def bar(rng: Random) -> Drawn:
    title, unit, low, high = rng.choice([
        ("Trees planted by district", "trees", 120, 980), ("Library loans by branch", "loans", 300, 5200),
        ("Rainfall by station", "mm", 20, 180),
    ])  # fmt: skip
    bars: list[Record] = [{"label": city, "value": rng.randint(low, high)} for city in rng.sample(CITIES, 6)]
    figure, axes = _figure()
    drawn = axes.bar(range(6), [entry["value"] for entry in bars], color=_colours(rng)[0])
    axes.bar_label(drawn, labels=[f"{entry['value']}" for entry in bars], padding=3, fontsize=12)
    axes.set_xticks(range(6), [entry["label"] for entry in bars], rotation=20, ha="right", fontsize=11)
    axes.set_title(title, fontsize=15)
    axes.set_ylabel(unit, fontsize=12)
    axes.margins(y=0.12)
    target: Record = {"title": title, "unit": unit, "bars": bars}
    return Drawn(
        _picture(figure),
        obj(
            title=text(),
            unit=text("Label of the vertical axis"),
            bars=arr(obj(label=text(), value=integer(0)), minItems=1),
        ),
        rng.choice(
            ["Give me the numbers behind this bar chart, left to right.", "Recover the data table of the figure."]
        ),
        target,
        labels(target),
    )


def grouped_bar(rng: Random) -> Drawn:
    title, names = rng.choice([
        ("Hours of practice per week", ["2029", "2030", "2031"]),
        ("Survey: how do you get to work?", ["Women", "Men"]),
        ("Harvest in tonnes", ["Field A", "Field B", "Field C"]),
    ])  # fmt: skip
    pool = {
        "Hours of practice per week": ["Violin", "Cello", "Flute", "Drums"],
        "Survey: how do you get to work?": ["Bike", "Bus", "Car", "On foot"],
        "Harvest in tonnes": ["Apples", "Beans", "Oats", "Maize"],
    }[title]
    groups: list[Record] = [
        {"category": category, "values": [{"series": name, "value": rng.randint(4, 48)} for name in names]}
        for category in pool
    ]
    figure, axes = _figure(7.6)
    width = 0.8 / len(names)
    for index, (name, colour) in enumerate(zip(names, _colours(rng), strict=False)):
        heights = [group["values"][index]["value"] for group in groups]
        drawn = axes.bar([place + width * index for place in range(4)], heights, width, label=name, color=colour,
                         hatch=_HATCH[index], edgecolor="white")  # fmt: skip
        axes.bar_label(drawn, fmt="%d", padding=2, fontsize=11)
    axes.set_xticks([place + 0.4 - width / 2 for place in range(4)], pool, fontsize=12)
    axes.set_title(title, fontsize=15)
    axes.legend(fontsize=11, ncols=len(names), loc="upper center", bbox_to_anchor=(0.5, -0.08))
    axes.margins(y=0.1)
    value = obj(series=text(), value=integer(0))
    target: Record = {"title": title, "groups": groups}
    return Drawn(
        _picture(figure),
        obj(title=text(), groups=arr(obj(category=text(), values=arr(value, minItems=2)), minItems=1)),
        rng.choice([
            "For every group on the horizontal axis list the value of each series, in legend order.",
            "Chart to data, please: groups first, inside them the series.",
        ]),
        target,
        labels(target),
    )  # fmt: skip


def line(rng: Random) -> Drawn:
    title, y_label = rng.choice(
        [("Lake level", "cm above mark"), ("Visitors per day", "visitors"), ("Battery charge", "%")]
    )
    days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    series: list[Record] = [
        {"name": name, "points": [{"x": day, "y": rng.randrange(low, low + 45, 5)} for day in days]}
        for name, low in zip(rng.sample(CITIES, 2), (5, 50), strict=True)
    ]
    figure, axes = _figure()
    for entry, colour, mark in zip(series, _colours(rng), _MARKS, strict=False):
        heights = [point["y"] for point in entry["points"]]
        axes.plot(days, heights, marker=mark, markersize=8, linewidth=2, color=colour, label=entry["name"])
    axes.set_ylim(0, 100)
    axes.set_yticks(range(0, 101, 10))
    axes.set_yticks(range(5, 100, 10), minor=True)
    axes.grid(visible=True, which="major", color="#b8bec7")
    axes.grid(visible=True, which="minor", axis="y", color="#e2e5ea")
    axes.set_title(title, fontsize=15)
    axes.set_ylabel(y_label, fontsize=12)
    axes.legend(fontsize=11, loc="upper center", bbox_to_anchor=(0.5, -0.1), ncols=2)
    point_schema = obj(x=choice(*days), y=number(0, 100, "Read from the gridlines; an estimate is fine"))
    series_schema = obj(name=text(), points=arr(point_schema, minItems=7, maxItems=7))
    target: Record = {"title": title, "y_label": y_label, "series": series}
    return Drawn(
        _picture(figure),
        obj(title=text(), y_label=text(), series=arr(series_schema)),
        rng.choice([
            "Estimate every plotted point of both lines as well as the grid allows.",
            "I lost the spreadsheet. Rebuild both series day by day from the plot, in legend order.",
        ]),
        target,
        labels(target, fuzzy={"y"}),
    )  # fmt: skip


def pie(rng: Random) -> Drawn:
    topic, names = rng.choice([
        ("Where the household budget goes", ["Rent", "Food", "Transport", "Savings", "Leisure"]),
        ("Energy mix of the island", ["Wind", "Solar", "Hydro", "Biogas", "Imports"]),
        ("Favourite breakfast", ["Porridge", "Toast", "Fruit", "Eggs", "None"]),
    ])  # fmt: skip
    cuts = sorted(rng.sample(range(2, 19), 4))
    shares = [5 * (after - before) for before, after in zip([0, *cuts], [*cuts, 20], strict=True)]
    target = [{"slice": name, "percent": share} for name, share in zip(names, shares, strict=True)]
    figure, axes = _figure(6.0, 5.2)
    axes.pie(shares, labels=names, autopct="%d%%", startangle=90, counterclock=False, pctdistance=0.75,
             colors=[colour + "a0" for colour in _colours(rng)], textprops={"fontsize": 13},
             wedgeprops={"edgecolor": "white", "linewidth": 2})  # fmt: skip
    axes.set_title(topic, fontsize=15)
    schema = arr(obj(slice=text(), percent=number(0, 100)), minItems=1)
    return Drawn(
        _picture(figure),
        schema,
        rng.choice([
            "List the slices clockwise from twelve o'clock with their percentages.",
            "Just an array of slices with their shares, starting at the top and going clockwise.",
        ]),
        target,
        labels(target),
    )  # fmt: skip


def scatter(rng: Random) -> Drawn:
    x_name, x_unit, y_name, y_unit = rng.choice([
        ("Weight", "kg", "Range", "km"), ("Age", "years", "Height", "m"), ("Price", "EUR", "Score", "points"),
    ])  # fmt: skip
    names = rng.sample(["Amber", "Birch", "Comet", "Dune", "Elk", "Fjord", "Gale", "Heron"], 6)
    columns = [3 * slot + rng.randint(1, 2) for slot in range(6)]  # two names side by side never touch
    rows = rng.sample(range(1, 19), 6)
    points: list[Record] = [
        {"name": name, "x": 5 * x, "y": 5 * y} for name, x, y in zip(names, columns, rows, strict=True)
    ]
    figure, axes = _figure()
    colour = _colours(rng)[0]
    for point in points:
        place = (point["x"], point["y"])
        axes.plot(*place, marker="o", markersize=9, color=colour)
        axes.annotate(point["name"], place, xytext=(0, 9), textcoords="offset points", ha="center", fontsize=12)
    axes.set_xlim(0, 100)
    axes.set_ylim(0, 100)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_ticks(range(0, 101, 10))
        axis.set_ticks(range(5, 100, 10), minor=True)
    axes.grid(visible=True, which="major", color="#b8bec7")
    axes.grid(visible=True, which="minor", color="#e8eaee")
    axes.set_xlabel(f"{x_name} ({x_unit})", fontsize=12)
    axes.set_ylabel(f"{y_name} ({y_unit})", fontsize=12)
    axis_schema = obj(name=text(), unit=nullable(text()))
    target: Record = {
        "x_axis": {"name": x_name, "unit": x_unit},
        "y_axis": {"name": y_name, "unit": y_unit},
        "points": points,
        "impression": "No clear relation",
    }
    schema = obj(x_axis=axis_schema, y_axis=axis_schema,
                 points=arr(obj(name=text(), x=number(0, 100), y=number(0, 100)), description="From left to right"),
                 impression=text("Your own short comment on the relation"))  # fmt: skip
    return Drawn(
        _picture(figure),
        schema,
        rng.choice([
            "Read off all named points, ordered from left to right; estimates are welcome.",
            "Which items are plotted and where? Sort them by the horizontal axis.",
        ]),
        target,
        labels(target, fuzzy={"x", "y"}, ignore={"impression"}),
    )  # fmt: skip


def stacked_bar(rng: Random) -> Drawn:
    title, parts = rng.choice([
        ("Shifts by team", ["Early", "Late", "Night"]),
        ("Waste collected (t)", ["Paper", "Glass", "Organic"]),
        ("Tickets by type", ["Adult", "Child", "Senior"]),
    ])  # fmt: skip
    stacks: list[Record] = []
    for label in rng.sample(["North", "East", "South", "West", "Centre", "Harbour"], 4):
        values = [rng.randint(8, 40) for _ in parts]
        shown = [{"part": part, "value": value} for part, value in zip(parts, values, strict=True)]
        stacks.append({"label": label, "parts": shown, "total": sum(values)})
    figure, axes = _figure()
    floor = [0.0] * 4
    for index, (part, colour) in enumerate(zip(parts, _colours(rng), strict=False)):
        heights = [stack["parts"][index]["value"] for stack in stacks]
        drawn = axes.bar(range(4), heights, 0.6, bottom=floor, label=part, color=colour)
        axes.bar_label(drawn, fmt="%d", label_type="center", color="white", fontsize=12, fontweight="bold")
        floor = [low + height for low, height in zip(floor, heights, strict=True)]
    for place, top in enumerate(floor):
        axes.text(place, top + 1.5, f"{top:.0f}", ha="center", fontsize=13)
    axes.set_xticks(range(4), [stack["label"] for stack in stacks], fontsize=12)
    axes.set_title(title, fontsize=15)
    axes.set_ylim(0, max(floor) * 1.12)
    axes.legend(fontsize=11, loc="upper center", bbox_to_anchor=(0.5, -0.08), ncols=3)
    part_schema = obj(part=choice(*parts), value=integer(0))
    stack_schema = obj(label=text(), parts=arr(part_schema, minItems=3, maxItems=3), total=integer(0))
    target: Record = {"title": title, "stacks": stacks}
    return Drawn(
        _picture(figure),
        obj(title=text(), stacks=arr(stack_schema)),
        rng.choice([
            "Every column with its parts from bottom to top and the total printed above it.",
            "Split each stack into its parts (legend order) and add the printed sum.",
        ]),
        target,
        labels(target),
    )  # fmt: skip


def table_figure(rng: Random) -> Drawn:
    title, unit = rng.choice([("Kiln output", "pieces"), ("Ferry passengers", "thousands"), ("Honey yield", "kg")])
    columns = ["Q1", "Q2", "Q3", "Q4"]
    rows: list[Record] = [
        {"name": name, "cells": [{"column": column, "value": rng.randint(5, 95)} for column in columns]}
        for name in rng.sample(CITIES, 3)
    ]
    figure, axes = _figure(7.6, 5.2)
    colours = _colours(rng)
    for index, (row, colour) in enumerate(zip(rows, colours, strict=False)):
        heights = [cell["value"] for cell in row["cells"]]
        axes.bar([place + 0.25 * index - 0.25 for place in range(4)], heights, 0.25, color=colour)
    axes.set_xlim(-0.5, 3.5)
    axes.set_xticks([])
    axes.set_ylabel(unit, fontsize=12)
    axes.set_title(title, fontsize=15)
    table = axes.table(
        cellText=[[str(cell["value"]) for cell in row["cells"]] for row in rows],
        rowLabels=[row["name"] for row in rows], colLabels=columns, cellLoc="center", loc="bottom",
        rowColours=[colour + "66" for colour in colours[:3]],
    )  # fmt: skip
    table.auto_set_font_size(False)
    table.set_fontsize(12)
    table.scale(1, 1.7)
    cell_schema = obj(column=choice(*columns), value=number(0))
    row_schema = obj(name=text(), cells=arr(cell_schema, minItems=4, maxItems=4))
    target: Record = {"figure": {"title": title, "unit": unit, "table": {"rows": rows}}}
    return Drawn(
        _picture(figure),
        obj(figure=obj(title=text(), unit=text(), table=obj(rows=arr(row_schema, minItems=1)))),
        rng.choice([
            "Take the exact values from the table beneath the bars.",
            "Title, unit and the full table of this figure, row by row.",
        ]),
        target,
        labels(target),
    )  # fmt: skip


def _in_default_style(kind: Kind) -> Kind:
    """Draw under matplotlib's shipped settings, whatever the user's own matplotlibrc says."""

    def drawn(rng: Random) -> Drawn:
        with mpl.rc_context():
            mpl.rcdefaults()
            return kind(rng)

    return drawn


KINDS: dict[str, Kind] = {
    name: _in_default_style(kind)
    for name, kind in (
        ("bar", bar),
        ("grouped_bar", grouped_bar),
        ("line", line),
        ("pie", pie),
        ("scatter", scatter),
        ("stacked_bar", stacked_bar),
        ("table_figure", table_figure),
    )
}
