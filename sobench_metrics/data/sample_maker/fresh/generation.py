"""Generate a set of pictures into a folder: in the layout of prepared data, going on where the last run stopped."""

from __future__ import annotations

import json
import shutil
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any

from sobench_metrics import __version__
from sobench_metrics.data.in_order import begin_worker, chunks, closed_at_once, in_order
from sobench_metrics.data.plain_words import FULL, is_full, reason
from sobench_metrics.data.sample_maker import prompts
from sobench_metrics.data.sample_maker.fresh.card import card
from sobench_metrics.data.sample_maker.fresh.row_maker import Made, made_row
from sobench_metrics.data.sample_maker.fresh.shards import Note, Unfinished
from sobench_metrics.data.set_layout import pretty
from sobench_metrics.data.whole_file import whole_file
from sobench_metrics.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from sobench_metrics.data.sample_maker.fresh.settings import Settings, Shard

__all__ = ["Generated", "generate"]

_CHUNK = 4  # rows: a picture takes a few tenths of a second
_AHEAD = 3  # chunks a worker, waiting for their turn
_MANIFEST = "manifest.json"


@dataclass(frozen=True, slots=True)
class Generated:
    """What there is now: the manifest, the rows made by this run (0 when the set was there), the seconds they took."""

    manifest: dict[str, Any]
    made: int
    seconds: float


def generate(
    settings: Settings, folder: Path, *, workers: int = 1, seen: Callable[[int], None] = lambda _: None
) -> Generated:
    """Write the set to `folder`; a whole one with the same settings is left as it is.

    `seen` is called with the number of rows so far. A run that is stopped keeps its whole files in a hidden folder,
    and the same call goes on behind them. Raises UsageError for a folder that holds something else.
    """
    standing = _standing(folder)
    if standing is not None:
        _refuse_another(settings, standing, folder)
        return Generated(standing, 0, 0.0)
    unfinished = Unfinished(folder / ".unfinished")
    try:
        with unfinished.alone():
            unfinished.begin(settings)
            started = time.monotonic()
            notes, made = _made(settings, unfinished, workers, seen)
            seconds = time.monotonic() - started
            manifest = _finish(settings, folder, unfinished, notes)
    except OSError as error:
        why = FULL if is_full(error) else reason(error)
        raise UsageError(f"cannot write in {folder} ({why}): mend that, or name another --out.") from error
    shutil.rmtree(unfinished.folder, ignore_errors=True)
    return Generated(manifest, made, seconds)


def _standing(folder: Path) -> dict[str, Any] | None:
    """Return the manifest of a folder, None where none stands and nothing would be written over."""
    file = folder / _MANIFEST
    if not file.exists():
        foreign = [name for name in ("data", "prompts.json", "README.md") if (folder / name).exists()]
        if foreign and not (folder / ".unfinished" / "settings.json").is_file():
            raise UsageError(f"{folder / foreign[0]} is there and was not made by this command: name another --out.")
        return None
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
        return dict(found)
    except (OSError, ValueError, TypeError) as error:
        raise UsageError(f"cannot read {file} ({reason(error)}): name another --out.") from error


def _refuse_another(settings: Settings, standing: dict[str, Any], folder: Path) -> None:
    wanted = settings.record()
    other = [name for name, value in wanted.items() if standing.get(name) != value]
    if other:
        raise UsageError(f"{folder} holds another set (it differs in: {', '.join(other)}): name another --out.")
    lost = [
        name
        for name, entry in standing["files"].items()
        if not (folder / name).is_file() or (folder / name).stat().st_size != entry["bytes"]
    ]
    if lost:
        raise UsageError(f"{folder / lost[0]} is not as its manifest says: remove that folder, or name another --out.")


