"""What an HTTP answer says before its body is read, judged without any network.

The rules are those of RFC 9110 (ranges, validators), read strictly: an answer that does not say plainly that it
is the asked part of the pinned version of the file is not used.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from enum import Enum
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

from sobench_metrics.data.fetch.errors import FetchError, Missing, Refused

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "Address",
    "Again",
    "Changed",
    "NoRanges",
    "Patience",
    "Pin",
    "Span",
    "host_of",
    "judge",
    "redirected",
    "shown",
]

_CONTENT_RANGE = re.compile(r"bytes (\d+)-(\d+)/(\d+|\*)")
_TRANSIENT = {408, 425, 429}


class Changed(Refused):
    """The file is another one than at the first answer: what was read so far must not be mixed with the rest."""


class NoRanges(Refused):
    """The server sends whole files only."""


class Patience(Enum):
    """How long to hope: `PASSING` for a server that stumbles, `BUSY` for one that counts, `ABSENT` for none at all."""

    PASSING = "passing"
    BUSY = "busy"
    ABSENT = "absent"


class Again(Exception):  # noqa: N818 - a verdict, never seen outside this room
    """A fault that may pass: ask again, after `wait` seconds when the server named a time."""

    def __init__(self, reason: str, wait: float | None = None, patience: Patience = Patience.PASSING) -> None:
        """Keep the reason for the sentence that is shown when patience ends."""
        super().__init__(reason)
        self.wait, self.patience = wait, patience


@dataclass(frozen=True, slots=True)
class Pin:
    """What tells one version of a file from another; empty fields are not known."""

    etag: str = ""
    modified: str = ""
    size: int | None = None

    @property
    def tag(self) -> str:
        """Return the best name of this version; empty when the server gives none."""
        return self.etag or self.modified

    @property
    def if_range(self) -> str:
        """Return what If-Range may carry: a strong ETag, else the date; RFC 9110, 13.1.5."""
        return self.modified if self.etag.startswith("W/") or not self.etag else self.etag


@dataclass(frozen=True, slots=True)
class Address:
    """What is asked for, and the headers that go with it (a token, for one)."""

    url: str
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Span:
    """Bytes `start` up to `stop` (not included); None is the end of the file."""

    start: int = 0
    stop: int | None = None


def shown(url: str) -> str:
    """Return an address fit for a message: without query (signatures) and user part."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{host_of(url)}{parts.path}"


def host_of(url: str) -> str:
    """Return host and port of an address, without the user part."""
    return urlsplit(url).netloc.rpartition("@")[2]


def judge(url: str, status: int, headers: Mapping[str, str], asked: Span | None, pin: Pin) -> tuple[Pin, int | None]:
    """Return the pin made complete, and where the body ends in the file (None when only the body will tell).

    `asked` is None when the whole file was asked without a range. Raises Again for a passing fault, FetchError for
    a final one, Changed when the version is not `pin`'s, NoRanges and Refused for an answer of the wrong kind.
    """
    place = shown(url)
    if status == 416 and asked is not None and headers.get("Content-Range") == f"bytes */{asked.start}":
        return _same(place, pin, headers, asked.start), asked.start  # nothing is left, which is an answer, too
    if status not in {200, 206}:
        raise _fault(place, status, headers, asked, pin)
    if headers.get("Content-Type", "").partition(";")[0].strip().lower() in {"text/html", "application/xhtml+xml"}:
        raise Refused(
            f"{place} gives a web page instead of the file: open it in a browser to see what it says, or give your "
            "own copy with --local-archive."
        )
    if headers.get("Content-Encoding", "identity") != "identity" and not place.endswith((".gz", ".tgz")):
        raise Refused(f"{place} comes re-compressed although that was not asked for: its bytes cannot be relied on.")
    length = headers.get("Content-Length", "")
    size = int(length) if length.isdigit() else None
    if status == 200:
        told = _same(place, pin, headers, size)
        if asked is not None:
            raise NoRanges(f"the server of {place} ignores ranges: give your own copy with --local-archive.")
        return told, size
    match = _CONTENT_RANGE.fullmatch(headers.get("Content-Range", ""))
    if asked is None or match is None:
        raise Refused(f"{place} gives a part that was not asked for or is not described: it is not used.")
    start, last = int(match[1]), int(match[2])
    total = pin.size if match[3] == "*" else int(match[3])
    told = _same(place, pin, headers, total)
    stop = asked.stop if total is None or asked.stop is None else min(asked.stop, total)
    if start != asked.start or last + 1 != (total if stop is None else stop) or size not in {None, last + 1 - start}:
        raise Refused(f"{place} gives bytes {start}-{last} where others were asked for: they are not used.")
    return told, last + 1


def redirected(url: str, location: str | None) -> str:
    """Return where a redirect leads; raises Refused when it changes the scheme, but for http to https."""
    try:
        target = urljoin(url, location or "")
        schemes = urlsplit(url).scheme, urlsplit(target).scheme
        _ = urlsplit(target).port
    except ValueError:
        raise Refused(f"{shown(url)} redirects to what is no address: it is not followed.") from None
    if not location or schemes not in {("http", "http"), ("http", "https"), ("https", "https")}:
        raise Refused(f"{shown(url)} redirects to {shown(target)}, which is not followed: only https is safe.")
    return target


def _same(place: str, pin: Pin, headers: Mapping[str, str], size: int | None) -> Pin:
    etag, modified = headers.get("ETag", ""), headers.get("Last-Modified", "")
    if pin.etag and etag:
        equal = pin.etag == etag
    elif pin.modified and modified:
        equal = pin.modified == modified
    else:
        equal = not pin.tag
    if not equal or (None not in {pin.size, size} and pin.size != size):
        raise Changed(f"{place} changed while it was being read: repeat the command to start this file afresh.")
    return Pin(pin.etag or etag, pin.modified or modified, size if pin.size is None else pin.size)


def _fault(place: str, status: int, headers: Mapping[str, str], asked: Span | None, pin: Pin) -> Exception:
    if status in _TRANSIENT or status >= 500:
        patience = Patience.BUSY if status == 429 else Patience.PASSING
        return Again(f"it answers with status {status}", _retry_after(headers.get("Retry-After", "")), patience)
    if status in {401, 403}:
        return FetchError(
            f"{place} may not be read (status {status}): accept its terms and set HF_TOKEN if it is gated, or give "
            "your own copy with --local-archive."
        )
    if status in {404, 410}:
        return Missing(
            f"{place} is not there (status {status}): the file has moved; give your own copy with --local-archive."
        )
    if status == 416 and asked is not None:
        if pin.size is not None or pin.tag:
            return Changed(f"{place} changed while it was being read: repeat the command to start this file afresh.")
        return Refused(f"{place} is shorter than byte {asked.start}, where reading was to start.")
    return FetchError(f"{place} answers with status {status}: give your own copy with --local-archive.")


def _retry_after(value: str) -> float | None:
    if value.isdigit():
        return float(value)
    try:
        when = parsedate_to_datetime(value)
    except (TypeError, ValueError, IndexError):
        return None
    when = when if when.tzinfo else when.replace(tzinfo=timezone.utc)
    return max(0.0, (when - datetime.now(timezone.utc)).total_seconds())
