"""Colours, letters and measures of one page."""

from __future__ import annotations

from colorsys import hls_to_rgb
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sobench_metrics.data.sample_maker.canvas import Ink

if TYPE_CHECKING:
    from random import Random

__all__ = ["Theme", "paper_theme", "poster_theme", "screen_theme"]

_FACES = (("sans", "bold"), ("serif", "serif_bold"), ("round", "round"), ("times", "times_bold"), ("mono", "mono_bold"))


@dataclass(frozen=True, slots=True)
class Theme:
    """How a page looks; `hands` says which forms its blocks have."""

    ground: str
    card: str
    ink: str
    faint: str
    rule: str
    accent: str
    on_accent: str
    band: str
    face: str
    bold: str
    heading: str
    size: int
    radius: int
    pad: int
    lead: float

    @property
    def line(self) -> int:
        """The height of a line of text in pixels."""
        return round(self.size * self.lead)

    def body(self, anchor: str = "la") -> Ink:
        """The ink of values."""
        return Ink(self.size, self.ink, self.face, anchor)

    def strong(self, anchor: str = "la") -> Ink:
        """The ink of what stands out."""
        return Ink(self.size, self.ink, self.bold, anchor)

    def small(self, anchor: str = "la") -> Ink:
        """The ink of labels."""
        return Ink(max(12, self.size - 3), self.faint, self.face, anchor)


def screen_theme(rng: Random) -> Theme:
    """Return the look of a program: light or dark, one hue."""
    hue, dark = rng.randrange(360), rng.randrange(4) == 0
    return _theme(rng, hue, dark=dark, faces=(_FACES[0], _FACES[0], _FACES[2], _FACES[1]), tinted=rng.randrange(3) > 0)


def paper_theme(rng: Random) -> Theme:
    """Return the look of print: dark letters on something like white."""
    return _theme(rng, rng.randrange(360), dark=False, faces=_FACES, tinted=rng.randrange(4) == 0)


def poster_theme(rng: Random) -> Theme:
    """Return the look of a board or poster: strong grounds, large letters."""
    return _theme(rng, rng.randrange(360), dark=rng.randrange(2) == 0, faces=_FACES[:4], tinted=True)


def _theme(rng: Random, hue: int, *, dark: bool, faces: tuple[tuple[str, str], ...], tinted: bool) -> Theme:
    face, bold = rng.choice(faces)
    heading = rng.choice(faces)[1]
    depth = rng.randint(10, 20) if dark else rng.randint(94, 100 if not tinted else 97)
    grey = rng.choice((4, 12, 30)) if tinted else 3
    card = _colour(hue, depth + (6 if dark else min(2, 100 - depth)), grey)
    accent = _colour(hue + rng.choice((0, 0, 25, 180)), rng.randint(30, 42) if not dark else rng.randint(52, 66), 60)
    return Theme(
        ground=_colour(hue, depth, grey),
        card=card if rng.randrange(3) else _colour(hue, depth, grey),
        ink=_colour(hue, 92 if dark else rng.randint(8, 18), 12),
        faint=_colour(hue, 74 if dark else rng.randint(30, 40), 10),
        rule=_colour(hue, depth + (16 if dark else -14), 12),
        accent=accent,
        on_accent=_colour(hue, 8 if dark else 99, 20),
        band=_colour(hue, depth + (11 if dark else -7), grey + 6),
        face=face,
        bold=bold,
        heading=heading,
        size=rng.randint(16, 21),
        radius=rng.choice((0, 0, 6, 12, 18)),
        pad=rng.randint(12, 24),
        lead=rng.choice((1.4, 1.55, 1.7, 1.9)),
    )


def _colour(hue: int, lightness: int, saturation: int) -> str:
    parts = hls_to_rgb(hue % 360 / 360, max(0, min(100, lightness)) / 100, saturation / 100)
    return "#" + "".join(f"{round(part * 255):02x}" for part in parts)
