"""Make rows in order: alone, in several processes, or in threads that wait for a model; the rows are the same."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from multiprocessing import get_context
from typing import TYPE_CHECKING

from sobench_metrics.data.in_order import begin_worker, chunks, closed_at_once, in_order
from sobench_metrics.ifstruct.generate.row_maker import Made, Maker

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sobench_metrics.ifstruct.generate.settings import Settings

__all__ = ["made_rows", "maker_for"]

_CHUNK = 50
_AHEAD = 3  # chunks a worker, waiting for their turn
_worker: list[Maker] = []


def maker_for(settings: Settings) -> Maker:
    """Return what makes rows with these settings, one at a time."""
    if settings.rewriting is None:
        return Maker(settings)
    from sobench_metrics.ifstruct.generate.thinking.model import rewriter

    return Maker(settings, rewriter(settings.rewriting))


def made_rows(maker: Maker, settings: Settings, numbers: range, workers: int) -> Iterator[Made]:
    """Yield the rows of these numbers in order; a bounded number of them is held at any time.

    A model that rewrites is asked from threads, as many as its concurrency says; `workers` are processes otherwise.
    """
    start, stop = numbers.start, numbers.stop
    if settings.rewriting is not None:
        threads = settings.rewriting.concurrency
        with closed_at_once(ThreadPoolExecutor(threads)) as executor:
            yield from in_order(executor, partial(_rows_of, maker), chunks(start, stop, 1), threads * _AHEAD)
    elif workers > 1:
        context = get_context("spawn")  # a fork would inherit locks and open files
        pool = ProcessPoolExecutor(workers, mp_context=context, initializer=_begin, initargs=(settings,))
        with closed_at_once(pool) as executor:
            yield from in_order(executor, _rows_here, chunks(start, stop, _CHUNK), workers * _AHEAD)
    else:
        yield from map(maker.row, numbers)


def _begin(settings: Settings) -> None:
    begin_worker()
    _worker.append(Maker(settings))


def _rows_here(numbers: range) -> list[Made]:
    return _rows_of(_worker[0], numbers)


def _rows_of(maker: Maker, numbers: range) -> list[Made]:
    return [maker.row(number) for number in numbers]
