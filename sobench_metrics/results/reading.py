"""Open a run by its place, whichever harness or reference wrote it: the one door for everything that reads runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sobench_metrics.results import lm_eval_log

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sobench_metrics.results.records import Run, Sample

__all__ = ["open_runs", "samples"]


def open_runs(place: Path) -> dict[str, Run]:
    """Return the tasks of one run by name; raises UsageError for a place that holds no run we can read."""
    return lm_eval_log.open_runs(place)


def samples(run: Run) -> Iterator[Sample]:
    """Yield the samples of a run, one in memory at a time; raises UsageError for a damaged log."""
    return lm_eval_log.samples(run)
