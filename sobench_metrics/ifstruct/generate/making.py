"""Make rows in order: alone, in several processes, or in threads that wait for a model; the rows are the same."""

from __future__ import annotations

import os
import signal
import threading
from collections import deque
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from itertools import islice
from multiprocessing import get_context, parent_process
from typing import TYPE_CHECKING

from sobench_metrics.ifstruct.generate.row_maker import Made, Maker

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sobench_metrics.ifstruct.generate.settings import Settings

__all__ = ["made_rows"]

_CHUNK = 50
_AHEAD = 3  # chunks a worker, waiting for their turn
_worker: list[Maker] = []


def made_rows(settings: Settings, start: int, stop: int, workers: int) -> Iterator[Made]:
    """Yield the rows from `start` to before `stop` in order; a bounded number of them is held at any time.

    A model that rewrites is asked from threads, as many as its concurrency says; `workers` are processes otherwise.
    """
    if settings.rewriting is not None:
        from sobench_metrics.ifstruct.generate.thinking.model import rewriter

        maker = Maker(settings, rewriter(settings.rewriting))
        threads = settings.rewriting.concurrency
        with _closed_at_once(ThreadPoolExecutor(threads)) as executor:
            yield from _in_order(executor, partial(_rows_of, maker), _chunks(start, stop, 1), threads * _AHEAD)
    elif workers > 1:
        context = get_context("spawn")  # a fork would inherit locks and open files
        pool = ProcessPoolExecutor(workers, mp_context=context, initializer=_begin, initargs=(settings,))
        with _closed_at_once(pool) as executor:
            yield from _in_order(executor, _rows_here, _chunks(start, stop, _CHUNK), workers * _AHEAD)
    else:
        maker = Maker(settings)
        yield from map(maker.row, range(start, stop))


@contextmanager
def _closed_at_once(executor: Executor) -> Iterator[Executor]:
    """Give the executor; at the end, also by Ctrl-C, what has not begun is called off."""
    try:
        yield executor
    finally:
        executor.shutdown(wait=True, cancel_futures=True)


def _in_order(
    executor: Executor, work: Callable[[range], list[Made]], chunks: Iterator[range], ahead: int
) -> Iterator[Made]:
    waiting = deque(executor.submit(work, numbers) for numbers in islice(chunks, ahead))
    while waiting:
        yield from waiting.popleft().result()
        if (numbers := next(chunks, None)) is not None:
            waiting.append(executor.submit(work, numbers))


def _chunks(start: int, stop: int, size: int) -> Iterator[range]:
    return (range(first, min(first + size, stop)) for first in range(start, stop, size))


def _begin(settings: Settings) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent is told, and calls the work off
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _worker.append(Maker(settings))


def _end_with_parent() -> None:
    """End this process when its parent was killed: it would wait for work forever."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _rows_here(numbers: range) -> list[Made]:
    return _rows_of(_worker[0], numbers)


def _rows_of(maker: Maker, numbers: range) -> list[Made]:
    return [maker.row(number) for number in numbers]
