"""The pictures of a report: made small until all fit into what the page may weigh."""

from __future__ import annotations

import io
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from sobench_metrics.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

__all__ = ["Places", "Shown", "find_pictures", "shrunk"]

_SIZES: Final = ((640, 75), (480, 70), (360, 65), (260, 55))  # longest side in pixels, JPEG quality
_FORMATS: Final = ("JPEG", "PNG", "WEBP")  # not all that Pillow opens: EPS, for one, is run by another program
_BASE64: Final = 4 / 3


@dataclass(frozen=True, slots=True)
class Shown:
    """A picture on the page: JPEG bytes; empty with the reason why there is none."""

    jpeg: bytes
    width: int = 0
    height: int = 0
    why_not: str = ""


Places = dict[str, tuple["Path", int]]
"""By the hash of a picture the file and the row where it lies."""


def find_pictures(roots: Iterable[Path], wanted: Iterable[str]) -> Places:
    """Return where the wanted pictures lie in the prepared sets at `roots`; no picture is read.

    A set that cannot be read has no pictures to offer: the page says which are missing.
    """
    from sobench_metrics.data.prepared_sets import data_files, file_rows

    left = set(wanted)
    places: Places = {}
    for root in roots:
        for file in data_files(root):
            if not left:
                return places
            try:
                for number, (_, row) in enumerate(file_rows(file, ("image_sha256",))):
                    name = str(row["image_sha256"])
                    if name in left:
                        places[name] = (file, number)
                        left.discard(name)
            except UsageError:
                continue
    return places


def shrunk(
    wanted: Iterable[str], places: Mapping[str, tuple[Path, int]], budget: int, *, seen: Callable[[int], None]
) -> Iterator[tuple[str, Shown]]:
    """Yield each wanted picture by its hash, one in memory at a time; `budget` is bytes of the page for all of them.

    Every picture may take its share of what is left, at the largest size that fits; one that does not fit even at the
    smallest is left out, and says so. Never raises for a damaged one.
    """
    from sobench_metrics.data.images import image_ref, read_bytes

    names = list(dict.fromkeys(wanted))
    left = float(budget)
    for number, name in enumerate(names):
        seen(number + 1)
        if name not in places:
            yield name, Shown(b"", why_not="this picture is in no prepared set on this machine")
            continue
        file, row = places[name]
        try:
            data = read_bytes(image_ref(name, file=file, row=row, pixels=0))
            found = _fitting(data, left / (len(names) - number) / _BASE64, left / _BASE64)
        except Exception as error:  # noqa: BLE001 - Pillow's decoders raise what they like; the page says so and goes on
            found = Shown(b"", why_not=f"this picture cannot be shown: {type(error).__name__}")
        left -= len(found.jpeg) * _BASE64
        yield name, found


def _fitting(data: bytes, allowance: float, left: float) -> Shown:
    small: Any = None
    for side, quality in _SIZES:
        small = _opened(data, side) if small is None else small
        small.thumbnail((side, side))
        stored = io.BytesIO()
        small.save(stored, "JPEG", quality=quality, optimize=True)
        if stored.tell() <= allowance or (side == _SIZES[-1][0] and stored.tell() <= left):
            return Shown(stored.getvalue(), small.width, small.height)
    return Shown(b"", why_not="left out: the pictures of this page weigh what they may (--picture-megabytes)")


def _opened(data: bytes, side: int) -> Any:
    from PIL import Image

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Image.DecompressionBombWarning)  # the largest pages have 145 megapixels
        with Image.open(io.BytesIO(data), formats=_FORMATS) as opened:
            opened.draft("RGB", (side, side))  # a large JPEG is decoded small at once
            return opened.convert("RGB")
