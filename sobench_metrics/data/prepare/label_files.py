"""The files of upstream's labels, out of a zip or a folder: bounded, never written to the disk."""

from __future__ import annotations

import io
import stat
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from sobench_metrics.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from zipfile import ZipFile, ZipInfo

__all__ = ["label_files"]

_MAX_FILES = 100_000  # upstream has 1,751
_MAX_FILE = 16 << 20
_MAX_TOTAL = 1 << 30
_ENCRYPTED = 0x1
_REMEDY = "give a clean copy with --upstream-dir"


def label_files(where: bytes | Path) -> Iterator[tuple[str, bytes]]:
    """Yield name and bytes of each label file of a zip (its bytes) or a folder, without what systems leave beside.

    Raises UsageError for a damaged or hostile archive, or an unreadable folder.
    """
    return _of_zip(where) if isinstance(where, bytes) else _of_folder(where)


def _of_zip(data: bytes) -> Iterator[tuple[str, bytes]]:
    import zlib
    from zipfile import BadZipFile, ZipFile

    try:
        with ZipFile(io.BytesIO(data)) as archive:
            members = [member for member in archive.infolist() if not member.is_dir() and _is_label(member.filename)]
            _check_all(len(archive.infolist()), members)
            for member in members:
                yield member.filename, _read(archive, member)
    except (BadZipFile, zlib.error, OSError, EOFError, RuntimeError, ValueError, NotImplementedError) as error:
        if isinstance(error, UsageError):
            raise
        raise UsageError(f"upstream's labels.zip is damaged ({error}): {_REMEDY}.") from error


def _check_all(count: int, members: list[ZipInfo]) -> None:
    if count > _MAX_FILES or sum(member.file_size for member in members) > _MAX_TOTAL:
        raise UsageError(f"upstream's labels.zip promises far more than labels take: refused; {_REMEDY}.")
    for member in members:
        path = PurePosixPath(member.filename)
        if path.is_absolute() or ".." in path.parts or stat.S_ISLNK(member.external_attr >> 16):
            raise UsageError(f"upstream's labels.zip holds the unsafe member {member.filename!r}: {_REMEDY}.")
        if member.file_size > _MAX_FILE or member.flag_bits & _ENCRYPTED:
            fault = "encrypted" if member.flag_bits & _ENCRYPTED else "larger than any label"
            raise UsageError(f"{member.filename} in upstream's labels.zip is {fault}: {_REMEDY}.")


def _read(archive: ZipFile, member: ZipInfo) -> bytes:
    """Return the member; `zipfile` inflates no more than its header promises, which was checked, and tests its CRC."""
    with archive.open(member) as file:
        return file.read()


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
