"""A file on a server that can be read anywhere, moving little more than what is read."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from sobench_metrics.data.fetch.answers import shown
from sobench_metrics.data.fetch.open_file import OpenFile

if TYPE_CHECKING:
    from sobench_metrics.data.fetch.answers import Address, Pin
    from sobench_metrics.data.fetch.http import Http

__all__ = ["RemoteFile"]

_LARGEST_WINDOW = 8 << 20


class RemoteFile(OpenFile):
    """A pinned file on a server with ranges; `url` is where it was asked for, `etag` what the server calls it.

    At least `block` bytes are asked for at a time and kept until others are read: archive readers read headers of
    a few bytes. Reads that follow one another ask for twice as much each time. Any read may raise FetchError, and
    Changed when the file is no longer the one that was opened.
    """

    def __init__(self, http: Http, address: Address, pin: Pin, *, block: int, tag: str | None = None) -> None:
        """Read through `http`; the size must be known in `pin`."""
        if pin.size is None:
            raise ValueError("a remote file needs its size")
        super().__init__(shown(address.url), pin.size, pin.tag if tag is None else tag)
        self.url = address.url
        self._http, self._address, self._block = http, address, block
        self._pin, self._lock = pin, threading.Lock()
        self._window, self._window_start, self._ahead = b"", 0, block

    @property
    def etag(self) -> str:
        """Return what the server calls this version; empty before the first byte when the size was known before."""
        return self._pin.tag

    @property
    def pin(self) -> Pin:
        """Return what tells this version from any other."""
        return self._pin

    def read_at(self, start: int, count: int) -> bytes:
        """Return the `count` bytes from `start`, fewer only at the end."""
        stop = min(start + count, self.size)
        with self._lock:
            held = self._window_start + len(self._window)
            if start >= stop:
                return b""
            if not (self._window_start <= start and stop <= held):
                self._fill(start, stop, held)
            return self._window[start - self._window_start : stop - self._window_start]

    def piece_at(self, start: int, count: int) -> bytes:
        """Return the `count` bytes from `start`, asked for exactly; several threads move theirs at the same time."""
        stop = min(start + count, self.size)
        with self._lock:
            pin, offset = self._pin, start - self._window_start
            if start >= stop or (offset >= 0 and offset + stop - start <= len(self._window)):
                return self._window[offset : offset + stop - start] if start < stop else b""
        data, pin = self._http.span(self._address, start, stop, pin)
        with self._lock:
            self._pin = pin if not self._pin.tag else self._pin
        return data

    def _fill(self, start: int, stop: int, held: int) -> None:
        """Make the window hold start..stop, asking only for what it does not hold yet."""
        kept = self._window[start - self._window_start :] if self._window_start <= start < held else b""
        asked = start + len(kept)
        self._ahead = min(2 * self._ahead, _LARGEST_WINDOW) if self._window and asked == held else self._block
        end = min(self.size, max(stop, asked + self._ahead))
        # the tail is read backwards (zip, parquet): its last block comes whole
        begin = asked if kept else max(0, min(asked, end - self._block))
        data, self._pin = self._http.span(self._address, begin, end, self._pin)
        self._window, self._window_start = kept + data, min(begin, start)
