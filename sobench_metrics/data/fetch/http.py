"""One polite client: redirects, retries, ranges and bounds are decided here, for every source alike."""

from __future__ import annotations

import random
import threading
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import sobench_metrics
from sobench_metrics.data.fetch.answers import (
    Address,
    Again,
    Changed,
    NoRanges,
    Patience,
    Pin,
    Span,
    host_of,
    judge,
    redirected,
    shown,
)
from sobench_metrics.data.fetch.deadlines import Pace, adapter
from sobench_metrics.data.fetch.errors import FetchError, Refused
from sobench_metrics.data.fetch.remote_file import RemoteFile

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Mapping

    import requests

__all__ = ["Changed", "Download", "Http", "NoRanges", "Traffic"]

_REDIRECTS = 5
_PIECE = 1 << 16
_LONGEST_PAUSE = 60.0
_FIRST_PAUSE = {Patience.PASSING: 1.0, Patience.BUSY: 10.0, Patience.ABSENT: 1.0}
_MORE_TRIES = 2  # of a server that is busy: its pauses then take minutes, as its limits do
_TRIES_OF_NOBODY = 3  # of a host that has no name or takes no connection, and never did
_LONGEST_WISH = 120.0  # seconds of a Retry-After that are honoured
_SECRETS = {"authorization", "cookie"}


class Traffic:
    """Counts bodies and requests, in all and by host. Safe for any thread."""

    def __init__(self) -> None:
        """Start at nothing."""
        self._lock = threading.Lock()
        self._by_host: dict[str, tuple[int, int]] = {}

    def add(self, host: str, *, moved: int = 0, requests: int = 0) -> None:
        """Count what was moved."""
        with self._lock:
            before = self._by_host.get(host, (0, 0))
            self._by_host[host] = (before[0] + moved, before[1] + requests)

    @property
    def by_host(self) -> dict[str, tuple[int, int]]:
        """Return bytes and requests by host."""
        with self._lock:
            return dict(self._by_host)

    @property
    def bytes(self) -> int:
        """Return the bytes of all bodies."""
        return sum(moved for moved, _ in self.by_host.values())

    @property
    def requests(self) -> int:
        """Return the number of requests, redirects and repeated ones among them."""
        return sum(asked for _, asked in self.by_host.values())


class Download:
    """The bytes of one file, in order, over as many connections as it takes; an iterator of pieces.

    `pin` is complete after the first piece, `position` is where the next piece starts. Raises FetchError when
    patience ends, Changed when the version changed, Refused for more than `limit` bytes.
    """

    def __init__(self, http: Http, address: Address, span: Span, pin: Pin, limit: int | None = None) -> None:
        """Ask nothing before the first piece is wanted."""
        self.url, self.pin, self.position = address.url, pin, span.start
        self._http, self._address, self._span, self._limit = http, address, span, limit
        self._pieces = self._run()

    def __iter__(self) -> Download:
        """Return itself."""
        return self

    def __next__(self) -> bytes:
        """Return the next piece, which is never empty."""
        return next(self._pieces)

    def close(self) -> None:
        """Hang up."""
        self._pieces.close()

    def _run(self) -> Generator[bytes, None, None]:
        failures = 0
        while True:
            before = self.position
            try:
                yield from self._one_connection()
            except Again as fault:
                # only a stretch of some length counts as progress: a server may cut after every byte
                failures = 1 if self.position - before >= _PIECE else failures + 1
                self._http.pause(self.url, failures, fault)
            else:
                return

    def _one_connection(self) -> Iterator[bytes]:
        whole = self.position == 0 and self._span.stop is None
        asked = None if whole else Span(self.position, self._span.stop)
        with self._http.ask(self._address, asked, self.pin) as (response, self.pin, end):
            if self._limit is not None and end is not None and end > self._limit:
                raise Refused(f"{shown(self.url)} has {end} bytes, more than the {self._limit} that it may have.")
            host, pace, moved = host_of(response.url or self.url), self._http.pace(), 0
            while end is None or self.position < end:
                if pace.too_slow(moved):
                    raise Again(f"it sends less than a kilobyte a second, the last after {self.position} bytes")
                try:
                    count = _PIECE if end is None else min(_PIECE, end - self.position)
                    with pace.waiting():
                        piece = response.raw.read1(count, decode_content=False)
                except _faults() as fault:
                    raise Again(f"the connection was cut after {self.position} bytes") from fault
                if not piece:
                    break
                moved = len(piece)
                self._http.traffic.add(host, moved=moved)
                if self.position == 0 and piece.lstrip()[:14].lower().startswith((b"<!doctype html", b"<html")):
                    raise Refused(f"{shown(self.url)} gives a web page instead of the file: it is not used.")
                self.position += len(piece)
                if self._limit is not None and self.position > self._limit:
                    raise Refused(f"{shown(self.url)} has more than the {self._limit} bytes that it may have.")
                yield piece
        if end is not None and self.position < end:
            raise Again(f"the connection was cut after {self.position} bytes")


