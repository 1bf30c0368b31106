"""The lines of a text file, plain or gzipped, one in memory at a time."""

from __future__ import annotations

import gzip
import zlib
from typing import TYPE_CHECKING, Final, cast

from sobench_metrics.data.plain_words import reason
from sobench_metrics.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import TextIO

__all__ = ["LONGEST", "numbered_lines"]

LONGEST: Final = 1 << 26
"""Characters of a line; a longer one is no sample, and would fill the memory."""

_GZIP: Final = b"\x1f\x8b"


def numbered_lines(file: Path, *, remedy: str) -> Iterator[tuple[int, str]]:
    """Yield the number (from 1) and text of every line that is not blank; raises UsageError ending in `remedy`.

    A line ends at LF alone: other line separators are ordinary characters inside a JSON string.
    """
    number = 0
    try:
        with _opened(file) as lines:
            while line := lines.readline(LONGEST):
                number += 1
                if len(line) >= LONGEST:
                    raise UsageError(f"{file}, line {number} is longer than {LONGEST:,} characters: {remedy}.")
                if line.strip():
                    yield number, line
    except (OSError, EOFError, UnicodeDecodeError, zlib.error) as error:
        why = "it breaks off" if isinstance(error, EOFError) else reason(error)
        raise UsageError(f"cannot read {file} after line {number} ({why}): {remedy}.") from error


def _opened(file: Path) -> TextIO:
    with file.open("rb") as raw:
        packed = raw.read(len(_GZIP)) == _GZIP
    if packed:
        return cast("TextIO", gzip.open(file, "rt", encoding="utf-8", newline="\n"))
    return file.open(encoding="utf-8", newline="\n")
