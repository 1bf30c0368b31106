"""Threads that a user can leave at any time, and what is told of a task that failed on one."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING

from sobench_metrics.data.fetch.errors import FetchError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["reason_of", "workers"]


@contextmanager
def workers(count: int, name: str) -> Iterator[ThreadPoolExecutor]:
    """Give a pool of threads and wait for them at the end, but not when the block fails or is interrupted.

    A thread may sit in a socket for half a minute; it writes whole files or none, so nobody need wait for it.
    """
    pool = ThreadPoolExecutor(max_workers=count, thread_name_prefix=name)
    try:
        yield pool
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        raise
    pool.shutdown()


def reason_of(fault: Exception) -> str:
    """Return why something could not be had, in one line; a fault that nobody foresaw is told with its kind."""
    if isinstance(fault, FetchError):
        return str(fault)
    return f"{type(fault).__name__}: {(str(fault).splitlines() or [''])[0][:200]}"
