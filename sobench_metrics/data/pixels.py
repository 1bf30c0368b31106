"""From original files to the JPEG that a model is shown: upstream's own two stages, repeated to the last pixel.

Stage 1 is what upstream's download script leaves on the disk, by source; stage 2 is what its conversion script makes
of that file: RGB, JPEG at quality 95. So most sources are encoded twice, alpha is dropped and not composited, and
only what comes through the `datasets` library is turned upright. Nothing here depends on Pillow's version:
see `_shrunk` for the one place where it would.
"""

from __future__ import annotations

import hashlib
import io
import math
import struct
from contextlib import contextmanager
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from sobench_metrics.data.fetch.errors import FetchError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from PIL.Image import Image

__all__ = [
    "MAX_PIXELS",
    "RECIPES",
    "Facts",
    "PixelError",
    "Recipe",
    "encoder",
    "facts",
    "final_jpeg",
    "pixel_count",
    "pixel_sha256",
]

MAX_PIXELS = 2 * 89_478_485  # where Pillow itself raises; the largest page of the sources has 145 million
_QUALITY = 95
_CHART = (800, 600)  # a VisText member is shrunk into this
_PADDING = 20
_STRIP = 256  # rows hashed at a time: a large page is not copied as a whole
# What the sources hold and its neighbours; not all that Pillow opens, since EPS, for one, is run by another program.
_FORMATS = ("JPEG", "PNG", "WEBP", "GIF", "BMP", "TIFF", "AVIF", "JPEG2000")


class PixelError(FetchError):
    """An original that gives no picture: damaged, of an unknown kind, or too large; one sentence without its name."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """Stage 1 of one kind of source: `picture` gives what upstream's conversion would open from its disk."""

    what: str
    picture: Callable[[Sequence[bytes]], Image]


@dataclass(frozen=True, slots=True)
class Facts:
    """What tells a picture apart: the hash of size and RGB samples, and the size in pixels."""

    sha256: str
    width: int
    height: int


def final_jpeg(recipe: str, originals: Sequence[bytes]) -> bytes:
    """Return the JPEG file that `recipe` (a name of RECIPES) makes of the originals, in their order.

    Raises PixelError when an original cannot be decoded in full or has more than MAX_PIXELS; upstream skips such an
    image, or such a member of a grid, which moves its neighbours.
    """
    stage = RECIPES[recipe].picture
    with _told("the image"):
        return _jpeg(stage(originals))


def facts(jpeg: bytes) -> Facts:
    """Return the size and the pixel hash of an encoded picture. Raises PixelError when it cannot be decoded."""
    with _told("the image"):
        rgb = _rgb(_opened(jpeg))
        digest = hashlib.sha256(f"{rgb.width}x{rgb.height}\n".encode())
        for top in range(0, rgb.height, _STRIP):
            digest.update(rgb.crop((0, top, rgb.width, min(top + _STRIP, rgb.height))).tobytes())
        return Facts(digest.hexdigest(), rgb.width, rgb.height)


def pixel_count(encoded: bytes) -> int:
    """Return how many pixels the header promises, 0 when it cannot be read; nothing is decoded."""
    try:
        with _told("the image"):
            width, height = _opened(encoded).size
    except PixelError:
        return 0
    return width * height


def pixel_sha256(jpeg: bytes) -> str:
    """Hash what a model sees: the size and the RGB samples, whatever the encoder made of them. Raises PixelError."""
    return facts(jpeg).sha256


def encoder() -> dict[str, str]:
    """Return the versions of the encoder: with another one, compare pixel hashes, never file hashes."""
    import PIL
    from PIL import features

    return {"pillow": PIL.__version__, "libjpeg_turbo": str(features.version("libjpeg_turbo"))}


def _as_is(originals: Sequence[bytes]) -> Image:
    (data,) = originals
    return _opened(data)


def _rgb_jpeg(originals: Sequence[bytes]) -> Image:
    (data,) = originals
    return _opened(_jpeg(_opened(data)))


def _upright_rgb_jpeg(originals: Sequence[bytes]) -> Image:
    (data,) = originals
    return _opened(_jpeg(_upright(data)))


def _upright(data: bytes) -> Image:
    """Return the picture as `datasets.Image.decode_example` gives it (5.2: turned when EXIF or XMP says so)."""
    from PIL import ExifTags, ImageOps

    picture = _opened(data)
    picture.load()  # before it is asked for its orientation, as there
    if picture.getexif().get(ExifTags.Base.Orientation) is None:
        return picture
    turned = ImageOps.exif_transpose(picture)
    picture.close()
    return turned


