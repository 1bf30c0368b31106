"""A drawing surface whose text always fits, with fonts that come along with the libraries.

Only Pillow's built-in font and matplotlib's bundled DejaVu and STIX files are used, laid out by Pillow's own basic
engine: a system font or a local libraqm would give other pixels on another machine.
"""

from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from random import Random

import matplotlib as mpl
from PIL import Image, ImageDraw, ImageFilter, ImageFont

__all__ = ["Canvas", "Ink", "gradient", "measured", "photographed", "scanned", "tilt", "wrapped"]

Point = tuple[float, float]
Box = tuple[float, float, float, float]

_FILES = {
    "sans": "DejaVuSans.ttf",
    "bold": "DejaVuSans-Bold.ttf",
    "italic": "DejaVuSans-Oblique.ttf",
    "mono": "DejaVuSansMono.ttf",
    "mono_bold": "DejaVuSansMono-Bold.ttf",
    "serif": "DejaVuSerif.ttf",
    "serif_bold": "DejaVuSerif-Bold.ttf",
    "serif_italic": "DejaVuSerif-Italic.ttf",
    "times": "STIXGeneral.ttf",
    "times_bold": "STIXGeneralBol.ttf",
}
_SMALLEST = 9  # below this nobody can read the picture, so a text that needs less is a mistake of the kind


@lru_cache(maxsize=256)
def _font(face: str, size: int) -> ImageFont.FreeTypeFont:
    if face == "round":
        built_in = ImageFont.load_default(size)
        if not isinstance(built_in, ImageFont.FreeTypeFont):
            raise RuntimeError("Pillow was built without FreeType: the sample set cannot be drawn with its bitmap font")
        return built_in
    path = Path(mpl.get_data_path()) / "fonts" / "ttf" / _FILES[face]
    return ImageFont.truetype(str(path), size, layout_engine=ImageFont.Layout.BASIC)


@dataclass(frozen=True, slots=True)
class Ink:
    """How a text looks: face, size in pixels, colour, and Pillow's two-letter anchor."""

    size: int
    fill: str = "#1d1f23"
    face: str = "sans"
    anchor: str = "la"

    def at(self, anchor: str) -> "Ink":
        return replace(self, anchor=anchor)


class Canvas:
    """An RGB picture with the few marks that the kinds need."""

    def __init__(self, width: int, height: int, background: str = "#ffffff") -> None:
        self.image = Image.new("RGB", (width, height), background)
        self._draw = ImageDraw.Draw(self.image)

    @property
    def width(self) -> int:
        return self.image.width

    @property
    def height(self) -> int:
        return self.image.height

    def text(self, at: Point, shown: str | int, ink: Ink, width: float | None = None) -> float:
        """Write one line, in a smaller size where it would be wider than `width`; return the width it took."""
        words, size = str(shown), ink.size
        while width is not None and size > _SMALLEST and _font(ink.face, size).getlength(words) > width:
            size -= 1
        font = _font(ink.face, size)
        taken = font.getlength(words)
        if width is not None and taken > width:
            raise ValueError(f"{words!r} does not fit into {width} pixels at a readable size")
        self._draw.text(at, words, font=font, fill=ink.fill, anchor=ink.anchor)
        return taken

    def paragraph(self, at: Point, words: str, ink: Ink, width: float) -> float:
        """Write a text over as many lines as it needs; return the y below the last one."""
        font = _font(ink.face, ink.size)
        x, y = at
        for line in _wrapped(words, font, width):
            self._draw.text((x, y), line, font=font, fill=ink.fill, anchor=ink.anchor)
            y += round(ink.size * 1.45)
        return y

    def box(self, area: Box, fill: str | None = None, outline: str | None = None, radius: float = 0) -> None:
        self._draw.rounded_rectangle(area, radius=radius, fill=fill, outline=outline, width=2 if outline else 1)

    def line(self, points: list[Point], fill: str = "#c8ccd2", width: int = 1) -> None:
        self._draw.line(points, fill=fill, width=width, joint="curve")

    def polygon(self, points: list[Point], fill: str) -> None:
        self._draw.polygon(points, fill=fill)

    def disc(self, centre: Point, radius: float, fill: str | None = None, outline: str | None = None) -> None:
        x, y = centre
        self._draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=fill, outline=outline, width=3)

    def paste(self, picture: Image.Image, at: tuple[int, int], mask: Image.Image | None = None) -> None:
        self.image.paste(picture, at, mask)
        self._draw = ImageDraw.Draw(self.image)