class Http:
    """Asks servers for files: pinned, bounded, retried with growing pauses, a few requests per host at a time."""

    def __init__(  # noqa: PLR0913 - knobs, each by its name
        self,
        *,
        traffic: Traffic | None = None,
        tries: int = 6,
        sleep: Callable[[float], None] = time.sleep,
        per_host: int = 4,
        timeout: float = 30.0,
        deadline: float = 60.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Try each piece of work `tries` times.

        `timeout` is the longest silence of a server, `deadline` what it may take to answer at all, in seconds; `clock`
        tells how long a body takes.
        """
        self.traffic = traffic or Traffic()
        self._tries, self._sleep, self._per_host, self._timeout = tries, sleep, per_host, timeout
        self._deadline, self._clock = deadline, clock
        self._local, self._lock = threading.local(), threading.Lock()
        self._slots: dict[str, threading.BoundedSemaphore] = {}
        self._answered: set[str] = set()
        self._sessions: list[requests.Session] = []

    def get(self, url: str, *, limit: int, headers: Mapping[str, str] | None = None) -> bytes:
        """Return a whole small file, of at most `limit` bytes. Raises FetchError."""
        for _ in range(self._tries):
            with suppress(NoRanges):  # cut, and cannot be continued: from the start, then
                return b"".join(Download(self, Address(url, headers or {}), Span(), Pin(), limit))
        raise FetchError(f"{shown(url)} was cut {self._tries} times: check the network and repeat the command.")

    def probe(self, url: str, *, headers: Mapping[str, str] | None = None) -> Pin:
        """Return size and version of a file for the price of one byte. Raises FetchError, NoRanges."""
        return self.span(Address(url, headers or {}), 0, 1, Pin())[1]

    def open(
        self,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,
        block: int = _PIECE,
        size: int | None = None,
        tag: str | None = None,
    ) -> RemoteFile:
        """Return a file for reading anywhere in it; asks nothing yet when `size` is known. Raises FetchError."""
        pin = self.probe(url, headers=headers) if size is None else Pin(size=size)
        if pin.size is None:
            raise NoRanges(f"the server of {shown(url)} does not tell its size: give your own copy, --local-archive.")
        return RemoteFile(self, Address(url, headers or {}), pin, block=block, tag=tag)

    def stream(
        self, url: str, *, start: int = 0, etag: str | None = None, headers: Mapping[str, str] | None = None
    ) -> Download:
        """Return the pieces from byte `start` to the end; with `etag`, of that version only."""
        return Download(self, Address(url, headers or {}), Span(start), Pin(etag=etag or ""))

    def resume(self, url: str, start: int, pin: Pin) -> Download:
        """Return the pieces from byte `start` to the end of the version `pin`."""
        return Download(self, Address(url), Span(start), pin)

    def span(self, address: Address, start: int, stop: int, pin: Pin) -> tuple[bytes, Pin]:
        """Return the bytes `start` up to `stop` of the version `pin`, and the pin made complete."""
        download = Download(self, address, Span(start, stop), pin)
        return b"".join(download), download.pin

    def close(self) -> None:
        """Close all connections; the client may be used again."""
        with self._lock:
            for session in self._sessions:
                session.close()

    @contextmanager
    def ask(
        self, address: Address, asked: Span | None, pin: Pin
    ) -> Iterator[tuple[requests.Response, Pin, int | None]]:
        """Yield one answer that is fit for use, its pin, and where its body ends; see `judge` for what is raised."""
        url = target = address.url
        sent = {"User-Agent": f"sobench/{sobench_metrics.__version__}", **address.headers}
        sent["Accept-Encoding"] = "identity"
        if asked is not None:
            sent["Range"] = f"bytes={asked.start}-{'' if asked.stop is None else asked.stop - 1}"
            if pin.if_range:
                sent["If-Range"] = pin.if_range
        if urlsplit(url).scheme not in {"http", "https"}:
            raise Refused(f"{shown(url)} is neither http nor https: it is not asked.")
        for _ in range(_REDIRECTS + 1):
            here = urlsplit(target)
            with self._slot(host_of(target)), self._send(target, sent) as response:
                if response.status_code in {301, 302, 303, 307, 308}:
                    target = redirected(target, response.headers.get("Location"))
                    there = urlsplit(target)
                    if (here.hostname, here.port) != (there.hostname, there.port):
                        sent = {name: value for name, value in sent.items() if name.lower() not in _SECRETS}
                    continue
                yield response, *judge(url, response.status_code, response.headers, asked, pin)
                return
        raise Refused(f"{shown(url)} redirects more than {_REDIRECTS} times: it is not followed.")

    def pace(self) -> Pace:
        """Return a new measure of how fast a body comes."""
        return Pace(self._clock)

    def pause(self, url: str, failures: int, fault: Again) -> None:
        """Wait before asking again; raises FetchError after the last try."""
        most = {Patience.BUSY: self._tries + _MORE_TRIES, Patience.ABSENT: min(self._tries, _TRIES_OF_NOBODY)}
        if failures >= most.get(fault.patience, self._tries):
            raise FetchError(
                f"{shown(url)} could not be read in {failures} tries ({fault}): check the network and repeat the "
                "command; what is done is kept."
            ) from fault
        if fault.wait is not None:
            self._sleep(min(fault.wait, _LONGEST_WISH))
        else:
            pause = min(_LONGEST_PAUSE, _FIRST_PAUSE[fault.patience] * 2 ** (failures - 1))
            self._sleep(pause * random.uniform(0.5, 1.0))  # noqa: S311 - spreads load

    @contextmanager
    def _slot(self, host: str) -> Iterator[None]:
        with self._lock:
            slot = self._slots.setdefault(host, threading.BoundedSemaphore(self._per_host))
        with slot:
            yield

    def _send(self, url: str, headers: Mapping[str, str]) -> requests.Response:
        host = host_of(url)
        self.traffic.add(host, requests=1)
        try:
            response = self._session().get(
                url,
                headers=dict(headers),
                stream=True,
                allow_redirects=False,
                timeout=self._timeout,
                auth=lambda request: request,  # no password of ~/.netrc instead of our token
            )
        except _faults() as fault:
            verdict = _transport(url, fault)
            if isinstance(verdict, Again) and _is_absent(fault) and host not in self._answered:
                verdict.patience = Patience.ABSENT
            raise verdict from fault
        self._answered.add(host)
        return response

    def _session(self) -> requests.Session:
        session: requests.Session | None = getattr(self._local, "session", None)
        if session is None:
            from http.cookiejar import DefaultCookiePolicy

            import requests

            class Session(requests.Session):
                def get_redirect_target(self, _: Any) -> None:
                    """See none: the library would read its body, whatever that weighs, although it shall not go."""

            session = self._local.session = Session()
            for scheme in ("http://", "https://"):
                session.mount(scheme, adapter(self._deadline))
            session.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))
            with self._lock:
                self._sessions.append(session)
        return session


def _faults() -> tuple[type[Exception], ...]:
    import requests
    import urllib3

    return requests.RequestException, urllib3.exceptions.HTTPError, OSError, UnicodeError


def _transport(url: str, fault: Exception) -> Exception:
    """Return what a fault below HTTP means: one that may pass, or a final one."""
    from requests import exceptions

    host = host_of(url)
    if isinstance(fault, exceptions.SSLError) and "certificate" in str(fault).lower():
        return FetchError(
            f"the certificate of {host} cannot be verified: behind a proxy, set REQUESTS_CA_BUNDLE to its certificates."
        )
    if isinstance(fault, (exceptions.InvalidURL, exceptions.InvalidSchema, UnicodeError)):
        return Refused(f"{shown(url)} is no address that can be asked.")
    return Again(f"{type(fault).__name__} from {host}")


def _is_absent(fault: Exception) -> bool:
    """Tell whether no connection was made at all: no such name, refused, or no answer to the first packet."""
    from requests import exceptions
    from urllib3.exceptions import NewConnectionError

    inner = fault.args[0] if fault.args else None
    no_connection = isinstance(getattr(inner, "reason", inner), NewConnectionError)
    return no_connection or isinstance(fault, (exceptions.ConnectTimeout, exceptions.ProxyError))
