"""Drawn shapes with a known answer: the pictures that the taught model is taught on and tested with.

Colours are far apart and the shapes large and flat, so that JPEG at quality 95
(what the benchmark's own pipeline stores) cannot turn one answer into another.
Picture number N of a seed is always the same picture, byte for byte.
"""

from __future__ import annotations

import io
import json
import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PIL import Image, ImageDraw

if TYPE_CHECKING:
    from pathlib import Path

COLOURS = {"red": (220, 25, 25), "green": (20, 165, 45), "blue": (30, 50, 220)}
CORNERS = (0, 3, 4)
SCHEMA = {
    "type": "object",
    "additionalProperties": False,
    "required": ["colour", "corners"],
    "properties": {"colour": {"enum": list(COLOURS)}, "corners": {"type": "integer", "minimum": 0, "maximum": 4}},
}
SIDE = 96
UNSEEN_SEED = 7_000_000  # training draws from small seeds, so this and all above are new to the model


@dataclass(frozen=True)
class Shape:
    """One picture and what is in it."""

    picture: Image.Image
    colour: str
    corners: int

    @property
    def value(self) -> dict[str, str | int]:
        return {"colour": self.colour, "corners": self.corners}

    @property
    def answer(self) -> str:
        """The exact text that the taught model is trained to give."""
        return json.dumps(self.value)

    def jpeg(self) -> bytes:
        return _encode(self.picture, "JPEG", quality=95)

    def png(self) -> bytes:
        return _encode(self.picture, "PNG")


def _encode(picture: Image.Image, kind: str, **options: int) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, kind, **options)
    return buffer.getvalue()


def reopened(shape: Shape) -> Image.Image:
    """The picture as it comes back from a JPEG file."""
    return Image.open(io.BytesIO(shape.jpeg())).convert("RGB")


def draw(rng: random.Random, colour: str | None = None, corners: int | None = None, side: int = SIDE) -> Shape:
    """One shape of any colour and kind, or of the ones asked for, on light grey."""
    colour = colour or rng.choice(list(COLOURS))
    corners = rng.choice(CORNERS) if corners is None else corners
    fill = tuple(min(255, max(0, level + rng.randint(-15, 15))) for level in COLOURS[colour])
    paper = rng.randint(235, 255)
    picture = Image.new("RGB", (side, side), (paper, paper, paper))
    pen = ImageDraw.Draw(picture)
    reach = rng.randint(side * 5 // 16, side * 7 // 16)
    x, y = (side // 2 + rng.randint(-side // 24, side // 24) for _ in "xy")
    if corners == 0:
        pen.ellipse((x - reach, y - reach, x + reach, y + reach), fill=fill)
    elif corners == 3:
        pen.polygon([(x, y - reach), (x - reach, y + reach), (x + reach, y + reach)], fill=fill)
    else:
        pen.rectangle((x - reach, y - reach, x + reach, y + reach), fill=fill)
    return Shape(picture, colour, corners)


def series(count: int, seed: int = UNSEEN_SEED) -> list[Shape]:
    """Shapes that go through all nine answers in turn, so that neighbours always differ in colour and kind."""
    rng = random.Random(seed)
    colours = list(COLOURS)
    return [draw(rng, colours[n % 3], CORNERS[(n + n // 3) % 3]) for n in range(count)]


def write_series(folder: Path, count: int, seed: int = UNSEEN_SEED, suffix: str = ".jpg") -> list[Path]:
    """Write shape-000.jpg ... beside shape-000.json (the answer); returns the pictures' paths."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for number, shape in enumerate(series(count, seed)):
        path = folder / f"shape-{number:03d}{suffix}"
        path.write_bytes(shape.png() if suffix == ".png" else shape.jpeg())
        path.with_suffix(".json").write_text(shape.answer + "\n", encoding="utf-8")
        paths.append(path)
    return paths