def _grid(originals: Sequence[bytes]) -> Image:
    """Return upstream's merge of a VisText cluster: equal cells, row by row, each chart centred in its own."""
    from PIL import Image

    if not originals:
        raise PixelError("the image is a grid of no members.")
    charts = [_member(data, f"member {number} of {len(originals)}") for number, data in enumerate(originals, start=1)]
    rows, columns = _layout(len(charts))
    width, height = max(chart.width for chart in charts), max(chart.height for chart in charts)
    size = (columns * (width + _PADDING) + _PADDING, rows * (height + _PADDING) + _PADDING)
    _check(size)
    merged = Image.new("RGB", size, "white")
    for place, chart in enumerate(charts):
        row, column = divmod(place, columns)
        left = _PADDING + column * (width + _PADDING) + (width - chart.width) // 2
        top = _PADDING + row * (height + _PADDING) + (height - chart.height) // 2
        merged.paste(chart, (left, top))
    return merged


def _member(data: bytes, place: str) -> Image:
    try:
        with _told("the chart"):
            return _shrunk(_rgb(_opened(data)))
    except PixelError as error:
        raise PixelError(f"{place}: {error}") from error


def _layout(count: int) -> tuple[int, int]:
    """Return rows and columns: up to three side by side, else as square as can be, wider rather than higher."""
    if count <= 3:
        return 1, count
    columns = math.ceil(math.sqrt(count))
    return math.ceil(count / columns), columns


def _shrunk(chart: Image) -> Image:
    """Return the chart shrunk into _CHART, never enlarged.

    One axis at a time, across and then down: Pillow up to 12 resizes in this order, 13 in the order that is cheaper,
    and each pass rounds to 8 bits.
    """
    from PIL import Image

    factor = min(_CHART[0] / chart.width, _CHART[1] / chart.height)
    if factor >= 1:
        return chart
    width, height = int(chart.width * factor), int(chart.height * factor)
    across = chart.resize((width, chart.height), Image.Resampling.LANCZOS)
    return across.resize((width, height), Image.Resampling.LANCZOS)


def _opened(data: bytes) -> Image:
    """Return the picture with only its header read; raises PixelError when that promises too many pixels.

    Does what `Image.open` does save its warning about large pages, which some sources rightly have: Python switches
    warnings, and Pillow its limit, for all threads at once.
    """
    from PIL import Image

    Image.init()
    for name in _FORMATS:
        factory, accept = Image.OPEN.get(name, (None, None))
        if factory is None or (accept is not None and accept(data[:16]) is not True):
            continue
        try:
            picture = factory(io.BytesIO(data), "")
        except (SyntaxError, IndexError, TypeError, struct.error):  # a plugin's "not mine after all"
            continue
        _check(picture.size)
        return picture
    raise PixelError("the file is no image of a known kind.")


def _check(size: tuple[int, int]) -> None:
    if size[0] * size[1] > MAX_PIXELS:
        raise PixelError(
            f"the image promises {size[0]} x {size[1]} pixels, which no page of the sources has: refused as a "
            "decompression bomb."
        )


def _rgb(picture: Image) -> Image:
    picture.load()  # damage shows here; and `save` would copy an unread picture, which it takes for a read-only one
    return picture if picture.mode == "RGB" else picture.convert("RGB")


def _jpeg(picture: Image) -> bytes:
    """Encode a picture that nobody needs afterwards: a large page fills half a gigabyte."""
    rgb = _rgb(picture)
    if rgb is not picture:
        picture.close()
    stored = io.BytesIO()
    rgb.save(stored, "JPEG", quality=_QUALITY)
    rgb.close()
    return stored.getvalue()


@contextmanager
def _told(what: str) -> Iterator[None]:
    """Turn whatever a decoder stumbles over into one sentence about `what`."""
    try:
        yield
    except PixelError:
        raise
    except MemoryError as error:
        raise PixelError(f"{what} needs more memory than is free: repeat with fewer --jobs.") from error
    except Exception as error:
        raise PixelError(f"{what} cannot be decoded ({type(error).__name__}: {error}).") from error


RECIPES: Mapping[str, Recipe] = MappingProxyType(
    {
        "as_is": Recipe("the original file, not turned", _as_is),
        "rgb_jpeg": Recipe("RGB, JPEG q95, not turned", _rgb_jpeg),
        "upright_rgb_jpeg": Recipe("turned upright as `datasets` does, RGB, JPEG q95", _upright_rgb_jpeg),
        "grid": Recipe("the members shrunk into 800 x 600 and laid on a white grid, lossless", _grid),
    }
)