def _made(
    settings: Settings, unfinished: Unfinished, workers: int, seen: Callable[[int], None]
) -> tuple[dict[str, Note], int]:
    """Return the notes of all data files, and how many rows were made for them now."""
    notes: dict[str, Note] = {}
    distinct = _Distinct()
    before = made = 0
    for shard in settings.shards():
        note = unfinished.note(shard)
        if note is None:
            rows = _counted(_rows(settings, shard, workers, distinct), before, seen)
            note = unfinished.write(shard, rows, settings.prep_id)
            made += shard.stop - shard.first
        distinct.add(note)
        notes[shard.file] = note
        before += shard.stop - shard.first
        seen(before)
    return notes, made


def _counted(rows: Iterator[Made], before: int, seen: Callable[[int], None]) -> Iterator[Made]:
    for number, made in enumerate(rows, before + 1):
        yield made
        seen(number)


def _rows(settings: Settings, shard: Shard, workers: int, distinct: _Distinct) -> Iterator[Made]:
    for made in _drawn(settings, shard, workers):
        one = made
        while not distinct.is_new(one):
            other = made_row(settings.seed, shard.domain, _number(one), one.attempt + 1)
            one = Made(other.row, other.attempt, one.dropped + other.dropped + 1)
        yield one


def _drawn(settings: Settings, shard: Shard, workers: int) -> Iterator[Made]:
    work = partial(_rows_of, settings.seed, shard.domain)
    if workers == 1:
        for number in range(shard.first, shard.stop):
            yield from work(range(number, number + 1))
        return
    pool = ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=begin_worker)
    with closed_at_once(pool) as executor:
        yield from in_order(executor, work, chunks(shard.first, shard.stop, _CHUNK), workers * _AHEAD)


def _rows_of(seed: int, domain: str, numbers: range) -> list[Made]:
    return [made_row(seed, domain, number) for number in numbers]


def _number(made: Made) -> int:
    return int(made.row["doc_id"].rpartition("_")[2])


class _Distinct:
    """Pictures so far, each as eight bytes."""

    def __init__(self) -> None:
        self._seen: set[str] = set()

    def is_new(self, made: Made) -> bool:
        mark = made.row["pixel_sha256"][:16]
        if mark in self._seen:
            return False
        self._seen.add(mark)
        return True

    def add(self, note: Note) -> None:
        self._seen.update(entry["pixel_sha256"][:16] for entry in note.documents.values())


def _finish(settings: Settings, folder: Path, unfinished: Unfinished, notes: dict[str, Note]) -> dict[str, Any]:
    """Give the files their places; the manifest comes last, so that what it names is there."""
    for name in notes:
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        (unfinished.folder / name).replace(place)
    written = {"prompts.json": pretty(prompts.as_mapping()), "README.md": card(settings).encode()}
    for name, content in written.items():
        with whole_file(folder / name) as file:
            file.write(content.decode())
    manifest = _manifest(settings, notes, written)
    with whole_file(folder / _MANIFEST) as file:
        file.write(pretty(manifest).decode())
    return manifest


def _manifest(settings: Settings, notes: dict[str, Note], written: dict[str, bytes]) -> dict[str, Any]:
    kinds: Counter[str] = Counter()
    for note in notes.values():
        kinds.update(note.kinds)
    files = {name: {"sha256": note.sha256, "bytes": note.size} for name, note in notes.items()}
    files |= {name: {"sha256": sha256(text).hexdigest(), "bytes": len(text)} for name, text in written.items()}
    return {
        "what": "pictures drawn by `sobench generate sobench-sample`; never comparable with SO-Bench",
        "licence": "Apache-2.0 (all pictures, rows and wording made for this project)",
        **settings.record(),
        "tool": f"sobench {__version__}",
        "prep_id": settings.prep_id,
        "expected_total": settings.rows,
        "expected": {"domain": settings.counts()},
        "counts": {"domain": settings.counts(), "source": dict(sorted(kinds.items()))},
        "draws_replaced": sum(note.replaced for note in notes.values()),
        "files": dict(sorted(files.items())),
        "documents": {name: entry for note in notes.values() for name, entry in note.documents.items()},
    }
