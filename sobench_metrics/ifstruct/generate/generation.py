"""Generate a split into a folder: go on where the last run stopped, and never touch what is finished."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sobench_metrics.data.plain_words import FULL, is_full, reason
from sobench_metrics.errors import UsageError
from sobench_metrics.ifstruct.generate.making import made_rows, maker_for
from sobench_metrics.ifstruct.generate.proofs.distinct import Distinct
from sobench_metrics.ifstruct.generate.row_maker import again
from sobench_metrics.ifstruct.generate.tally import Tally, tally_of
from sobench_metrics.ifstruct.generate.writing.card import write_card
from sobench_metrics.ifstruct.generate.writing.manifest import entry, is_whole, read_manifest, write_manifest
from sobench_metrics.ifstruct.generate.writing.parquet import write_parquet
from sobench_metrics.ifstruct.generate.writing.partial import Partial, opened

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from sobench_metrics.ifstruct.generate.settings import Settings

__all__ = ["Generated", "generate"]


@dataclass(frozen=True, slots=True)
class Generated:
    """What was made: counts, the rows that this run made (0 when the split was there), and the seconds they took."""

    tally: Tally
    files: tuple[Path, ...]
    made: int
    seconds: float


def generate(  # noqa: PLR0913 - what to make, how much, where; the rest has defaults
    settings: Settings,
    rows: int,
    folder: Path,
    *,
    formats: Sequence[str] = ("jsonl", "parquet"),
    workers: int = 1,
    seen: Callable[[int], None] = lambda _: None,
) -> Generated:
    """Write `rows` rows of a split to `folder` as SPLIT.jsonl and SPLIT.parquet, with notes, manifest and card.

    The rows are written as JSONL in any case. A split that is there with the same settings and size is left as it is;
    another one is refused with UsageError. `seen` is called with the number of rows so far. A run that is stopped
    leaves its rows in a hidden folder, and the same call goes on behind them.
    """
    record = settings.record()
    names = _names(settings.split, formats)
    partial = Partial(folder / f".{settings.split}.partial")
    splits = read_manifest(folder)
    if _is_there(folder, splits.get(settings.split), record, rows, names):
        files = tuple(folder / name for name in names)
        return Generated(tally_of(folder / names[0], folder / names[1]), files, 0, 0.0)
    _refuse_foreign(folder, names, partial, record)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not partial.belongs_to(record):
            partial.begin(record)
        started = time.monotonic()
        made = _make(settings, rows, partial, workers, seen)
        seconds = time.monotonic() - started
        tally = _finish(partial, folder, names, record, splits)
    except OSError as error:
        why = FULL if is_full(error) else reason(error)
        raise UsageError(f"cannot write in {folder} ({why}): mend that, or name another --out.") from error
    return Generated(tally, tuple(folder / name for name in names), made, seconds)


def _names(split: str, formats: Sequence[str]) -> list[str]:
    return [f"{split}.jsonl", f"{split}.notes.jsonl", *([f"{split}.parquet"] if "parquet" in formats else [])]


def _is_there(folder: Path, split: dict[str, Any] | None, record: dict[str, Any], rows: int, names: list[str]) -> bool:
    if split is None:
        return False
    same = all(split.get(name) == value for name, value in record.items()) and split["rows"] == rows
    if same and set(names) <= set(split["sha256"]) and is_whole(folder, split):
        return True
    if same and not is_whole(folder, split):
        raise UsageError(
            f"the files of {record['split']} in {folder} are not those of its manifest: name another --out, or remove "
            "them and the manifest."
        )
    wanted = {**record, "rows": rows}
    other = [name for name, value in wanted.items() if split.get(name) != value] or ["formats"]
    raise UsageError(
        f"{folder} holds another {record['split']} split (it differs in: {', '.join(other)}): name another --out, or "
        "remove that folder."
    )


def _refuse_foreign(folder: Path, names: list[str], partial: Partial, record: dict[str, Any]) -> None:
    standing = [name for name in names if (folder / name).exists()]
    if standing and not partial.belongs_to(record):
        raise UsageError(f"{folder / standing[0]} is there and was not made by this command: name another --out.")


def _make(settings: Settings, rows: int, partial: Partial, workers: int, seen: Callable[[int], None]) -> int:
    with opened(partial, rows) as appending:
        start, distinct, maker = appending.done, Distinct(), maker_for(settings)
        for prompt in appending.prompts():
            distinct.is_new(prompt)
        for made in made_rows(maker, settings, range(start, rows), workers):
            one = made
            while not distinct.is_new(one.row["prompt"]):
                one = again(maker, one)
            appending.add(one)
            seen(appending.done)
        return appending.done - start


def _finish(partial: Partial, folder: Path, names: list[str], record: dict[str, Any], splits: dict[str, Any]) -> Tally:
    """Give the partial files their names; manifest and card come last, so that what they name is there."""
    ready = dict(zip(names, (partial.rows, partial.notes, partial.folder / "rows.parquet"), strict=False))
    if len(names) > len((partial.rows, partial.notes)):
        write_parquet(partial.rows, ready[names[-1]])
    tally = tally_of(partial.rows, partial.notes)
    splits = {**splits, str(record["split"]): entry(record, tally, ready)}
    for name, file in ready.items():
        file.replace(folder / name)
    write_card(folder, splits)
    write_manifest(folder, splits)
    partial.remove()
    return tally
