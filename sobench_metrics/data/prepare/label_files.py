"""The files of upstream's labels, out of a zip or a folder: bounded, never written to the disk."""

from __future__ import annotations

import stat
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from sobench_metrics.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from zipfile import ZipInfo

__all__ = ["label_files"]

_MAX_FILES = 100_000  # upstream has 1,751
_MAX_FILE = 16 << 20
_MAX_TOTAL = 1 << 30
_REMEDY = "give a clean copy with --upstream-dir"


def label_files(where: bytes | Path) -> Iterator[tuple[str, bytes]]:
    """Yield name and bytes of each label file of a zip (its bytes) or a folder, without what systems leave beside.

    Raises UsageError for a damaged or hostile archive, or an unreadable folder.
    """
    return _of_zip(where) if isinstance(where, bytes) else _of_folder(where)


def _of_zip(data: bytes) -> Iterator[tuple[str, bytes]]:
    from sobench_metrics.data.fetch.errors import FetchError
    from sobench_metrics.data.fetch.open_file import BytesFile
    from sobench_metrics.data.fetch.zip_members import open_zip, read_member

    try:
        archive = open_zip(BytesFile("upstream's labels.zip", data), directory_cache=None)
        found = [info for info in archive.directory.values() if not info.is_dir() and _is_label(info.filename)]
        _check_all(len(archive.directory), found)
        for info in found:
            yield info.filename, read_member(archive, info.filename, limit=_MAX_FILE)
    except FetchError as error:
        reason = str(error).partition(": ")[0].rstrip(".")
        raise UsageError(f"{reason}: {_REMEDY}.") from error


def _check_all(count: int, found: list[ZipInfo]) -> None:
    if count > _MAX_FILES or sum(info.file_size for info in found) > _MAX_TOTAL:
        raise UsageError(f"upstream's labels.zip promises far more than labels take: refused; {_REMEDY}.")
    for info in found:
        path = PurePosixPath(info.filename)
        if path.is_absolute() or ".." in path.parts or stat.S_ISLNK(info.external_attr >> 16):
            raise UsageError(f"upstream's labels.zip holds the unsafe member {info.filename!a}: {_REMEDY}.")
        if info.file_size > _MAX_FILE:
            raise UsageError(f"{info.filename!a} in upstream's labels.zip is larger than any label: {_REMEDY}.")


def _of_folder(folder: Path) -> Iterator[tuple[str, bytes]]:
    try:
        files = [file for file in sorted(folder.rglob("*.json")) if _is_label(file.relative_to(folder).as_posix())]
        if len(files) > _MAX_FILES:
            raise UsageError(f"{folder} holds far more files than upstream has labels: {_REMEDY}.")
        for file in files:
            if file.stat().st_size > _MAX_FILE:
                raise UsageError(f"{file} is larger than any label: {_REMEDY}.")
            yield file.relative_to(folder).as_posix(), file.read_bytes()
    except OSError as error:
        raise UsageError(f"cannot read upstream's labels in {folder} ({error}): {_REMEDY}.") from error


def _is_label(name: str) -> bool:
    """Tell labels from folders of macOS's archiver, its `._` doubles, and anything but JSON."""
    path = PurePosixPath(name)
    return path.suffix == ".json" and "__MACOSX" not in path.parts and not path.name.startswith("._")
