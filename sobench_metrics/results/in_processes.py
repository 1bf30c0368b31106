"""Score the pieces of a run in several processes, a bounded number of pieces under way, results in their order."""

from __future__ import annotations

import os
import pickle
import tempfile
from itertools import chain, islice
from multiprocessing.connection import wait
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from sobench_metrics.errors import UsageError
from sobench_metrics.results.scored_pieces import Piece, score_piece
from sobench_metrics.results.worker import Worker, WorkerLostError

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator

    from sobench_metrics.results.formats import Item
    from sobench_metrics.results.records import Run

__all__ = ["available_processors", "in_processes", "in_turn"]

_AHEAD: Final = 3
"""Pieces under way for each worker: one that it does, and others that wait for a slow one before them."""

_FEW: Final = 2
"""So many pieces are done here sooner than workers start."""


def available_processors() -> int:
    """Return how many processors this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)  # not on every system
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def in_turn(run: Run, context: Any, pieces: Iterable[list[Item]], *, as_lines: bool = False) -> Iterator[Piece]:
    """Yield the pieces, scored in this process."""
    for piece in pieces:
        yield score_piece(run, context, piece, as_lines=as_lines)


def in_processes(
    run: Run, context: Any, pieces: Iterable[list[Item]], workers: int, *, as_lines: bool = False
) -> Generator[Piece, None, None]:
    """Yield the pieces as `in_turn` does, in the same order, scored by that many workers.

    The workers end with this generator, whatever ends it. Raises UsageError when the system ended one of them.
    """
    stream = iter(pieces)
    first = list(islice(stream, max(workers, _FEW + 1)))
    stream = chain(first, stream)
    if workers < 2 or len(first) <= _FEW:
        yield from in_turn(run, context, stream, as_lines=as_lines)
        return
    # by a file: a worker that dies before it has read a long message would leave its parent writing for ever
    with tempfile.TemporaryDirectory(prefix="sobench-score-") as folder:
        work = Path(folder) / "work"
        work.write_bytes(pickle.dumps((run, context, as_lines)))
        team: list[Worker] = []
        try:
            while len(team) < min(workers, len(first)):  # all of them first, for they take a second to start
                team.append(Worker(work))
            del first
            yield from _by_team(team, stream)
        except WorkerLostError as error:
            told = "a scoring process ended, mostly for lack of memory: repeat with fewer --workers."
            raise UsageError(told) from error
        finally:
            for worker in team:
                worker.end()


def _by_team(team: list[Worker], pieces: Iterator[list[Item]]) -> Iterator[Piece]:
    idle = list(team)
    busy: dict[Any, tuple[int, Worker]] = {}
    done: dict[int, Piece] = {}
    given = told = 0
    while True:
        while idle and given - told < len(team) * _AHEAD and (piece := next(pieces, None)) is not None:
            worker = idle.pop()
            worker.give(piece)
            busy[worker.pipe] = given, worker
            given += 1
        if not busy:
            return
        for pipe in wait(list(busy)):
            number, worker = busy.pop(pipe)
            done[number] = worker.result()
            idle.append(worker)
        while told in done:
            yield done.pop(told)
            told += 1
