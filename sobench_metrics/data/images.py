"""Pictures stay encoded: a reference travels through the harness, bytes are read when a backend wants them.

A harness hashes request arguments for its cache and writes them into logs. A reference is plain text (the
SHA-256 of the encoded picture), so both cost nothing and stay equal from run to run and from disk to disk.
"""

from __future__ import annotations

import base64
import hashlib
import io
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sobench_metrics.errors import UsageError

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["ImageRef", "data_url", "image_ref", "mime_type", "open_image", "read_bytes"]

_MAGIC = (
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"GIF8", "image/gif"),
)


class ImageRef(str):  # noqa: SLOT000 - carries its place through pickling
    """The text `sha256:<hex>` of an encoded picture that also knows where its bytes lie.

    Equality, hash, JSON and logs see the text alone; `file`, `row` and `pixels` (width x height) ride along,
    through pickling too.
    """

    file: str
    row: int
    pixels: int


def image_ref(sha256: str, *, file: str | Path, row: int, pixels: int) -> ImageRef:
    """Return the reference to row `row` (counted over the whole file) of a prepared parquet file."""
    ref = ImageRef(f"sha256:{sha256}")
    ref.file, ref.row, ref.pixels = str(file), row, pixels
    return ref


@lru_cache(maxsize=64)
def _metadata(file: str, _mtime_ns: int) -> Any:
    import pyarrow.parquet as pq

    return pq.read_metadata(file)


def read_bytes(ref: ImageRef) -> bytes:
    """Return the encoded picture, checked against its hash.

    Only the row group that holds the row is read. Raises UsageError when the file is gone or the bytes are
    not those that the hash promises.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        metadata = _metadata(ref.file, Path(ref.file).stat().st_mtime_ns)
        group, row = 0, ref.row
        while row >= metadata.row_group(group).num_rows:
            row -= metadata.row_group(group).num_rows
            group += 1
        with pq.ParquetFile(ref.file, metadata=metadata) as parquet:
            column = parquet.read_row_group(group, columns=["image.bytes"]).column("image")
        data = column[row].as_py()["bytes"] or b""
    except (OSError, IndexError, KeyError, TypeError, pa.ArrowException) as error:
        raise UsageError(f"cannot read an image from {ref.file} ({error}): run `sobench prepare` again.") from error
    if f"sha256:{hashlib.sha256(data).hexdigest()}" != ref:
        raise UsageError(
            f"row {ref.row} of {ref.file} does not hold the image {ref}: the file was damaged or mixed with "
            "another one; run `sobench prepare` again."
        )
    return bytes(data)


def open_image(data: bytes) -> Image:
    """Return the picture as a Pillow image whose pixels are decoded at their first use, not before."""
    from PIL import Image, UnidentifiedImageError

    try:
        image = Image.open(io.BytesIO(data))
        return image if image.mode == "RGB" else image.convert("RGB")
    except (UnidentifiedImageError, OSError, Image.DecompressionBombError) as error:
        raise UsageError(f"an image of the data set cannot be decoded ({error}): run `sobench check`.") from error


def mime_type(data: bytes) -> str:
    """Return the MIME type that the first bytes prove; raises UsageError for anything but JPEG, PNG, GIF, WebP."""
    for magic, mime in _MAGIC:
        if data.startswith(magic):
            return mime
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    raise UsageError("an image of the data set is neither JPEG, PNG, GIF nor WebP: run `sobench check`.")


def data_url(data: bytes) -> str:
    """Return the picture as a data URL with its true MIME type, as chat servers take it; no byte is encoded anew."""
    return f"data:{mime_type(data)};base64,{base64.b64encode(data).decode('ascii')}"
