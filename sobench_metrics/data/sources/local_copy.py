"""The user's own copy of a source (--local-archive): looked at and told apart from any other, without reading all.

A copy has no commit, so the manifest names it by a fingerprint. A folder's is over names and sizes; an archive's over
its size, first and last mebibyte: the end of a gzip file holds the CRC of all its content, the end of a zip file the
directory with every member's CRC, and hashing six gigabytes would take longer than most of the fetching.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from sobench_metrics.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from sobench_metrics.data.fetch.origin import Folder

__all__ = ["archive_revision", "folder_revision", "local_archive", "local_folder"]

_END = 1 << 20


def local_folder(source: str, path: Path, holds: str) -> Folder:
    """Return the user's folder; raises UsageError, saying what it should hold, when it is none."""
    from sobench_metrics.data.fetch.origin import Folder

    if not path.is_dir():
        raise UsageError(f"--local-archive {source}={path}: no such folder; give the folder that holds {holds}.")
    return Folder(path)


def local_archive(source: str, path: Path, archive: str) -> Folder:
    """Return the user's archive as an origin; raises UsageError, naming the expected file, when it is no file."""
    from sobench_metrics.data.fetch.origin import Folder

    if not path.is_file():
        raise UsageError(f"--local-archive {source}={path}: no such file; give your own copy of {archive}.")
    return Folder(path)


def folder_revision(sizes: Mapping[str, int]) -> str:
    """Return `local-<hash>` over the names and sizes of a folder's files."""
    lines = (f"{name}\0{size}\n" for name, size in sorted(sizes.items()))
    return _named(hashlib.sha256("".join(lines).encode("utf-8", "surrogateescape")))


def archive_revision(path: Path) -> str:
    """Return `local-<hash>` over an archive's size, beginning and end."""
    digest = hashlib.sha256(f"{path.stat().st_size}\n".encode())
    with path.open("rb") as file:
        digest.update(file.read(_END))
        file.seek(max(0, path.stat().st_size - _END))
        digest.update(file.read(_END))
    return _named(digest)


def _named(digest: Any) -> str:
    return f"local-{digest.hexdigest()[:16]}"
