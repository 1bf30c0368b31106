"""Single members of a zip file that stays where it is; also of one that was cut into parts byte by byte.

The directory is read by the standard library, and kept on disk: the one of a large archive is tens of megabytes.
A member is asked for in one piece and inflated here, bounded by what the directory promises.
"""

from __future__ import annotations

import hashlib
import struct
import zipfile
import zlib
from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

from sobench_metrics.data.fetch.errors import FetchError, Refused
from sobench_metrics.data.fetch.open_file import OpenFile
from sobench_metrics.data.fetch.paths import safe_parts
from sobench_metrics.data.fetch.store import write_whole

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

__all__ = ["OpenZip", "concatenated", "members", "open_zip", "read_member"]

_LARGEST_RATIO = 200  # of a picture that is worth looking at; deflate itself ends at about 1030
_UNSUSPECTED = 1 << 20  # below this a ratio says nothing
_LARGEST_DIRECTORY = 512 << 20
_MOST_MEMBERS = 2_000_000  # half a kilobyte of memory each; the largest of the sources has a few hundred thousand
_LOCAL_HEADER = struct.Struct("<4s22xHH")
_SLACK = 64  # the local header's extra field may be longer than the directory's
_TYPE, _LINK = 0o170000, 0o120000


@dataclass(frozen=True, slots=True)
class OpenZip:
    """A zip file and its directory. Safe for any thread."""

    file: OpenFile
    directory: Mapping[str, zipfile.ZipInfo]


def open_zip(file: OpenFile, *, directory_cache: Path | None) -> OpenZip:
    """Return the archive in `file`; its directory is kept in the folder `directory_cache`, by the file's tag.

    Raises FetchError when it is no zip file or a damaged one, Refused when its directory would fill the memory.
    """
    kept = None
    if directory_cache is not None and file.tag:
        key = hashlib.sha256(f"{file.tag}\n{file.size}".encode()).hexdigest()[:32]
        kept = directory_cache / f"zip-{key}.directory"
        tail = _sealed_tail(kept)
        if tail:
            return OpenZip(file, _directory(_Tail(file, tail)))
    reader = _Tail(file, b"")
    directory = _directory(reader)
    if kept is not None:
        write_whole(kept, hashlib.sha256(reader.tail).digest() + reader.tail)
    return OpenZip(file, directory)


def members(archive: OpenZip) -> dict[str, int]:
    """Return the size of every member by its name, folders left out, in the order of the directory."""
    return {name: info.file_size for name, info in archive.directory.items() if not info.is_dir()}


def read_member(archive: OpenZip, name: str, *, limit: int) -> bytes:
    """Return a member of at most `limit` bytes, checked against its CRC.

    Raises FetchError when it is not there or damaged, Refused when it is encrypted, a link, named like a path out
    of its folder, or inflates to more than it may.
    """
    safe_parts(name)
    info, what = archive.directory.get(name), f"{name} in {archive.file.name}"
    if info is None:
        raise FetchError(f"there is no {what}.")
    if info.flag_bits & 0x1:
        raise Refused(f"{what} is encrypted: it is not used.")
    if info.is_dir() or (info.external_attr >> 16) & _TYPE == _LINK:
        raise Refused(f"{what} is a link or a folder, no file: it is not used.")
    if info.file_size > limit:
        raise Refused(f"{what} has {info.file_size} bytes, more than the {limit} that it may have.")
    if info.file_size > max(_UNSUSPECTED, _LARGEST_RATIO * info.compress_size):
        raise Refused(f"{what} would inflate from {info.compress_size} to {info.file_size} bytes: it is not used.")
    if info.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
        raise FetchError(f"{what} is compressed by method {info.compress_type}, which is not known here.")
    packed = _packed(archive.file, info)
    try:
        data = packed if info.compress_type == zipfile.ZIP_STORED else _inflated(packed, info.file_size)
    except zlib.error:
        data = b""
    if len(data) != info.file_size or zlib.crc32(data) != info.CRC:
        raise FetchError(f"{what} is damaged (its checksum differs): repeat the command, or use another copy.")
    return data


