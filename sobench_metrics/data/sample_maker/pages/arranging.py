"""Set blocks out on a page: one column or two, a narrow side, cards or plain ground, headings of several kinds."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sobench_metrics.data.sample_maker.canvas import Canvas, Ink
from sobench_metrics.data.sample_maker.pages.blocks import Block, block, cropped
from sobench_metrics.data.sample_maker.pages.parts import Bullets, Group, Leaf, Part, Table

if TYPE_CHECKING:
    from random import Random

    from PIL import Image

    from sobench_metrics.data.sample_maker.pages.theme import Theme

__all__ = ["Plan", "arranged", "sample_plan"]

_TALL = 4200
_WIDE = 640  # pixels: below them one column is all there is room for


@dataclass(frozen=True, slots=True)
class Plan:
    """The arrangement of one page: its width, the form of columns, whether blocks stand on cards, the hands."""

    width: int
    columns: str
    carded: bool
    facts_hand: int
    table_hand: int
    heading: str


def sample_plan(width: int, rng: Random) -> Plan:
    """Return a drawn plan for a page of a width; narrow pages have one column."""
    columns = rng.choice(("one", "two", "side", "one")) if width >= _WIDE else "one"
    return Plan(
        width, columns, rng.randrange(2) == 0, rng.randrange(5), rng.randrange(5), rng.choice(("left", "centre", "bar"))
    )


def arranged(title: str, items: list[tuple[Part, ...]], theme: Theme, plan: Plan) -> Image.Image:
    """Return a page with a title and the blocks of all items; several items stand in frames of their own."""
    page = _Page(Canvas(plan.width, _TALL, theme.ground), theme, plan)
    y = page.titled(title)
    for number, parts in enumerate(items):
        y = page.framed(_blocks(parts), y) if len(items) > 1 else page.set_out(_blocks(parts), y)
        if number < len(items) - 1:
            y += theme.pad
    return cropped(page.canvas, y + theme.pad)


def _blocks(parts: tuple[Part, ...]) -> list[Block]:
    """Return runs of single values as one block each, everything else as a block of its own."""
    found: list[Block] = []
    run: list[Leaf] = []
    for part in parts:
        if isinstance(part, Leaf):
            run.append(part)
            continue
        if run:
            found.append(("", tuple(run)))
            run = []
        found.append((part.label, part.leaves) if isinstance(part, Group) else part)
    return [*found, ("", tuple(run))] if run else found


@dataclass(frozen=True, slots=True)
class _Page:
    """A page that is being set out; every method draws from a `y` on and returns the y below."""

    canvas: Canvas
    theme: Theme
    plan: Plan

    def titled(self, title: str) -> float:
        theme, width = self.theme, self.canvas.width
        size = theme.size + 9
        if self.plan.heading == "bar":
            self.canvas.box((0, 0, width, size + 34), fill=theme.accent)
            ink = Ink(size, theme.on_accent, theme.heading)
            self.canvas.text((theme.pad, 16), title, ink, width=width - 2 * theme.pad)
            return size + 34 + theme.pad
        centred = self.plan.heading == "centre"
        ink = Ink(size, theme.ink, theme.heading, "ma" if centred else "la")
        self.canvas.text((width / 2 if centred else theme.pad, 20), title, ink, width=width - 40)
        self.canvas.line([(theme.pad, size + 32), (width - theme.pad, size + 32)], theme.rule, 2)
        return size + 32 + theme.pad

    def set_out(self, blocks: list[Block], y: float) -> float:
        """One item: the answer keeps the order of the schema, so that where a block stands is free."""
        pad, inner = self.theme.pad, self.plan.width - 2 * self.theme.pad
        if self.plan.columns == "one" or len(blocks) == 1:
            for part in blocks:
                y = self._placed(part, (pad, y, inner))
            return y
        left = round((inner - pad) * (0.36 if self.plan.columns == "side" else 0.5))
        lanes = [(pad, left), (2 * pad + left, inner - pad - left)]
        ends = [y, y]
        for part in blocks:
            broad = isinstance(part, Table) and self.plan.columns == "side"
            lane = 1 if broad else ends.index(min(ends))
            x, width = lanes[lane]
            ends[lane] = self._placed(part, (x, ends[lane], width))
        return max(ends)

    def framed(self, blocks: list[Block], y: float) -> float:
        """One item of several: a frame with its blocks below one another."""
        theme, pad = self.theme, self.theme.pad
        pictures = [block(part, theme, self.plan.width - 4 * pad, self._hand(part)) for part in blocks]
        height = sum(picture.height + 10 for picture in pictures) + pad
        area = (pad, y, self.plan.width - pad, y + height)
        self.canvas.box(area, fill=theme.card, outline=theme.rule, radius=theme.radius)
        below = y + pad * 0.7
        for picture in pictures:
            self.canvas.paste(picture, (2 * pad, round(below)))
            below += picture.height + 10
        return y + height

    def _placed(self, part: Block, place: tuple[float, float, int]) -> float:
        x, y, width = place
        theme = self.theme if self.plan.carded else replace(self.theme, card=self.theme.ground)
        edge = 14 if self.plan.carded else 0
        picture = block(part, theme, width - 2 * edge, self._hand(part))
        if self.plan.carded:
            area = (x, y, x + width, y + picture.height + 2 * edge)
            self.canvas.box(area, fill=theme.card, outline=theme.rule, radius=theme.radius)
        self.canvas.paste(picture, (round(x + edge), round(y + edge)))
        return y + picture.height + 2 * edge + theme.pad

    def _hand(self, part: Block) -> int:
        return self.plan.table_hand if isinstance(part, (Table, Bullets)) else self.plan.facts_hand
