"""Score a whole run again from its texts: what `sobench score` does, as one call."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from sobench_metrics.results.in_processes import in_processes
from sobench_metrics.results.on_engines import ENGINES
from sobench_metrics.results.reading import FORMATS
from sobench_metrics.results.scored_pieces import gathered, pieces_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from sobench_metrics.results.records import Run
    from sobench_metrics.results.scored_pieces import Piece, Scored

__all__ = ["score_run"]


def _unwatched(pieces: Iterable[Piece]) -> Iterable[Piece]:
    return pieces


def score_run(  # noqa: PLR0913 - each is a choice of its own
    run: Run,
    *,
    workers: int = 1,
    engine: str = "",
    write: Callable[[str], object] | None = None,
    allow_repeats: bool = False,
    watched: Callable[[Iterable[Piece]], Iterable[Piece]] = _unwatched,
) -> Scored:
    """Return the sums of a run's figures, equal bit for bit whoever scores: this process, `workers`, or an engine.

        for run in open_runs(Path("out")).values():
            print(run.task, score_run(run, workers=8).tally.figures["pass"].value)

    `engine` is a name in ENGINES, or "". `write` is given a line of JSON for each sample. With `allow_repeats` several
    samples may have one name. `watched` hands the pieces on and may show how far they are. Raises UsageError for what
    cannot be scored.
    """
    format_ = FORMATS[run.format]
    context = format_.context(run)
    wants_lines = write is not None
    if engine:
        pieces = ENGINES[engine](run, context, workers, as_lines=wants_lines)
    else:
        pieces = in_processes(run, context, pieces_of(format_.items(run)), workers, as_lines=wants_lines)
    with closing(pieces):  # at once: an error that is told later would keep the workers alive till then
        return gathered(run, context, watched(pieces), write=write, allow_repeats=allow_repeats)
