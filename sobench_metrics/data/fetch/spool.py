"""An archive that must be read from its front, kept on disk as it comes, so that a killed process goes on.

Only the end of the copy can be missing, so what is there is read first and the server is asked for the rest. Beside
the copy stands which version of the file it is of.
"""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from sobench_metrics.data.fetch.answers import Changed, Pin, shown
from sobench_metrics.data.fetch.errors import FetchError
from sobench_metrics.data.fetch.store import disk_full_told, write_whole

if TYPE_CHECKING:
    from sobench_metrics.data.fetch.http import Download, Http

__all__ = ["SPOOL_SUFFIX", "SpooledStream"]

SPOOL_SUFFIX = ".spool"
_PIECE = 1 << 18


class SpooledStream(io.RawIOBase):
    """The bytes of `url` in order; those that an earlier process left in the copy come from there.

    The copy is `file` with SPOOL_SUFFIX. A path in place of an address is read where it lies. With `pin`, only the
    bytes of that version are given. `restarted` is a sentence for the user when a copy was of another version and was
    dropped, else "". Reading raises FetchError, Changed when the file is another one than `pin`, or changes from now
    on (the copy is dropped then), UsageError when the disk is full.
    """

    def __init__(self, http: Http, url: str | Path, file: Path, *, pin: Pin | None = None) -> None:
        """Ask the server for its version when there is an unfinished copy and no `pin`; else nothing before a read."""
        super().__init__()
        self.restarted, self.position = "", 0
        self._http, self._url = http, url
        self._download: Download | None = None
        self._rest = b""
        self._copy = file.with_name(file.name + SPOOL_SUFFIX)
        self._note = file.with_name(file.name + SPOOL_SUFFIX + ".json")
        self._pin: Pin | None = None
        self._named = False  # whether the note beside the copy tells its version
        self._file: BinaryIO
        if isinstance(url, Path):
            try:
                self._file = url.open("rb")
            except OSError as error:
                raise FetchError(f"{url} cannot be read ({error.strerror}): check --local-archive.") from error
            return
        self._copy.parent.mkdir(parents=True, exist_ok=True)
        noted = self._noted()
        if noted is not None and not self._is_wanted(url, noted, pin):
            self.restarted = f"{shown(url)} is another file than last time: the part that was kept is dropped."
            noted = None
        if noted is None:
            self.discard()
        self._pin, self._named = noted or pin, noted is not None
        self._file = self._copy.open("a+b", buffering=0)
        self._file.seek(0)

    def readable(self) -> bool:
        """Return True."""
        return True

    def read(self, count: int | None = -1) -> bytes:
        """Return up to `count` bytes, at least one before the end; all that is left for a negative count or None."""
        if count is None or count < 0:
            return b"".join(iter(lambda: self.read(_PIECE), b""))
        data = self._file.read(count) if self._download is None else b""
        if not data and not isinstance(self._url, Path):
            data = self._from_server(self._url, count)
        self.position += len(data)
        return data

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer's start and return how many bytes that were."""
        data = self.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def discard(self) -> None:
        """Drop the copy: it turned out to be damaged or of another version. The user's own file stays."""
        if not isinstance(self._url, Path):
            self._copy.unlink(missing_ok=True)
            self._note.unlink(missing_ok=True)

    def close(self) -> None:
        """Hang up; the copy stays."""
        if self._download is not None:
            self._download.close()
        if hasattr(self, "_file"):
            self._file.close()
        super().close()

    def _from_server(self, url: str, count: int) -> bytes:
        if not self._rest:
            self._rest = self._next_piece(url)
        data, self._rest = self._rest[:count], self._rest[count:]
        return data

    def _next_piece(self, url: str) -> bytes:
        have = self._size()
        if self._pin is not None and have == self._pin.size:
            return b""
        if self._download is None:
            self._download = self._http.resume(url, have, self._pin or Pin())
        try:
            piece = next(self._download, b"")
        except Changed:
            self.discard()
            raise
        if not self._named and piece:
            self._pin, self._named = self._download.pin, True
            pin = self._pin
            told = {"url": shown(url), "etag": pin.etag, "modified": pin.modified, "size": pin.size}
            write_whole(self._note, json.dumps(told).encode())
        with disk_full_told(self._copy.parent, max(0, (self._pin.size or 0) - have) if self._pin else 0):
            self._append(piece)
        return piece

    def _append(self, piece: bytes) -> None:
        left = memoryview(piece)
        while left:
            left = left[self._file.write(left) :]

    def _size(self) -> int:
        return self._copy.stat().st_size if self._copy.exists() else 0

    def _noted(self) -> Pin | None:
        """Return the version of the copy, None when there is no copy that could be gone on with."""
        try:
            told = json.loads(self._note.read_bytes())
            pin = Pin(told["etag"], told["modified"], told["size"])
        except (OSError, ValueError, KeyError, TypeError):
            return None
        usable = told["url"] == shown(str(self._url)) and pin.tag and self._size() <= (pin.size or self._size())
        return pin if usable else None

    def _is_wanted(self, url: str, noted: Pin, pin: Pin | None) -> bool:
        if pin is None and self._size() == noted.size:
            return True
        current = self._http.probe(url) if pin is None else pin
        return (current.tag, current.size) == (noted.tag, noted.size)
