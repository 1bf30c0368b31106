"""Yes and no as people draw them: a word, a ticked box, a switch."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sobench_metrics.data.sample_maker.canvas import Canvas
    from sobench_metrics.data.sample_maker.pages.parts import Leaf
    from sobench_metrics.data.sample_maker.pages.theme import Theme

__all__ = ["draw_flag"]


def draw_flag(canvas: Canvas, leaf: Leaf, theme: Theme, at: tuple[float, float], anchor: str) -> None:
    """Write the word; pages that say `on` and `off` have switches, those that say `Y` and `N` boxes."""
    x, y = at
    if leaf.shown in ("on", "off"):
        left = x - 44 if anchor[0] == "r" else x
        _switch(canvas, theme, (left, y), on=bool(leaf.value))
    elif leaf.shown in ("Y", "N"):
        left = x - theme.size if anchor[0] == "r" else x
        _box(canvas, theme, (left, y), on=bool(leaf.value))
    else:
        canvas.text(at, leaf.shown, theme.body(anchor))


def _switch(canvas: Canvas, theme: Theme, at: tuple[float, float], *, on: bool) -> None:
    x, y = at
    canvas.box((x, y, x + 42, y + 22), fill=theme.accent if on else theme.rule, radius=11)
    canvas.disc((x + (31 if on else 11), y + 11), 8, fill=theme.on_accent if on else theme.card)


def _box(canvas: Canvas, theme: Theme, at: tuple[float, float], *, on: bool) -> None:
    x, y = at
    side = theme.size
    canvas.box((x, y, x + side, y + side), outline=theme.ink)
    if on:
        canvas.line([(x + 3, y + side / 2), (x + side / 2.4, y + side - 4), (x + side + 2, y - 2)], theme.accent, 3)
