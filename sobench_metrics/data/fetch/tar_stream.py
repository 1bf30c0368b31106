"""Members of a compressed tar as it streams by: only what is wanted, left as soon as all of it was seen."""

from __future__ import annotations

import tarfile
import zlib
from typing import TYPE_CHECKING, Any, NoReturn, Protocol

from sobench_metrics.data.fetch.errors import FetchError, Refused
from sobench_metrics.data.fetch.paths import safe_parts
from sobench_metrics.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from typing_extensions import Self

__all__ = ["Stream", "members_of"]

_PIECE = 1 << 16
_LARGEST_RATIO = 200
_UNSUSPECTED = 64 << 20  # inflated bytes below which a ratio says nothing
_LARGEST_HEADER = 1 << 16  # of a long name or of pax records: read into memory, and searched in quadratic time
_MOST_HEADERS = 16  # of that kind before one member: the library takes each in a call within the call before
_IN_MEMORY = {tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE, tarfile.GNUTYPE_LONGNAME}
_IN_MEMORY |= {tarfile.GNUTYPE_LONGLINK}


class _Hostile(Refused):
    """An archive that no part of may be used."""


class Stream(Protocol):
    """What is read from; a `discard()` of its own is called when the bytes turn out to be damaged."""

    def read(self, count: int, /) -> bytes:
        """Return up to `count` bytes, none only at the end."""
        ...


def members_of(stream: Stream, wanted: set[str], *, limit: int) -> Iterator[tuple[str, bytes]]:
    """Yield name and bytes of each wanted member, a leading "./" ignored.

    Of two members of one name the first is taken, although unpacking would leave the last: only the end of the archive
    tells that no other follows, and to read on to it would cost all that leaving early saves.

    Names that never come are simply not yielded. Raises Refused for a wanted member that is no plain file, is larger
    than `limit` or has an unsafe name, for a bomb, and for a sparse file, whose map can be one; FetchError for a
    damaged or truncated archive. The checksum stands at its end: an archive that is left before has shown a sound
    deflate stream and whole members, no more.
    """
    left = set(wanted)
    for name in left:
        safe_parts(name)
    inflated: Any = _Gunzip(stream)
    try:
        with tarfile.open(fileobj=inflated, mode="r|", tarinfo=_bounded_header(), bufsize=_PIECE) as archive:
            while left and (member := archive.next()) is not None:
                name = member.name.removeprefix("./")
                archive.members.clear()  # type: ignore[attr-defined]  # an index that a stream has no use for
                if name not in left:
                    continue
                yield name, _content(archive, member, limit)
                left.discard(name)
        while left and inflated.read(_PIECE):
            pass  # on to the checksum, which stands behind the end that the tar itself names
    except UsageError:  # of the stream, a full disk for one; it is a ValueError, too
        raise
    except _Hostile:
        getattr(stream, "discard", lambda: None)()
        raise
    except (tarfile.TarError, zlib.error, EOFError, OverflowError, ValueError) as error:  # the last: a header's numbers
        getattr(stream, "discard", lambda: None)()
        raise FetchError(
            f"the archive is damaged or truncated ({error}): repeat the command, or use another copy."
        ) from error


def _content(archive: tarfile.TarFile, member: tarfile.TarInfo, limit: int) -> bytes:
    if not member.isreg():
        raise Refused(f"{member.name} in the archive is no plain file but a link or the like: it is not used.")
    if member.size > limit:
        raise Refused(f"{member.name} in the archive has {member.size} bytes, more than the {limit} that it may have.")
    file = archive.extractfile(member)
    data = file.read() if file is not None else b""
    if len(data) != member.size:
        raise EOFError(f"{member.name} ends early")
    return data


def _refuse_sparse(*_: Any) -> NoReturn:
    raise _Hostile("the archive holds a sparse file, as no set of images does: it is not used.")


def _bounded_header() -> type[tarfile.TarInfo]:
    """Return the class of one archive's headers: what the library would read into memory has a bound, or is refused."""
    chained = shared = 0

    class Header(tarfile.TarInfo):
        @classmethod
        def frombuf(cls, buf: Any, encoding: str | None, errors: str) -> Self:
            nonlocal chained, shared
            header = super().frombuf(buf, encoding, errors)  # type: ignore[arg-type]
            if header.type == tarfile.GNUTYPE_SPARSE:
                _refuse_sparse()
            chained = chained + 1 if header.type in _IN_MEMORY else 0
            shared += header.size if header.type == tarfile.XGLTYPE else 0  # kept up to the end of the archive
            if chained and max(header.size, shared) > _LARGEST_HEADER:
                raise _Hostile(f"the archive has a header of {max(header.size, shared)} bytes: it is not used.")
            if chained > _MOST_HEADERS:
                raise _Hostile(f"the archive has over {_MOST_HEADERS} headers for one member: it is not used.")
            return header

        # the library's own readers of the three kinds of map in pax records; the tests tell when they are renamed
        _proc_gnusparse_00 = _proc_gnusparse_01 = _proc_gnusparse_10 = staticmethod(_refuse_sparse)

    return Header


class _Gunzip:
    """The content of a gzip stream; unlike the library's own it checks the CRC and knows truncation from the end."""

    def __init__(self, stream: Stream) -> None:
        self._stream, self._inflate = stream, zlib.decompressobj(16 + zlib.MAX_WBITS)
        self._packed, self._taken, self._given, self._ended = b"", 0, 0, False

    def read(self, count: int) -> bytes:
        pieces = []
        while count and (piece := self._next(count)):
            pieces.append(piece)
            count -= len(piece)
        return b"".join(pieces)

    def _next(self, count: int) -> bytes:
        piece = b""
        while not piece:
            packed = self._packed or self._stream.read(_PIECE)
            self._taken += len(packed) - len(self._packed)
            if not packed and self._ended:
                return b""
            if not packed:
                raise EOFError("it ends in the middle")
            if self._inflate.eof:
                if not packed.lstrip(b"\0"):  # padding, as gzip itself allows
                    self._packed = b""
                    continue
                self._inflate = zlib.decompressobj(16 + zlib.MAX_WBITS)
            piece = self._inflate.decompress(packed, count)
            self._ended = self._inflate.eof
            self._packed = self._inflate.unused_data if self._ended else self._inflate.unconsumed_tail
        self._given += len(piece)
        if self._given > max(_UNSUSPECTED, _LARGEST_RATIO * self._taken):
            raise _Hostile(f"the archive inflates from {self._taken} to over {self._given} bytes: it is not used.")
        return piece
