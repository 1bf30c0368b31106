"""Write a hard set to a folder: rows as JSONL and parquet, each proven, and a manifest that names them."""

from __future__ import annotations

import hashlib
import json
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from sobench_metrics import __version__, ifstruct
from sobench_metrics.data.plain_words import FULL, is_full, reason
from sobench_metrics.data.whole_file import whole_file
from sobench_metrics.errors import UsageError
from sobench_metrics.ifstruct.hard.rows import hard_row
from sobench_metrics.ifstruct.hard.version import HARD_VERSION

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

__all__ = ["FILE", "MANIFEST", "TABLE", "write_hard_set", "write_hard_table"]

FILE = "ifstruct_hard.jsonl"
TABLE = "ifstruct_hard.parquet"
MANIFEST = "manifest.json"
_FURTHER = {"level": "int64", "style": "string", "content_rules": "string", "oracle_answer": "string"}


def write_hard_set(
    folder: Path, levels: Sequence[int], per_level: int, seed: int, seen: Callable[[int], None] = lambda _: None
) -> dict[str, Any]:
    """Write FILE and MANIFEST into the folder, each whole or not at all, and return the manifest.

    Same version, levels, number and seed: same bytes. An older TABLE is removed, since it would tell of other rows.
    `seen` is called with the number of rows so far. Raises UsageError where nothing can be written.
    """
    with _told_of(folder):
        folder.mkdir(parents=True, exist_ok=True)
    digest, rows = hashlib.sha256(), 0
    with whole_file(folder / FILE) as file:
        for level in levels:
            for number in range(per_level):
                line = json.dumps(proven(hard_row(level, number, seed)), ensure_ascii=False) + "\n"
                digest.update(line.encode())
                file.write(line)
                rows += 1
                seen(rows)
    with _told_of(folder / TABLE):
        (folder / TABLE).unlink(missing_ok=True)
    manifest = {
        "what": "IFStruct rows of graded difficulty with strict rules; their numbers are no numbers of IFStruct",
        "hard_version": HARD_VERSION,
        "sobench_version": __version__,
        "seed": seed,
        "levels": list(levels),
        "per_level": per_level,
        "rows": rows,
        "sha256": {FILE: digest.hexdigest()},
    }
    with whole_file(folder / MANIFEST) as file:
        file.write(json.dumps(manifest, indent=2) + "\n")
    return manifest


def write_hard_table(folder: Path) -> None:
    """Write TABLE from the folder's FILE, whole or not at all; raises UsageError where it cannot be written."""
    from sobench_metrics.ifstruct.generate.writing.parquet import write_parquet  # pyarrow: only when asked for

    unfinished = folder / f".{TABLE}.tmp"
    try:
        with _told_of(folder / TABLE):
            write_parquet(folder / FILE, unfinished, _FURTHER)
            unfinished.replace(folder / TABLE)
    finally:
        unfinished.unlink(missing_ok=True)


@contextmanager
def _told_of(place: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        why = FULL if is_full(error) else reason(error)
        raise UsageError(f"cannot write {place} ({why}): mend that, or name another --out.") from error


def proven(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the row if its right answer passes officially and strictly; else it is a fault of ours, a RuntimeError."""
    verdict = ifstruct.validate(row["oracle_answer"], ifstruct.Spec.from_row(row))
    if findings := (*verdict.errors, *verdict.strict):
        raise RuntimeError(f"the right answer of row {row['doc_id']} is not right: {findings[0]}")
    return row