def concatenated(files: Sequence[OpenFile]) -> OpenFile:
    """Return the file that was cut into `files`, in this order; its tag is made of theirs."""
    return _Parts(files)


class _Parts(OpenFile):
    def __init__(self, files: Sequence[OpenFile]) -> None:
        self._files = tuple(files)
        self._ends = tuple(accumulate(file.size for file in files))
        tags = "\n".join(f"{file.tag} {file.size}" for file in files)
        tag = hashlib.sha256(tags.encode()).hexdigest() if all(file.tag for file in files) else ""
        names = [file.name for file in files]
        super().__init__(" + ".join(names[:1] + names[1:][-1:]), self._ends[-1] if files else 0, tag)

    def read_at(self, start: int, count: int) -> bytes:
        return self._gather(start, count, alone=False)

    def piece_at(self, start: int, count: int) -> bytes:
        return self._gather(start, count, alone=True)

    def _gather(self, start: int, count: int, *, alone: bool) -> bytes:
        pieces = []
        stop = min(start + count, self.size)
        while start < stop:
            part = bisect_right(self._ends, start)
            file, end = self._files[part], min(stop, self._ends[part])
            offset = start - (self._ends[part] - file.size)
            pieces.append(file.piece_at(offset, end - start) if alone else file.read_at(offset, end - start))
            start = end
        return b"".join(pieces)


class _Tail(OpenFile):
    """A file whose end is held in memory and grows backwards with what is read, up to the start of the directory.

    Raises Refused for a directory that is too large to be held, before any of it is read or parsed.
    """

    def __init__(self, file: OpenFile, tail: bytes) -> None:
        super().__init__(file.name, file.size, file.tag)
        self._file, self.tail = file, tail

    def read_at(self, start: int, count: int) -> bytes:
        held_from = self.size - len(self.tail)
        if start < held_from:
            if self.size - start > _LARGEST_DIRECTORY:
                raise Refused(f"{self.name} has a directory of {self.size - start} bytes: it is not used.")
            self.tail = self._file.read_at(start, held_from - start) + self.tail
            if self.tail.count(b"PK\x01\x02") > _MOST_MEMBERS:
                raise Refused(f"{self.name} has over {_MOST_MEMBERS} members: it is not used.")
            held_from = start
        return self.tail[start - held_from : start - held_from + count]


def _directory(file: _Tail) -> dict[str, zipfile.ZipInfo]:
    try:
        with zipfile.ZipFile(file) as archive:
            return {info.filename: info for info in archive.infolist()}
    except (zipfile.BadZipFile, NotImplementedError, ValueError, struct.error, EOFError) as error:
        raise FetchError(
            f"{file.name} is no readable zip file ({error}): repeat the command; if it is your own copy, replace it."
        ) from error


def _sealed_tail(kept: Path) -> bytes:
    try:
        sealed = kept.read_bytes()
    except OSError:
        return b""
    return sealed[32:] if hashlib.sha256(sealed[32:]).digest() == sealed[:32] else b""


def _packed(file: OpenFile, info: zipfile.ZipInfo) -> bytes:
    guess = _LOCAL_HEADER.size + len(info.orig_filename.encode()) + len(info.extra) + _SLACK
    data = file.piece_at(info.header_offset, guess + info.compress_size)
    if len(data) < _LOCAL_HEADER.size:
        return b""
    magic, name_length, extra_length = _LOCAL_HEADER.unpack_from(data)
    start = _LOCAL_HEADER.size + name_length + extra_length
    stop = start + info.compress_size
    if magic != b"PK\x03\x04":
        return b""
    if stop > len(data):
        data += file.piece_at(info.header_offset + len(data), stop - len(data))
    return data[start:stop]


def _inflated(packed: bytes, size: int) -> bytes:
    """Inflate to one byte more than promised at most: a longer stream then fails the check, not the memory."""
    return zlib.decompressobj(-zlib.MAX_WBITS).decompress(packed, size + 1)
