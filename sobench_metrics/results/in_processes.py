"""Score the pieces of a run in several processes, a bounded number of pieces under way, results in their order."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import tempfile
from collections import deque
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from sobench_metrics.errors import UsageError
from sobench_metrics.results.scored_pieces import Piece, score_piece

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from concurrent.futures import Future

    from sobench_metrics.results.formats import Item
    from sobench_metrics.results.records import Run

__all__ = ["available_processors", "in_processes", "in_turn"]

_AHEAD: Final = 3
"""Pieces under way for each worker: one that it does, and some that wait, so that it never does."""

_FEW: Final = 2
"""So many pieces are done here sooner than workers start."""

_work: tuple[Run, Any, bool] | None = None


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
) -> Iterator[Piece]:
    """Yield the pieces as `in_turn` does, in the same order, scored by that many workers.

    The workers are started afresh, not forked, and end with this generator, whatever ends it. Raises UsageError when
    the system ended one of them.
    """
    stream = iter(pieces)
    first = list(islice(stream, _FEW + 1))
    stream = chain(first, stream)
    if workers < 2 or len(first) <= _FEW:
        yield from in_turn(run, context, stream, as_lines=as_lines)
        return
    # by a file: a worker that dies before it has read a long message would leave its parent writing for ever
    with tempfile.NamedTemporaryFile(prefix="sobench-score-") as work:
        pickle.dump((run, context, as_lines), work)
        work.flush()
        yield from _by_workers(work.name, stream, workers)


def _by_workers(work: str, pieces: Iterable[list[Item]], workers: int) -> Iterator[Piece]:
    before = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), initializer=_begin, initargs=(work,))
    waiting: deque[Future[Piece]] = deque()
    try:
        for piece in pieces:
            waiting.append(pool.submit(_do, piece))
            if len(waiting) >= workers * _AHEAD:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    except BrokenProcessPool as error:
        raise UsageError("a scoring process ended, mostly for lack of memory: repeat with fewer --workers.") from error
    except BaseException:
        for child in set(multiprocessing.active_children()) - before:
            child.terminate()  # or the end waits for pieces that nobody wants
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _begin(work: str) -> None:
    """Take over, once, what all pieces need, from the file of that name; Ctrl-C is the parent's to handle."""
    global _work  # noqa: PLW0603 - a worker process has one run
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _work = pickle.loads(Path(work).read_bytes())  # noqa: S301 - our own parent's


def _do(piece: list[Item]) -> Piece:
    if _work is None:
        raise RuntimeError("a scoring process was not told its run")
    run, context, as_lines = _work
    return score_piece(run, context, piece, as_lines=as_lines)
