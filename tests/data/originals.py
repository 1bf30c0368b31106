"""Original files of every kind that an image source may hold, drawn from seeds: by name, ready for a recipe."""

from __future__ import annotations

import io
from random import Random

from PIL import Image, PngImagePlugin

__all__ = ["SINGLES", "VERTICAL", "encoded", "grids", "scene", "singles"]

ORIENTATION = 0x0112
VERTICAL = ((300, 2000), (900, 3000), (801, 2400))  # higher than wide by far: Pillow 13 shrinks these downwards first


def scene(width: int, height: int, seed: object = 0) -> Image.Image:
    """Return noise with some flat bars in it: every sample counts, and edges are sharp."""
    random = Random(f"{seed}/{width}x{height}")
    picture = Image.frombytes("RGB", (width, height), random.randbytes(width * height * 3))
    for _ in range(4):
        left, top = random.randrange(width), random.randrange(height)
        colour = tuple(random.randbytes(3))
        picture.paste(colour, (left, top, min(width, left + width // 3 + 1), min(height, top + height // 5 + 1)))
    return picture


def encoded(picture: Image.Image, kind: str, **options: object) -> bytes:
    """Return the picture as a file of that kind."""
    stored = io.BytesIO()
    picture.save(stored, kind, **options)
    return stored.getvalue()


def singles() -> dict[str, bytes]:
    """Return one file by name for every mode, container and orientation."""
    rgb, alpha = scene(61, 43), scene(61, 43, "alpha").convert("L")
    hidden = rgb.copy()
    hidden.putalpha(alpha.point(lambda value: 0 if value < 128 else 255))
    grey = Image.merge("LA", (rgb.convert("L"), alpha))
    deep = Image.frombytes("I;16", (61, 43), Random("deep").randbytes(61 * 43 * 2))
    palette = rgb.quantize(64)
    other = scene(61, 43, "second frame")
    made = {
        "jpeg": encoded(rgb, "JPEG", quality=80),
        "jpeg-444-progressive": encoded(rgb, "JPEG", quality=95, subsampling=0, progressive=True),
        "jpeg-comment": encoded(rgb, "JPEG", comment=b"drawn by a test"),
        "jpeg-grey": encoded(rgb.convert("L"), "JPEG"),
        "jpeg-cmyk": encoded(rgb.convert("CMYK"), "JPEG"),
        "jpeg-icc-dpi": encoded(rgb, "JPEG", icc_profile=b"no profile at all", dpi=(300, 300)),
        "jpeg-xmp-turned": encoded(rgb, "JPEG", xmp=b'<x:xmpmeta><a tiff:Orientation="6"/></x:xmpmeta>'),
        "mpo": encoded(rgb, "MPO", save_all=True, append_images=[other]),
        "png": encoded(rgb, "PNG"),
        "png-rgba-hidden": encoded(hidden, "PNG"),
        "png-la": encoded(grey, "PNG"),
        "png-l": encoded(rgb.convert("L"), "PNG"),
        "png-1": encoded(rgb.convert("1"), "PNG"),
        "png-i16": encoded(deep, "PNG"),
        "png-p": encoded(palette, "PNG"),
        "png-p-transparent": encoded(palette, "PNG", transparency=3),
        "png-p-alphas": encoded(palette, "PNG", transparency=bytes(range(0, 256, 4))),
        "png-rgb-transparent": encoded(rgb, "PNG", transparency=rgb.getpixel((0, 0))),
        "png-turned": encoded(rgb, "PNG", exif=_turned(6)),
        "webp": encoded(rgb, "WEBP", quality=70),
        "webp-rgba": encoded(hidden, "WEBP", lossless=True, exact=True),
        "webp-turned": encoded(rgb, "WEBP", exif=_turned(8)),
        "gif-frames": encoded(palette, "GIF", save_all=True, append_images=[other.quantize(16)]),
        "bmp": encoded(rgb, "BMP"),
        "tiff-cmyk": encoded(rgb.convert("CMYK"), "TIFF", compression="tiff_deflate"),
    }
    made |= {f"jpeg-turned-{way}": encoded(rgb, "JPEG", exif=_turned(way)) for way in range(10)}
    note = PngImagePlugin.PngInfo()
    note.add_text("comment", "drawn by a test")
    return {**made, "png-note": encoded(rgb, "PNG", pnginfo=note)}


def grids() -> dict[str, list[bytes]]:
    """Return clusters of one to seven charts by name; the tall ones are those whose shrinking depends on an order."""
    sizes = {
        "one-wide": [(1700, 400)],
        "two-small": [(120, 80), (90, 140)],
        "three-mixed": [(1000, 1000), (801, 600), (800, 601)],
        "four-tall": [*VERTICAL, (640, 1300)],
        "five": [(400, 300), (900, 640), (50, 700), (801, 20), (300, 300)],
        "six-alike": [(850, 650)] * 6,
        "seven": [(40 + 10 * number, 90 - 5 * number) for number in range(7)],
    }
    made = {
        name: [encoded(scene(*size, number), "PNG", compress_level=1) for number, size in enumerate(members)]
        for name, members in sizes.items()
    }
    kinds = singles()
    return {
        **made,
        "modes": [kinds[name] for name in ("png-rgba-hidden", "png-p-alphas", "png-la", "png-1", "jpeg-cmyk")],
    }


def _turned(way: int) -> Image.Exif:
    exif = Image.Exif()
    exif[ORIENTATION] = way
    return exif


SINGLES = tuple(singles())
