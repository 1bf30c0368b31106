"""Call a function on a stack of its own."""

from __future__ import annotations

import _thread
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["on_fresh_stack"]

T = TypeVar("T")


def on_fresh_stack(function: Callable[[], T]) -> T:
    """Return what the function returns, called on a new thread, whose recursion count starts at zero.

    Exceptions come back to the caller. `_thread`, because the start of a `threading.Thread` itself takes a dozen
    frames, which a caller at the end of its stack does not have.
    """
    results: list[T] = []
    failures: list[BaseException] = []
    done = _thread.allocate_lock()
    done.acquire()

    def run() -> None:
        try:
            results.append(function())
        except BaseException as error:  # noqa: BLE001  # handed to the caller below
            failures.append(error)
        finally:
            done.release()

    _thread.start_new_thread(run, ())
    done.acquire()
    if failures:
        raise failures[0]
    return results[0]
