"""What charts are about: measures with units, things that are measured, and series to compare."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sobench_metrics.data.sample_maker.words import CITIES, FIRST_NAMES

if TYPE_CHECKING:
    from random import Random

__all__ = ["Figures", "sample_figures"]

_MEASURES = (
    ("Loans", "items", 40, 900), ("Rainfall", "mm", 5, 180), ("Visitors", "people", 20, 950),
    ("Output", "kWh", 10, 480),
    ("Turnover", "thousand EUR", 12, 320), ("Waiting time", "minutes", 2, 90), ("Harvest", "tonnes", 3, 75),
    ("Complaints", "calls", 1, 60), ("Noise", "dB", 30, 96), ("Members", "people", 15, 640),
    ("Stock", "crates", 4, 240),
    ("Speed", "km/h", 8, 130), ("Moisture", "%", 6, 94), ("Overtime", "hours", 1, 48), ("Repairs", "jobs", 2, 70),
    ("Sugar content", "g/l", 2, 120), ("Pulse", "beats per minute", 48, 176), ("Deliveries", "parcels", 10, 860),
)  # fmt: skip
_THINGS = (
    ("town", CITIES), ("weekday", ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")),
    ("month", ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")),
    ("year", tuple(str(year) for year in range(2019, 2032))),
    ("team", ("Red", "Blue", "Green", "Amber", "Grey", "White")),
    ("person", FIRST_NAMES), ("age group", ("0-9", "10-19", "20-34", "35-49", "50-64", "65+")),
    ("crop", ("Rye", "Oats", "Maize", "Beans", "Hops", "Flax", "Barley")),
    ("machine", ("Press 1", "Press 2", "Lathe", "Kiln", "Saw", "Mixer", "Oven")),
    ("floor", ("Cellar", "Ground", "First", "Second", "Third", "Attic")),
    ("grade", ("A", "B", "C", "D", "E", "F")), ("quarter", ("Q1", "Q2", "Q3", "Q4")),
)  # fmt: skip
_ORDERED = ("weekday", "month", "year", "age group", "grade", "quarter", "floor")
_SERIES = (
    ("2029", "2030", "2031"), ("North", "South", "West"), ("Plan", "Actual", "Forecast"),
    ("Morning", "Noon", "Night"),
    ("Old", "New", "Rebuilt"), ("Site A", "Site B", "Site C"), ("Adults", "Children", "Seniors"),
    ("Rail", "Road", "Water"), ("Control", "Low dose", "High dose"),
)  # fmt: skip
_TITLES = (
    "{measure} by {thing}", "{measure} per {thing}", "{measure} ({unit})", "{measure} at a glance",
    "{measure}: a survey",
    "Figure {number}. {measure}", "{measure} in {year}", "{lower}, by {thing}", "Our {lower}, {thing} by {thing}",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Figures:
    """The numbers behind one chart: `values[series][category]`."""

    title: str
    measure: str
    unit: str
    thing: str
    categories: tuple[str, ...]
    series: tuple[str, ...]
    values: tuple[tuple[int, ...], ...]
    top: int


def sample_figures(rng: Random, *, series: int, fewest: int = 3, most: int = 8, on_scale: bool = False) -> Figures:
    """Return drawn numbers; `on_scale` puts each on one of twenty marks, no two of a category on the same."""
    measure, unit, low, high = rng.choice(_MEASURES)
    thing, pool = rng.choice([entry for entry in _THINGS if len(entry[1]) >= fewest])
    number = rng.randint(fewest, min(most, len(pool)))
    if thing in _ORDERED:
        start = rng.randint(0, len(pool) - number)
        categories = pool[start : start + number]
    else:
        categories = tuple(rng.sample(pool, number))
    top = high
    values = tuple(tuple(rng.randint(low, high) for _ in categories) for _ in range(series))
    if on_scale:
        step = max(1, high // 20)
        top = step * 20
        columns = [rng.sample(range(1, 20), series) for _ in categories]
        values = tuple(tuple(column[index] * step for column in columns) for index in range(series))
    title = rng.choice(_TITLES).format(
        measure=measure,
        lower=measure.lower(),
        unit=unit,
        thing=thing,
        number=rng.randint(1, 19),
        year=rng.randint(2024, 2032),
    )
    names = tuple(rng.sample(rng.choice(_SERIES), series)) if series > 1 else (measure,)
    return Figures(title, measure, unit, thing, tuple(categories), names, values, top)
