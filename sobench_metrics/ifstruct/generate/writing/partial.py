"""Rows on their way to a file: whatever was finished when a run stopped is there for the next one.

A row depends on settings and number alone, so that the next run goes on behind the last whole line.
"""

from __future__ import annotations

import json
import shutil
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any

from sobench_metrics.data.plain_words import FULL, is_full, reason
from sobench_metrics.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sobench_metrics.ifstruct.generate.row_maker import Made

__all__ = ["Partial", "opened"]


@dataclass(frozen=True, slots=True)
class Partial:
    """The unfinished files of a split, in a hidden folder beside the finished ones."""

    folder: Path

    @property
    def rows(self) -> Path:
        """The rows so far, one a line."""
        return self.folder / "rows.jsonl"

    @property
    def notes(self) -> Path:
        """What is noted of them, one a line."""
        return self.folder / "notes.jsonl"

    def belongs_to(self, record: dict[str, Any]) -> bool:
        """Return whether the work was begun with the same settings."""
        try:
            found = json.loads((self.folder / "settings.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return False
        return bool(found == json.loads(json.dumps(record)))

    def begin(self, record: dict[str, Any]) -> None:
        """Throw other settings' work away and note these down."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        (self.folder / "settings.json").write_text(json.dumps(record, indent=2), encoding="utf-8")

    def remove(self) -> None:
        """Remove the folder; what was finished has taken its names by now."""
        shutil.rmtree(self.folder, ignore_errors=True)


class Appending:
    """Appends rows with their notes; `done` counts the whole ones."""

    def __init__(self, rows: IO[bytes], notes: IO[bytes], wanted: int) -> None:
        self._rows, self._notes = rows, notes
        self.done = _cut_to_whole_lines(rows, notes, wanted)

    def prompts(self) -> Iterator[str]:
        """Yield the prompts that stand there already."""
        self._rows.seek(0)
        for line in self._rows:
            yield json.loads(line)["prompt"]

    def add(self, made: Made) -> None:
        """Append one row and its note; ValueError for a row that is not the next one."""
        if made.row["doc_id"] != self.done:
            raise ValueError(f"row {made.row['doc_id']} came where row {self.done} was due")
        self._rows.write(_line(made.row))
        self._notes.write(_line(made.note))
        self.done += 1


@contextmanager
def opened(partial: Partial, wanted: int) -> Iterator[Appending]:
    """Give what appends to the partial files; on the way out they are flushed, whatever happened.

    At most `wanted` rows stay. Raises UsageError when the place cannot be written or another run is writing there.
    """
    try:
        with partial.rows.open("a+b") as rows, partial.notes.open("a+b") as notes:
            _claim(rows, partial)
            yield Appending(rows, notes, wanted)
    except OSError as error:
        why = FULL if is_full(error) else reason(error)
        raise UsageError(
            f"cannot write in {partial.folder.parent} ({why}): mend that, or name another --out; rows made so far "
            "stay there, and the same command goes on behind them."
        ) from error


def _claim(file: IO[bytes], partial: Partial) -> None:
    """Hold the file against a second run; the system lets go of it when this one ends, however it ends."""
    try:
        import fcntl
    except ModuleNotFoundError:  # Windows
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise UsageError(
            f"another run is writing in {partial.folder.parent}: wait until it ends, or name another --out."
        ) from None


def _cut_to_whole_lines(rows: IO[bytes], notes: IO[bytes], wanted: int) -> int:
    """Cut both files to as many lines as are whole in both, and return their number."""
    ends = [_line_ends(file, wanted) for file in (rows, notes)]
    kept = min(number for number, _ in ends)
    for file in (rows, notes):
        _, end = _line_ends(file, kept)
        file.truncate(end)
        file.seek(0, 2)
    return kept


def _line_ends(file: IO[bytes], most: int) -> tuple[int, int]:
    """Return the number of whole lines from the front, `most` at most, and the place behind the last of them."""
    file.seek(0)
    number = end = 0
    for line in file:
        if number == most or not line.endswith(b"\n"):
            break
        number, end = number + 1, end + len(line)
    return number, end


def _line(value: dict[str, Any]) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode() + b"\n"
