"""End a command in order when the system asks for it: SIGTERM, as schedulers and `timeout` send it."""

from __future__ import annotations

import signal
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["ended_cleanly"]

_STATUS: Final = 128 + signal.SIGTERM


@contextmanager
def ended_cleanly() -> Iterator[None]:
    """Turn SIGTERM into an exit with status 143 that closes what is open: workers end, half files vanish."""
    if threading.current_thread() is not threading.main_thread():  # only there may a handler be set
        yield
        return
    before = signal.signal(signal.SIGTERM, _exit)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _exit(_number: int, _frame: object) -> None:
    raise SystemExit(_STATUS)
