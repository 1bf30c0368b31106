"""Small drawn pictures of every awkward kind, and noise that no archive can shrink."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from PIL import Image, ImageDraw

if TYPE_CHECKING:
    from random import Random

__all__ = ["KINDS", "big_page", "huge_page", "noise_pool", "picture"]

_ORIENTATION = 0x0112
_INK = ((20, 20, 20), (200, 30, 40), (30, 90, 200), (20, 140, 60), (220, 160, 20))


def picture(rng: Random, kind: str = "jpeg", size: tuple[int, int] | None = None) -> bytes:
    """Return the encoded picture of one kind (see KINDS); the same generator state gives the same bytes."""
    return KINDS[kind](rng, _scene(rng, size or (rng.randint(60, 140), rng.randint(50, 110))))


def big_page(rng: Random) -> bytes:
    """Return a page of 3000 x 2000, as a grey PNG."""
    return _encoded(_scene(rng, (3000, 2000)).convert("L"), "PNG", compress_level=1)


def huge_page() -> bytes:
    """Return a page of 145 megapixels in two colours: small on the way, above Pillow's warning when decoded."""
    page = Image.new("1", (10_142, 14_342), 1)
    ink = ImageDraw.Draw(page)
    for top in range(300, 14_000, 700):
        ink.rectangle((400, top, 9_000 - top // 4, top + 260), fill=0)
    return _encoded(page, "PNG", compress_level=1)


def noise_pool(rng: Random, count: int = 36, side: int = 320) -> tuple[bytes, ...]:
    """Return JPEGs of noise: what lies in the archives and nobody asks for."""
    return tuple(
        _encoded(Image.frombytes("L", (side, side), rng.randbytes(side * side)), "JPEG", quality=90)
        for _ in range(count)
    )


def _scene(rng: Random, size: tuple[int, int]) -> Image.Image:
    width, height = size
    scene = Image.new("RGB", size, (245, 244, 240))
    ink = ImageDraw.Draw(scene)
    for _ in range(8):
        left, top = rng.randrange(width), rng.randrange(height)
        right, bottom = left + rng.randint(4, max(5, width // 2)), top + rng.randint(4, max(5, height // 3))
        shape = ink.rectangle if rng.random() < 0.5 else ink.ellipse
        shape((left, top, right, bottom), fill=rng.choice(_INK))
    ink.text((4, 4), f"{rng.randrange(10_000):04}", fill=(0, 0, 0))
    return scene


def _encoded(image: Image.Image, form: str, **options) -> bytes:
    held = io.BytesIO()
    image.save(held, form, **options)
    return held.getvalue()


def _turned(rng: Random, scene: Image.Image) -> bytes:
    exif = Image.Exif()
    exif[_ORIENTATION] = rng.choice((3, 5, 6, 8))
    return _encoded(scene, "JPEG", quality=88, exif=exif)


def _hidden(rng: Random, scene: Image.Image) -> bytes:
    """Colours lie under full transparency: dropping alpha shows them, compositing hides them."""
    see_through = scene.convert("RGBA")
    alpha = Image.new("L", scene.size, 255)
    ImageDraw.Draw(alpha).rectangle((0, 0, scene.width // 2, scene.height), fill=0)
    see_through.putalpha(alpha)
    return _encoded(see_through, "PNG")


def _palette(rng: Random, scene: Image.Image) -> bytes:
    return _encoded(scene.quantize(16), "PNG", transparency=rng.randrange(8))


def _grey_alpha(rng: Random, scene: Image.Image) -> bytes:
    grey = scene.convert("LA")
    grey.putalpha(Image.linear_gradient("L").resize(scene.size))
    return _encoded(grey, "PNG")


def _sixteen(rng: Random, scene: Image.Image) -> bytes:
    deep = Image.new("I;16", scene.size)
    deep.putdata([value * (1 + value % 3) for value in scene.convert("L").tobytes()])
    return _encoded(deep, "PNG")


KINDS = {
    "jpeg": lambda rng, scene: _encoded(scene, "JPEG", quality=rng.choice((80, 90))),
    "png": lambda rng, scene: _encoded(scene, "PNG"),
    "turned": _turned,
    "hidden": _hidden,
    "palette": _palette,
    "grey_alpha": _grey_alpha,
    "sixteen": _sixteen,
    "cmyk": lambda rng, scene: _encoded(scene.convert("CMYK"), "JPEG", quality=90),
    "webp": lambda rng, scene: _encoded(scene, "WEBP", quality=85),
    "comment": lambda rng, scene: _encoded(scene, "JPEG", quality=91, subsampling=0, comment=b"drawn for a test"),
}