def measured(words: str, ink: Ink) -> float:
    """Return the width of one line in pixels."""
    return _font(ink.face, ink.size).getlength(words)


def wrapped(words: str, ink: Ink, width: float) -> list[str]:
    """Return a text as lines of at most this width, where a single word allows it."""
    return _wrapped(words, _font(ink.face, ink.size), width)


def gradient(canvas: Canvas, area: Box, top: str, bottom: str) -> None:
    """Fill an area from one colour at its upper edge to another at its lower edge."""
    left, upper, right, lower = (round(edge) for edge in area)
    height = max(1, lower - upper)
    ramp = Image.linear_gradient("L").resize((right - left, height))
    fill = Image.composite(Image.new("RGB", ramp.size, bottom), Image.new("RGB", ramp.size, top), ramp)
    canvas.paste(fill, (left, upper))


def tilt(scene: Canvas, panel: Image.Image, corners: tuple[Point, Point, Point, Point]) -> None:
    """Paste a flat panel into a scene so that its corners (from top left, clockwise) land on the given points."""
    left = min(x for x, _ in corners)
    top = min(y for _, y in corners)
    size = (round(max(x for x, _ in corners) - left), round(max(y for _, y in corners) - top))
    local = [(x - left, y - top) for x, y in corners]
    flat = [
        (0.0, 0.0),
        (float(panel.width), 0.0),
        (float(panel.width), float(panel.height)),
        (0.0, float(panel.height)),
    ]
    coefficients = _perspective(local, flat)
    warped = panel.transform(size, Image.Transform.PERSPECTIVE, coefficients, Image.Resampling.BICUBIC)
    mask = Image.new("L", panel.size, 255).transform(
        size, Image.Transform.PERSPECTIVE, coefficients, Image.Resampling.BICUBIC
    )
    scene.paste(warped, (round(left), round(top)), mask)


def photographed(scene: Canvas, rng: Random) -> Image.Image:
    """Return a scene as a camera would see it: slightly out of focus, with sensor noise."""
    blurred = scene.image.filter(ImageFilter.GaussianBlur(rng.uniform(0.4, 0.8)))
    return _grainy(blurred, rng, 0.05)


def scanned(page: Canvas, rng: Random) -> Image.Image:
    """Return a page as a scanner would see it: not quite straight, with a little noise."""
    turned = page.image.rotate(rng.uniform(-0.7, 0.7), Image.Resampling.BICUBIC, fillcolor="#f2f0ea")
    return _grainy(turned, rng, 0.03)


def _grainy(picture: Image.Image, rng: Random, strength: float) -> Image.Image:
    """Lay noise over a picture, drawn from `rng` because Pillow's own noise cannot be seeded."""
    noise = Image.frombytes("L", picture.size, rng.randbytes(picture.width * picture.height))
    noise = noise.filter(ImageFilter.GaussianBlur(1.1))
    return Image.blend(picture, noise.convert("RGB"), strength)


def _wrapped(words: str, font: ImageFont.FreeTypeFont, width: float) -> list[str]:
    lines: list[str] = []
    current = ""
    for word in words.split():
        longer = f"{current} {word}".strip()
        if current and font.getlength(longer) > width:
            lines.append(current)
            current = word
        else:
            current = longer
    return [*lines, current]


def _perspective(seen: list[Point], flat: list[Point]) -> tuple[float, ...]:
    """Return the eight coefficients that take a point as seen back to the flat panel (Pillow's convention)."""
    rows: list[list[float]] = []
    for (x, y), (u, v) in zip(seen, flat, strict=True):
        rows.append([x, y, 1, 0, 0, 0, -u * x, -u * y, u])
        rows.append([0, 0, 0, x, y, 1, -v * x, -v * y, v])
    return tuple(_solved(rows))


def _solved(rows: list[list[float]]) -> list[float]:
    """Solve a small linear system by Gauss-Jordan elimination with pivoting."""
    rows = [row[:] for row in rows]
    size = len(rows)
    for column in range(size):
        pivot = max(range(column, size), key=lambda index: abs(rows[index][column]))
        rows[column], rows[pivot] = rows[pivot], rows[column]
        lead = rows[column][column]
        rows[column] = [value / lead for value in rows[column]]
        for index in range(size):
            if index != column:
                factor = rows[index][column]
                rows[index] = [value - factor * head for value, head in zip(rows[index], rows[column], strict=True)]
    return [row[-1] for row in rows]
