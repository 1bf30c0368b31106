"""What can be told before the first question: a folder that takes no results, a number of samples that is none."""

from __future__ import annotations

import tempfile
from pathlib import Path

from sobench_metrics.errors import UsageError

__all__ = ["refuse_count", "refuse_folder"]


def refuse_folder(folder: str | None, option: str) -> None:
    """Raise UsageError unless results can be written there; lighteval would find out when all answers are there."""
    if folder is None or "://" in folder:  # another file system, which only its client can try
        return
    path = Path(folder).expanduser()
    try:
        path.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path):
            pass
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise UsageError(f"no results can be written to {path} ({reason}): name another folder by {option}.") from error


def refuse_count(samples: int | None) -> None:
    """Raise UsageError for a number of samples below one, which lighteval takes for all, or for all but some."""
    if samples is not None and samples < 1:
        raise UsageError(f"--max-samples {samples} asks for nothing: give a number from 1, or leave it out for all.")
