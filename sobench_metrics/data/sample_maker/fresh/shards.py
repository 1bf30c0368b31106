"""Data files on their way: each is written whole, with a note beside it that tells what it holds."""

from __future__ import annotations

import hashlib
import json
import shutil
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sobench_metrics.data.set_layout import row_sha256, write_parquet
from sobench_metrics.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sobench_metrics.data.sample_maker.fresh.row_maker import Made
    from sobench_metrics.data.sample_maker.fresh.settings import Settings, Shard

__all__ = ["Note", "Unfinished"]

_SLICE = 1 << 20


@dataclass(frozen=True, slots=True)
class Note:
    """What is known of a finished data file: its hash and size, hashes and kind of each document, draws replaced."""

    sha256: str
    size: int
    documents: dict[str, dict[str, str]]
    kinds: dict[str, int]
    replaced: int


@dataclass(frozen=True, slots=True)
class Unfinished:
    """The finished data files of a set that is being made, in a hidden folder of its place."""

    folder: Path

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Hold the folder for the block; raises UsageError when another run has it, OSError where it cannot be made."""
        from filelock import FileLock, Timeout

        self.folder.mkdir(parents=True, exist_ok=True)
        lock = FileLock(self.folder / ".lock")
        try:
            lock.acquire(timeout=0)
        except Timeout:
            raise UsageError(
                f"another run is writing in {self.folder.parent}: wait until it ends, or name another --out."
            ) from None
        except NotImplementedError as error:
            raise UsageError(f"the disk of {self.folder.parent} knows no locks: name another --out.") from error
        try:
            yield
        finally:
            lock.release()

    def begin(self, settings: Settings) -> None:
        """Keep what was made with the same settings, throw anything else away."""
        noted = self.folder / "settings.json"
        wanted = json.dumps(settings.record(), sort_keys=True)
        if not noted.is_file() or noted.read_text(encoding="utf-8") != wanted:
            for name in ("data", "notes"):
                shutil.rmtree(self.folder / name, ignore_errors=True)
            self.folder.mkdir(parents=True, exist_ok=True)
            noted.write_text(wanted, encoding="utf-8")

    def note(self, shard: Shard) -> Note | None:
        """Return what is noted of a data file; None while it is not there whole."""
        try:
            found = json.loads(self._note_file(shard).read_text(encoding="utf-8"))
            note = Note(**found)
        except (OSError, ValueError, TypeError):
            return None
        file = self.folder / shard.file
        return note if file.is_file() and file.stat().st_size == note.size else None

    def write(self, shard: Shard, made: Iterator[Made], prep_id: str) -> Note:
        """Write the rows as they come, one in memory at a time; the file takes its name when it is whole."""
        file = self.folder / shard.file
        file.parent.mkdir(parents=True, exist_ok=True)
        growing = file.with_suffix(".growing")
        documents: dict[str, dict[str, str]] = {}
        kinds: dict[str, int] = {}
        replaced = 0

        def rows() -> Iterator[dict[str, Any]]:
            nonlocal replaced
            for one in made:
                row = {**one.row, "prep_id": prep_id}
                documents[row["doc_id"]] = {
                    "image_sha256": row["image_sha256"], "pixel_sha256": row["pixel_sha256"],
                    "row_sha256": row_sha256(row),
                }  # fmt: skip
                kinds[row["source"]] = kinds.get(row["source"], 0) + 1
                replaced += one.dropped
                yield row

        write_parquet(growing, rows())
        note = Note(_sha256(growing), growing.stat().st_size, documents, dict(sorted(kinds.items())), replaced)
        growing.replace(file)
        place = self._note_file(shard)
        place.parent.mkdir(exist_ok=True)
        unnamed = place.with_suffix(".growing")
        unnamed.write_text(json.dumps({name: getattr(note, name) for name in Note.__slots__}), encoding="utf-8")
        unnamed.replace(place)
        return note

    def _note_file(self, shard: Shard) -> Path:
        return self.folder / "notes" / f"{shard.domain}-{shard.index:05d}.json"


def _sha256(file: Path) -> str:
    digest = hashlib.sha256()
    with file.open("rb") as content:
        while part := content.read(_SLICE):
            digest.update(part)
    return digest.hexdigest()
