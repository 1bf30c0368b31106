"""Work done by several at once, whose results come in the order of the questions; Ctrl-C calls off what is left."""

from __future__ import annotations

import os
import signal
import threading
from collections import deque
from contextlib import contextmanager
from itertools import islice
from multiprocessing import parent_process
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from concurrent.futures import Executor

__all__ = ["begin_worker", "chunks", "closed_at_once", "in_order"]

T = TypeVar("T")


@contextmanager
def closed_at_once(executor: Executor) -> Iterator[Executor]:
    """Give the executor; at the end, also by Ctrl-C, what has not begun is called off."""
    try:
        yield executor
    finally:
        executor.shutdown(wait=True, cancel_futures=True)


def in_order(executor: Executor, work: Callable[[range], list[T]], numbers: Iterator[range], ahead: int) -> Iterator[T]:
    """Yield all results in order; at most `ahead` ranges are under way or wait for their turn."""
    waiting = deque(executor.submit(work, some) for some in islice(numbers, ahead))
    while waiting:
        yield from waiting.popleft().result()
        if (some := next(numbers, None)) is not None:
            waiting.append(executor.submit(work, some))


def chunks(start: int, stop: int, size: int) -> Iterator[range]:
    """Yield ranges of `size` numbers (the last one may be shorter)."""
    return (range(first, min(first + size, stop)) for first in range(start, stop, size))


def begin_worker() -> None:
    """Prepare a process of a pool: the parent alone hears Ctrl-C, and nobody outlives a parent that was killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)  # it would wait for work forever
