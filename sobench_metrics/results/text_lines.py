"""The lines of a text file, plain or packed (gzip, Zstandard, bzip2, xz), one in memory at a time."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zlib
from typing import IO, TYPE_CHECKING, Any, Final, cast

from sobench_metrics.data.plain_words import reason
from sobench_metrics.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

__all__ = ["LONGEST", "numbered_lines"]

LONGEST: Final = 1 << 26
"""Bytes of a line; a longer one is no sample, and would fill the memory."""

_BUFFER: Final = 1 << 16
_BOM: Final = "\ufeff"  # what some editors and shells put before the first line


def numbered_lines(file: Path, *, remedy: str) -> Iterator[tuple[int, str]]:
    """Yield the number (from 1) and text of every line that is not blank; raises UsageError ending in `remedy`.

    A line ends at LF alone: other line separators are ordinary characters inside a JSON string.
    """
    number = 0
    try:
        with _opened(file) as lines:
            while raw := lines.readline(LONGEST):
                number += 1
                if len(raw) >= LONGEST:
                    raise UsageError(f"{file}, line {number} is longer than {LONGEST:,} bytes: {remedy}.")
                line = raw.decode("utf-8")
                if number == 1:
                    line = line.removeprefix(_BOM)
                if line.strip():
                    yield number, line
    except UnicodeDecodeError as error:
        raise UsageError(f"{file}, line {number} is no text in UTF-8: {remedy}.") from error
    except (OSError, EOFError, zlib.error, lzma.LZMAError) as error:
        why = "it breaks off" if isinstance(error, EOFError) else reason(error)
        raise UsageError(f"cannot read {file} after line {number} ({why}): {remedy}.") from error


def _opened(file: Path) -> IO[bytes]:
    with file.open("rb") as raw:
        start = raw.read(_LONGEST_MARK)
    unpack = next((found for mark, found in _PACKED.items() if start.startswith(mark)), None)
    return cast("IO[bytes]", unpack(file)) if unpack else file.open("rb")


def _zstandard(file: Path) -> io.BufferedReader:
    try:
        import pyarrow as pa
    except ImportError as error:
        raise UsageError(f"{file} is packed by Zstandard: `pip install pyarrow`, or unpack it by `zstd -d`.") from error
    # its reader, unlike that of `zstandard`, tells a file that breaks off
    return io.BufferedReader(pa.CompressedInputStream(pa.OSFile(str(file)), "zstd"), _BUFFER)


_PACKED: Final[dict[bytes, Callable[[Path], Any]]] = {
    b"\x1f\x8b": gzip.GzipFile,
    b"BZh": bz2.BZ2File,
    b"\xfd7zXZ\x00": lzma.LZMAFile,
    b"\x28\xb5\x2f\xfd": _zstandard,
}
_LONGEST_MARK: Final = max(map(len, _PACKED))
