"""What a run leaves beside its set: the list of missing images, and what is not needed once the set stands."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

from sobench_metrics.data.fetch.spool import SPOOL_SUFFIX
from sobench_metrics.data.prepare.finished import RENDERED
from sobench_metrics.data.whole_file import whole_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

__all__ = ["MISSING_NAME", "forget_missing", "note_missing", "tidy"]

MISSING_NAME = "missing.json"


def note_missing(home: Path, missing: Mapping[str, str]) -> Path:
    """Write reasons by doc id, all of them, and return the file."""
    file = home / MISSING_NAME
    with whole_file(file) as stream:
        json.dump(dict(missing), stream, indent=2, ensure_ascii=False)
    return file


def forget_missing(home: Path) -> None:
    """Remove the list of an earlier run."""
    (home / MISSING_NAME).unlink(missing_ok=True)


def tidy(home: Path, *, done_with: Iterable[str]) -> None:
    """Remove rendered images, which the set holds now, and the half-read archives of sources that are complete."""
    shutil.rmtree(home / RENDERED, ignore_errors=True)
    for source in done_with:
        for spool in (home / "raw" / source / "index").glob(f"*{SPOOL_SUFFIX}*"):
            spool.unlink(missing_ok=True)
