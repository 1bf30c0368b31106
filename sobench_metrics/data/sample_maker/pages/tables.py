"""Tables in several hands, and rows as cards where a table would be too wide."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sobench_metrics.data.sample_maker.canvas import measured
from sobench_metrics.data.sample_maker.pages.marks import draw_flag

if TYPE_CHECKING:
    from sobench_metrics.data.sample_maker.canvas import Canvas
    from sobench_metrics.data.sample_maker.pages.parts import Leaf, Table
    from sobench_metrics.data.sample_maker.pages.theme import Theme

__all__ = ["draw_table"]

_GAP = 18  # pixels between columns
_CARDS = 4
_FLAG = 46  # the width of a switch


def draw_table(canvas: Canvas, table: Table, theme: Theme, hand: int, y: float) -> float:
    """Draw a table from `y` on and return the y below it; hand 4, and whatever is too wide, is drawn as cards."""
    widths = _widths(table, theme)
    has_sentences = any(leaf.kind == "long" for leaf in table.rows[0])
    if has_sentences or sum(widths) + _GAP * (len(widths) - 1) > canvas.width or hand == _CARDS:
        return _as_cards(canvas, table, theme, y)
    spare = (canvas.width - sum(widths) - _GAP * (len(widths) - 1)) / len(widths)
    widths = [width + max(0, spare) for width in widths]
    return _as_grid(canvas, table, theme, widths, (hand, y))


def _widths(table: Table, theme: Theme) -> list[float]:
    return [
        max(
            measured(table.rows[0][column].label, theme.strong()),
            _FLAG,
            *(measured(row[column].shown, theme.body()) for row in table.rows),
        )
        for column in range(len(table.rows[0]))
    ]


def _as_grid(canvas: Canvas, table: Table, theme: Theme, widths: list[float], how: tuple[int, float]) -> float:
    """Header band (0), rules (1), stripes (2) or upright lines (3), by hand."""
    hand, y = how
    step = theme.line + 8
    lefts = [sum(widths[:column]) + _GAP * column for column in range(len(widths))]
    places = list(zip(lefts, widths, strict=True))
    if hand in (0, 2):
        canvas.box((0, y, canvas.width, y + step), fill=theme.band)
    else:
        canvas.line([(0, y + step - 2), (canvas.width, y + step - 2)], theme.ink, 2)
    for (left, width), leaf in zip(places, table.rows[0], strict=True):
        anchor, x = _side(leaf, left, width)
        canvas.text((x, y + 5), leaf.label, theme.strong(anchor), width=width)
    top, y = y, y + step
    for number, row in enumerate(table.rows):
        if hand == 2 and number % 2:
            canvas.box((0, y, canvas.width, y + step), fill=theme.band)
        _row(canvas, row, theme, places, y + 5)
        if hand == 1:
            canvas.line([(0, y + step), (canvas.width, y + step)], theme.rule)
        y += step
    for left in lefts[1:] if hand == 3 else ():
        canvas.line([(left - _GAP / 2, top), (left - _GAP / 2, y)], theme.rule)
    return y + 8


def _row(canvas: Canvas, row: tuple[Leaf, ...], theme: Theme, places: list[tuple[float, float]], y: float) -> None:
    for (left, width), leaf in zip(places, row, strict=True):
        anchor, x = _side(leaf, left, width)
        if leaf.kind == "flag" and leaf.value is not None:
            draw_flag(canvas, leaf, theme, (x, y), anchor)
        else:
            canvas.text((x, y), leaf.shown, theme.body(anchor), width=width)


def _side(leaf: Leaf, left: float, width: float) -> tuple[str, float]:
    """Numbers stand on the right of their column."""
    return ("ra", left + width) if leaf.kind == "number" else ("la", left)


def _as_cards(canvas: Canvas, table: Table, theme: Theme, y: float) -> float:
    """Each row in a frame of its own, one `label: value` below the other, two side by side where there is room."""
    for row in table.rows:
        top, y = y, y + 10
        for leaf in row:
            if leaf.kind == "long":
                canvas.text((14, y), leaf.label, theme.small(), width=canvas.width - 28)
                y = canvas.paragraph((14, y + theme.size + 3), leaf.shown, theme.body(), canvas.width - 28) + 4
                continue
            taken = canvas.text((14, y), f"{leaf.label}:", theme.small(), width=canvas.width * 0.55)
            at = (taken + 26, y)
            if leaf.kind == "flag" and leaf.value is not None:
                draw_flag(canvas, leaf, theme, at, "la")
            else:
                canvas.text(at, leaf.shown, theme.body(), width=canvas.width - taken - 40)
            y += theme.line
        y += 6
        canvas.box((1, top, canvas.width - 2, y), outline=theme.rule, radius=theme.radius)
        y += 10
    return y
