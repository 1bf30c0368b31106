"""The one kind of file that archives and tables are read from, wherever its bytes lie."""

from __future__ import annotations

import io
import os
import threading
from abc import abstractmethod
from typing import TYPE_CHECKING, Any

from sobench_metrics.data.fetch.errors import FetchError

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["BytesFile", "LocalFile", "OpenFile"]


class OpenFile(io.RawIOBase):
    """A seekable file of bytes: `name` is its place, for messages; `tag` names its version ("" when nothing does).

    A kind of file brings `read_at`, which any thread may call; the position belongs to one reader.
    """

    def __init__(self, name: str, size: int, tag: str) -> None:
        """Start at the first byte."""
        super().__init__()
        self.name, self.size, self.tag = name, size, tag
        self._position = 0

    @abstractmethod
    def read_at(self, start: int, count: int) -> bytes:
        """Return the `count` bytes from `start`, fewer only at the end. Raises FetchError."""

    def piece_at(self, start: int, count: int) -> bytes:
        """Return what `read_at` returns, when nothing near it will be read: no more is moved than that."""
        return self.read_at(start, count)

    def readable(self) -> bool:
        """Return True."""
        return True

    def seekable(self) -> bool:
        """Return True."""
        return True

    def tell(self) -> int:
        """Return the position."""
        return self._position

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        """Move the position, also behind the end, and return it. Raises ValueError for one before the start."""
        base = {os.SEEK_SET: 0, os.SEEK_CUR: self._position, os.SEEK_END: self.size}[whence]
        if base + offset < 0:
            raise ValueError(f"cannot seek to {base + offset}")
        self._position = base + offset
        return self._position

    def read(self, count: int | None = -1) -> bytes:
        """Return the next `count` bytes, fewer only at the end; all that is left for a negative count or None."""
        if self.closed:
            raise ValueError("read from a closed file")
        left = max(0, self.size - self._position)
        wanted = left if count is None or count < 0 else min(count, left)
        data = self.read_at(self._position, wanted) if wanted else b""
        self._position += len(data)
        return data

    def readall(self) -> bytes:
        """Return all that is left."""
        return self.read()

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer with the next bytes and return how many there were."""
        view = memoryview(buffer).cast("B")
        data = self.read(len(view))
        view[: len(data)] = data
        return len(data)


class BytesFile(OpenFile):
    """A file that is in memory as a whole."""

    def __init__(self, name: str, data: bytes, tag: str = "") -> None:
        """Read from `data`."""
        super().__init__(name, len(data), tag)
        self._data = data

    def read_at(self, start: int, count: int) -> bytes:
        """Return the `count` bytes from `start`, fewer only at the end."""
        return self._data[start : start + count]


class LocalFile(OpenFile):
    """A file on this disk. Raises FetchError when it is not there."""

    def __init__(self, path: Path) -> None:
        """Open the file; its tag changes with its place, size or time."""
        try:
            self._file = path.open("rb")
        except OSError as error:
            raise FetchError(f"{path} cannot be read ({error.strerror}): check the path that you gave.") from error
        told = os.fstat(self._file.fileno())
        tag = f"local-{told.st_dev}-{told.st_ino}-{told.st_size}-{told.st_mtime_ns}"
        super().__init__(str(path), told.st_size, tag)
        self._lock = threading.Lock()

    def read_at(self, start: int, count: int) -> bytes:
        """Return the `count` bytes from `start`, fewer only at the end."""
        with self._lock:
            self._file.seek(start)
            return self._file.read(count)

    def close(self) -> None:
        """Give the file back."""
        if hasattr(self, "_file"):
            self._file.close()
        super().close()
