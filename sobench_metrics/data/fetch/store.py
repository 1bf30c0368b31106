"""Files that appear whole or not at all, and the sentence for a full disk."""

from __future__ import annotations

import errno
import hashlib
import os
import secrets
from contextlib import contextmanager
from typing import TYPE_CHECKING

from sobench_metrics.data.fetch.errors import Refused
from sobench_metrics.data.fetch.paths import safe_path
from sobench_metrics.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["OriginalStore", "disk_full_told", "write_whole"]

_FULL = (errno.ENOSPC, errno.EDQUOT)


@contextmanager
def disk_full_told(place: Path, needed: int) -> Iterator[None]:
    """Turn a full disk (or quota) into a UsageError that says how much to free; other errors pass."""
    try:
        yield
    except OSError as error:
        if error.errno not in _FULL:
            raise
        megabytes = max(1, -(-needed // 1_000_000))
        raise UsageError(
            f"the disk of {place} is full: free at least {megabytes} MB and repeat the command; nothing is lost."
        ) from error


def write_whole(path: Path, data: bytes) -> None:
    """Write a file so that a reader, or a killed process, finds all of it or nothing.

    Raises UsageError when the disk is full; what was there before stays.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f"{path.name}.tmp-{os.getpid()}-{secrets.token_hex(4)}")
    with disk_full_told(path.parent, len(data)):
        try:
            temporary.write_bytes(data)
            temporary.replace(path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise


class OriginalStore:
    """Fetched originals of one source at one revision, by the names they have there. Safe for any thread.

    On the disk each name has a hash of all of it behind its stem: a disk that takes two names for one, as they differ
    in case or in the Unicode form of the same letters only, would give the one's image to the other.
    """

    def __init__(self, root: Path) -> None:
        """Use the folder `root`, which is made at the first write."""
        self.root = root

    def has(self, name: str) -> bool:
        """Tell whether the original is there, not empty. Raises Refused for an unsafe name, as `read` and `put` do."""
        place = self._place(name)
        return place.is_file() and place.stat().st_size > 0

    def read(self, name: str) -> bytes:
        """Return the original; raises FileNotFoundError when it is not there."""
        return self._place(name).read_bytes()

    def put(self, name: str, data: bytes) -> None:
        """Store an original, whole or not at all. Raises UsageError when the disk is full."""
        write_whole(self._place(name), data)

    def drop(self, name: str) -> None:
        """Forget an original that turned out to be unusable, so that the next run asks for it again."""
        self._place(name).unlink(missing_ok=True)

    def _place(self, name: str) -> Path:
        plain = safe_path(self.root, name)
        place = plain.with_name(f"{plain.stem}~{hashlib.sha256(name.encode()).hexdigest()[:12]}{plain.suffix}")
        if place.is_symlink():
            raise Refused(f"{place} is a symbolic link: nothing is read or written through it; remove it.")
        return place

    def sweep(self) -> None:
        """Remove what killed writers left behind; call it while nobody else writes."""
        for leftover in self.root.rglob("*.tmp-*"):
            if leftover.is_file() or leftover.is_symlink():
                leftover.unlink(missing_ok=True)
