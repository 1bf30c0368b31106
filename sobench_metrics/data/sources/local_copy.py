"""The user's own copy of a source (--local-archive): looked at and told apart from any other, without reading all.

A copy has no commit, so the manifest names it by a fingerprint. A folder's is over names, sizes and times; an archive's
over its size, time, first and last mebibyte: the end of a gzip file holds the CRC of all its content, the end of a zip
file the directory with every member's CRC, and hashing six gigabytes would take longer than most of the fetching. The
times tell a file that was replaced by another of its size; to touch one costs no more than reading the copy again.
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


def local_archive(source: str, path: Path, archive: str) -> Path:
    """Return the user's archive, or the one of that name in the user's folder; raises UsageError when there is none."""
    inside = path / archive
    if path.is_file() or inside.is_file():
        return path if path.is_file() else inside
    fault = f"is a folder without {archive}" if path.is_dir() else "does not exist"
    raise UsageError(f"--local-archive {source}={path} {fault}: name your own copy of {archive}, or its folder.")


def folder_revision(folder: Path, sizes: Mapping[str, int]) -> str:
    """Return `local-<hash>` over the names, sizes and times of change of a folder's files."""
    times = {name: (folder / name).stat().st_mtime_ns for name in sizes}
    lines = (f"{name}\0{size}\0{times[name]}\n" for name, size in sorted(sizes.items()))
    return _named(hashlib.sha256("".join(lines).encode("utf-8", "surrogateescape")))


def archive_revision(path: Path) -> str:
    """Return `local-<hash>` over an archive's size, time of change, beginning and end."""
    told = path.stat()
    digest = hashlib.sha256(f"{told.st_size}\0{told.st_mtime_ns}\n".encode())
    with path.open("rb") as file:
        digest.update(file.read(_END))
        file.seek(max(0, told.st_size - _END))
        digest.update(file.read(_END))
    return _named(digest)


def _named(digest: Any) -> str:
    return f"local-{digest.hexdigest()[:16]}"
