"""Draw one part of a page as a picture of its own width, in one of several hands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sobench_metrics.data.sample_maker.canvas import Canvas, Ink, measured
from sobench_metrics.data.sample_maker.pages.marks import draw_flag
from sobench_metrics.data.sample_maker.pages.parts import Bullets, Leaf, Table
from sobench_metrics.data.sample_maker.pages.tables import draw_table

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PIL import Image

    from sobench_metrics.data.sample_maker.pages.theme import Theme

__all__ = ["Block", "block", "cropped"]

Block = tuple[str, tuple[Leaf, ...]] | Table | Bullets
"""A headed run of single values (the heading may be empty), a table, or a list."""

_TALL = 3000


def block(part: Block, theme: Theme, width: int, hand: int) -> Image.Image:
    """Return the picture of a part; ValueError where a text does not fit at a readable size.

    `hand` is drawn once a page, so that alike things look alike on it.
    """
    canvas = Canvas(width, _TALL, theme.card)
    if isinstance(part, Table):
        y = draw_table(canvas, part, theme, hand, _headed(canvas, part.label, theme, 0))
    elif isinstance(part, Bullets):
        y = _listed(canvas, part, theme, hand, _headed(canvas, part.label, theme, 0))
    else:
        heading, leaves = part
        start = _headed(canvas, heading, theme, 0) if heading else 4
        y = _FACTS[hand % len(_FACTS)](canvas, leaves, theme, start)
    return cropped(canvas, y)


def cropped(canvas: Canvas, height: float) -> Image.Image:
    """Return the canvas down to a height; ValueError where it was drawn beyond its end."""
    if height > canvas.height:
        raise ValueError("the page is longer than its canvas")
    return canvas.image.crop((0, 0, canvas.width, round(height)))


def _headed(canvas: Canvas, words: str, theme: Theme, y: float) -> float:
    canvas.text((0, y + 4), words, Ink(theme.size + 2, theme.accent, theme.heading), width=canvas.width)
    return y + theme.line + 10


def _in_rows(canvas: Canvas, leaves: Sequence[Leaf], theme: Theme, y: float) -> float:
    """Label on the left, value on the right, a rule between lines."""
    for leaf in leaves:
        if leaf.kind == "long":
            y = _stacked(canvas, [leaf], theme, y)
            continue
        taken = canvas.text((0, y), leaf.label, theme.small(), width=canvas.width * 0.55)
        _value(canvas, leaf, theme, (canvas.width, y), anchor="ra", width=canvas.width - taken - 16)
        canvas.line([(0, y + theme.line), (canvas.width, y + theme.line)], theme.rule)
        y += theme.line + 7
    return y + 4


def _inline(canvas: Canvas, leaves: Sequence[Leaf], theme: Theme, y: float) -> float:
    """Label, colon, value, one a line."""
    for leaf in leaves:
        if leaf.kind == "long":
            y = _stacked(canvas, [leaf], theme, y)
            continue
        taken = canvas.text((0, y), f"{leaf.label}:", theme.strong(), width=canvas.width * 0.6)
        _value(canvas, leaf, theme, (taken + 12, y), width=canvas.width - taken - 12)
        y += theme.line + 2
    return y + 4


def _stacked(canvas: Canvas, leaves: Sequence[Leaf], theme: Theme, y: float) -> float:
    """A small label above each value."""
    for leaf in leaves:
        canvas.text((0, y), leaf.label, theme.small(), width=canvas.width)
        y += theme.size + 4
        if leaf.kind == "long":
            y = canvas.paragraph((0, y), leaf.shown, theme.body(), canvas.width) + 8
            continue
        _value(canvas, leaf, theme, (0, y), width=canvas.width)
        y += theme.line + 5
    return y + 4


def _in_boxes(canvas: Canvas, leaves: Sequence[Leaf], theme: Theme, y: float) -> float:
    """Tiles side by side, each with a label and a value; sentences stand below one another."""
    short = [leaf for leaf in leaves if leaf.kind != "long"]
    beside = max(1, min(3, canvas.width // 220))
    wide, high = canvas.width / beside, theme.size * 2 + 30
    for number, leaf in enumerate(short):
        left, top = wide * (number % beside), y + (high + 8) * (number // beside)
        canvas.box((left, top, left + wide - 8, top + high), fill=theme.band, radius=theme.radius)
        canvas.text((left + 10, top + 8), leaf.label, theme.small(), width=wide - 28)
        _value(canvas, leaf, theme, (left + 10, top + theme.size + 14), width=wide - 28)
    y += (high + 8) * -(-len(short) // beside)
    return _stacked(canvas, [leaf for leaf in leaves if leaf.kind == "long"], theme, y)


def _in_form(canvas: Canvas, leaves: Sequence[Leaf], theme: Theme, y: float) -> float:
    """Outlined fields as on a form, labels before them."""
    before = min(canvas.width * 0.45, max(measured(leaf.label, theme.small()) for leaf in leaves) + 16)
    for leaf in leaves:
        if leaf.kind == "long":
            y = _stacked(canvas, [leaf], theme, y)
            continue
        canvas.text((0, y + 6), leaf.label, theme.small(), width=before - 10)
        canvas.box((before, y, canvas.width - 2, y + theme.line + 6), outline=theme.rule, radius=theme.radius // 2)
        _value(canvas, leaf, theme, (before + 10, y + 5), width=canvas.width - before - 24)
        y += theme.line + 14
    return y


def _value(  # noqa: PLR0913 - what is written, where and how
    canvas: Canvas, leaf: Leaf, theme: Theme, at: tuple[float, float], *, anchor: str = "la", width: float
) -> None:
    if leaf.kind == "flag" and leaf.value is not None:
        draw_flag(canvas, leaf, theme, at, anchor)
    else:
        canvas.text(at, leaf.shown, theme.body(anchor), width=width)


def _listed(canvas: Canvas, part: Bullets, theme: Theme, hand: int, y: float) -> float:
    sign = ("-", "*", "{}.", "o")[hand % 4]
    for number, item in enumerate(part.items, 1):
        taken = canvas.text((0, y), sign.format(number), theme.strong())
        canvas.text((taken + 12, y), item, theme.body(), width=canvas.width - taken - 12)
        y += theme.line
    return y + 6


_FACTS: tuple[Callable[[Canvas, Sequence[Leaf], Theme, float], float], ...] = (
    _in_rows, _inline, _stacked, _in_boxes, _in_form,
)  # fmt: skip
