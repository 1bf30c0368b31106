"""How a chart is dressed: letters, colours, grounds, grid, spines, place of the legend."""

from __future__ import annotations

from colorsys import hls_to_rgb
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING, Any, Literal

import matplotlib as mpl
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

if TYPE_CHECKING:
    from random import Random

    from matplotlib.axes import Axes

__all__ = ["Dress", "figure_of", "legend", "picture", "sample_dress", "titled"]


_SIDES: tuple[Literal["left", "center", "right"], ...] = ("left", "center", "center", "right")
_PAPERS = ("#ffffff", "#ffffff", "#fbf7ee", "#f0f3f7")


@dataclass(frozen=True, slots=True)
class Dress:
    """One chart's look."""

    family: str
    size: float
    ground: str
    ink: str
    grid: str
    colours: tuple[str, ...]
    spines: str
    gridded: str
    legend: str
    title: Literal["left", "center", "right"]
    shape: tuple[float, float]


def sample_dress(rng: Random) -> Dress:
    """Return a drawn look; a fifth of all charts is dark."""
    dark = rng.randrange(5) == 0
    hue, turn = rng.randrange(360), rng.choice((30, 60, 90, 120, 137))
    light = rng.randint(52, 66) if dark else rng.randint(32, 48)
    grey = rng.randrange(8) == 0
    colours = tuple(
        _colour(hue + turn * number, light + (14 if number % 2 else -6), 0 if grey else rng.randint(35, 75))
        for number in range(6)
    )
    if grey:
        colours = tuple(_colour(0, 20 + 14 * number, 0) for number in (0, 3, 1, 4, 2, 3))
    return Dress(
        family=rng.choice(("DejaVu Sans", "DejaVu Sans", "DejaVu Serif", "STIXGeneral", "DejaVu Sans Mono")),
        size=rng.choice((11, 12, 13, 14)),
        ground=_colour(hue, rng.randint(10, 18), 15) if dark else rng.choice(_PAPERS),
        ink="#eceff2" if dark else "#1d2126",
        grid="#4a5058" if dark else "#c9ced6",
        colours=colours,
        spines=rng.choice(("all", "corner", "none")),
        gridded=rng.choice(("none", "value", "both")),
        legend=rng.choice(("below", "right", "above")),
        title=rng.choice(_SIDES),
        shape=rng.choice(((7.2, 4.8), (8.4, 4.6), (6.2, 5.6), (5.6, 6.4), (9.4, 5.2))),
    )  # fmt: skip


def figure_of(dress: Dress) -> tuple[Figure, Axes]:
    """Return an empty chart in this look."""
    mpl.rcParams.update({
        "font.family": dress.family, "font.size": dress.size, "text.color": dress.ink, "axes.labelcolor": dress.ink,
        "xtick.color": dress.ink, "ytick.color": dress.ink, "axes.edgecolor": dress.ink,
        "axes.facecolor": dress.ground, "figure.facecolor": dress.ground, "legend.facecolor": dress.ground,
    })  # fmt: skip
    figure = Figure(figsize=dress.shape, dpi=100)
    axes = figure.add_subplot()
    hidden = {"all": (), "corner": ("top", "right"), "none": ("top", "right", "left")}[dress.spines]
    for side in hidden:
        axes.spines[side].set_visible(False)
    axes.set_axisbelow(True)
    return figure, axes


def titled(axes: Axes, title: str, dress: Dress) -> None:
    """Write the title where this look has it."""
    axes.set_title(title, loc=dress.title, fontsize=dress.size + 3, pad=34 if dress.legend == "above" else 10)


def legend(axes: Axes, dress: Dress, series: int) -> None:
    """Put the legend where this look has it, never over the marks."""
    places: dict[str, dict[str, Any]] = {
        "below": {"loc": "upper center", "bbox_to_anchor": (0.5, -0.16), "ncols": series},
        "right": {"loc": "center left", "bbox_to_anchor": (1.01, 0.5)},
        "above": {"loc": "lower center", "bbox_to_anchor": (0.5, 1.0), "ncols": series},
    }
    axes.legend(frameon=dress.spines == "all", **places[dress.legend])


def picture(figure: Figure) -> Image.Image:
    """Return the chart as pixels, with nothing cut off at its edges."""
    FigureCanvasAgg(figure)
    stored = BytesIO()
    figure.savefig(stored, format="png", bbox_inches="tight", pad_inches=0.25)
    return Image.open(stored).convert("RGB")


def _colour(hue: int, lightness: int, saturation: int) -> str:
    parts = hls_to_rgb(hue % 360 / 360, lightness / 100, saturation / 100)
    return "#" + "".join(f"{round(part * 255):02x}" for part in parts)
