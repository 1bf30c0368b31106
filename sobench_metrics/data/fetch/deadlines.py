"""Bounds in time on a server that is never silent for long, and never done: for its headers, and for a body's pace.

The timeout of the HTTP library is one of silence, so a byte every now and then would keep a client for good.
"""

from __future__ import annotations

import socket
import threading
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from requests.adapters import HTTPAdapter

__all__ = ["Pace", "adapter"]

_WINDOW = 60.0  # seconds
_LEAST = 1000  # bytes a second


class Pace:
    """Tells when a body comes too slowly: less than 1 kB a second over a minute of waiting for it.

    Only the time spent in `waiting` counts; what a reader does between two pieces is no fault of the server.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        """Measure by `clock`, in seconds."""
        self._clock, self._waited, self._moved = clock, 0.0, 0

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Count the time of a read."""
        before = self._clock()
        try:
            yield
        finally:
            self._waited += self._clock() - before

    def too_slow(self, moved: int) -> bool:
        """Count so many bytes more; return whether a minute has passed that brought too few, and begin another."""
        self._moved += moved
        if self._waited < _WINDOW:
            return False
        slow = self._moved < _LEAST * self._waited
        self._waited, self._moved = 0.0, 0
        return slow


def adapter(deadline: float) -> HTTPAdapter:
    """Return what `requests` sends by, when the headers of an answer must be there after `deadline` seconds.

    The connection is shut then, and the library reports it as one that was cut, or as a timeout.
    """
    import urllib3
    from requests.adapters import HTTPAdapter
    from urllib3.connection import HTTPConnection, HTTPSConnection

    class Plain(HTTPConnection):
        def getresponse(self) -> Any:
            with _shut_after(deadline, self):
                return super().getresponse()

    class Secure(HTTPSConnection):
        def getresponse(self) -> Any:
            with _shut_after(deadline, self):
                return super().getresponse()

    class PlainPool(urllib3.HTTPConnectionPool):
        ConnectionCls = Plain

    class SecurePool(urllib3.HTTPSConnectionPool):
        ConnectionCls = Secure

    class Adapter(HTTPAdapter):
        def init_poolmanager(self, *args: Any, **options: Any) -> None:
            super().init_poolmanager(*args, **options)
            self.poolmanager.pool_classes_by_scheme = {"http": PlainPool, "https": SecurePool}

        def proxy_manager_for(self, proxy: Any, **options: Any) -> Any:
            manager = super().proxy_manager_for(proxy, **options)
            manager.pool_classes_by_scheme = {"http": PlainPool, "https": SecurePool}
            return manager

    return Adapter()


@contextmanager
def _shut_after(seconds: float, connection: Any) -> Iterator[None]:
    late = threading.Event()

    def shut() -> None:
        late.set()
        # the plain socket's own: that of TLS would take the reader's state away under it
        with suppress(OSError, TypeError, AttributeError):
            socket.socket.shutdown(connection.sock, socket.SHUT_RDWR)

    timer = threading.Timer(seconds, shut)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
    if late.is_set():  # half of the headers were taken for all of them
        raise TimeoutError(f"no whole answer in {seconds} seconds")
