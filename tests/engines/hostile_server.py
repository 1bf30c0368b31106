"""A web server on this machine that can be told to misbehave, path by path and request by request.

`put` gives a path its content; `then` queues faults, one for each coming request; `always` sets a fault for good.
What was asked and moved is counted by path.
"""

from __future__ import annotations

import hashlib
import re
import threading
from collections import Counter, defaultdict, deque
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote, urlsplit

__all__ = ["Asked", "Fault", "HostileServer"]


@dataclass(frozen=True)
class Fault:
    """One way to misbehave; the fields can be combined, empty ones leave the answer as it would be."""

    cut: int | None = None  # hang up after so many bytes of the body
    status: int | None = None  # answer with this status and a short text
    headers: dict[str, str | None] = field(default_factory=dict)  # set, or leave out with None
    body: bytes | None = None  # a whole other body, with status 200
    no_ranges: bool = False  # give all of it whatever was asked
    pieces: int | None = None  # write so few bytes at a time
    drop: bool = False  # hang up without a word


@dataclass(frozen=True)
class Asked:
    path: str
    range: str | None
    headers: dict[str, str]


@dataclass(frozen=True)
class _Content:
    body: bytes
    headers: dict[str, str]


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def handle_error(self, *_: object) -> None:
        """Stay silent: clients under test hang up in the middle."""


class HostileServer:
    def __init__(self) -> None:
        self.asked: list[Asked] = []
        self.moved: Counter[str] = Counter()
        self._content: dict[str, _Content] = {}
        self._next: dict[str, deque[Fault]] = defaultdict(deque)
        self._always: dict[str, Fault] = {}
        self._lock = threading.Lock()
        self._server = _Server(("127.0.0.1", 0), _handler(self))
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def put(self, path: str, body: bytes, **headers: str | None) -> str:
        """Give a path its content and return its address; `ETag` is of the content unless named."""
        told = {"ETag": f'"{hashlib.sha256(body).hexdigest()[:16]}"', "Content-Type": "application/octet-stream"}
        told.update({name.replace("_", "-"): value for name, value in headers.items()})
        self._content[path] = _Content(body, told)
        return self.url + path

    def then(self, path: str, *faults: Fault) -> None:
        self._next[path].extend(faults)

    def always(self, path: str, fault: Fault) -> None:
        self._always[path] = fault

    def requests(self, path: str) -> int:
        return sum(asked.path == path for asked in self.asked)

    def ranges(self, path: str) -> list[str | None]:
        return [asked.range for asked in self.asked if asked.path == path]

    def forget(self) -> None:
        """Start counting anew."""
        with self._lock:
            self.asked.clear()
            self.moved.clear()

    def take(self, asked: Asked) -> tuple[_Content | None, Fault]:
        with self._lock:
            self.asked.append(asked)
            queued = self._next[asked.path]
            fault = queued.popleft() if queued else self._always.get(asked.path, Fault())
            return self._content.get(asked.path), fault

    def count(self, path: str, moved: int) -> None:
        with self._lock:
            self.moved[path] += moved


def _handler(owner: HostileServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True  # or each body waits for the client to have told of the headers, 40 ms

        def log_message(self, *_: object) -> None:
            """Stay silent."""

        def do_GET(self) -> None:
            path = unquote(urlsplit(self.path).path)
            content, fault = owner.take(Asked(path, self.headers.get("Range"), dict(self.headers)))
            if fault.drop:
                self.close_connection = True
                return
            status, headers, body = _answer(content, fault, self.headers)
            self.send_response(status)
            told = {name: value for name, value in {**headers, **fault.headers}.items() if value is not None}
            for name, value in told.items():
                self.send_header(name, value)
            self.end_headers()
            sent = body if fault.cut is None else body[: fault.cut]
            step = fault.pieces or max(1, len(sent))
            with suppress(OSError):
                for start in range(0, len(sent), step):
                    part = sent[start : start + step]
                    owner.count(path, len(part))  # first, or a quick client asks before it is counted
                    self.wfile.write(part)
            if len(sent) < len(body) or "Content-Length" not in told:
                self.close_connection = True

    return Handler


def _answer(content: _Content | None, fault: Fault, asked) -> tuple[int, dict[str, str | None], bytes]:
    if fault.status is not None or content is None:
        text = fault.body or b"no"
        return fault.status or 404, {"Content-Length": str(len(text)), "Content-Type": "text/plain"}, text
    headers: dict[str, str | None] = {**content.headers, "Accept-Ranges": "bytes"}
    body = content.body if fault.body is None else fault.body
    match = re.fullmatch(r"bytes=(\d+)-(\d*)", asked.get("Range", ""))
    tag = fault.headers.get("ETag", headers.get("ETag"))
    if match is None or fault.no_ranges or fault.body is not None or asked.get("If-Range", tag) != tag:
        return 200, {**headers, "Content-Length": str(len(body))}, body
    start, stop = int(match[1]), min(int(match[2] or len(body)) + 1, len(body))
    if start >= len(body):
        return 416, {"Content-Range": f"bytes */{len(body)}", "Content-Length": "0"}, b""
    told = {"Content-Range": f"bytes {start}-{stop - 1}/{len(body)}", "Content-Length": str(stop - start)}
    return 206, {**headers, **told}, body[start:stop]
