"""The listener: routes, ranges, faults, counts."""

from __future__ import annotations

import contextlib
import re
import socket
import threading
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, unquote, urlsplit

from tests.engines.upstream.hub import Ask, Reply

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.engines.upstream.faults import Fault, Faults, Traffic

__all__ = ["Server"]

_PIECE = 1 << 15
_AHEAD = 1 << 14  # a big send buffer would swallow a whole archive for a client that soon stops reading
_PAGE = b"<!DOCTYPE html><html><body>Please sign in to go on.</body></html>"


class Server(ThreadingHTTPServer):
    """Answers by `route`; a fault whose turn it is comes before the answer."""

    daemon_threads = True
    block_on_close = False

    def __init__(self, route: Callable[[Ask], Reply], faults: Faults, traffic: Traffic) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.route, self.faults, self.traffic = route, faults, traffic
        self.closing = threading.Event()
        self.seen: list[Ask] = []
        self._thread = threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self.closing.set()
        self.shutdown()
        self.server_close()

    def handle_error(self, request, client_address) -> None:
        """Say nothing of clients that go away; that is what many tests are about."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Server

    def setup(self) -> None:
        super().setup()
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _AHEAD)

    def log_message(self, *_) -> None:
        pass

    def _serve(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        address = urlsplit(self.path)
        query = {name: "\n".join(values) for name, values in parse_qs(address.query, keep_blank_values=True).items()}
        if self.headers.get("Content-Type") == "application/x-www-form-urlencoded":
            query |= {name: "\n".join(values) for name, values in parse_qs(body.decode()).items()}
        ask = Ask(self.command, unquote(address.path), query, self.headers, body)
        self.server.seen.append(ask)
        self.counted = _counted(ask.path)
        self.server.traffic.note(self.counted, requests=1)
        reads = self.command in {"GET", "HEAD"}
        fault = None if reads else self.server.faults.take(self.command, ask.path, file=False)
        reply = self.server.route(ask) if fault is None else Reply()  # a refused write changes nothing
        if reads:
            fault = self.server.faults.take(self.command, ask.path, file=reply.file)
        if fault is not None and fault.kind in _INSTEAD:
            _INSTEAD[fault.kind](self, fault)
        elif reply.file:
            self._send_file(reply, fault)
        else:
            self._send(reply.status, {**reply.headers, **({"ETag": reply.etag} if reply.etag else {})}, reply.body)

    do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = _serve  # noqa: N815 - names of http.server

    def _send_file(self, reply: Reply, fault: Fault | None) -> None:
        kind = fault.kind if fault else ""
        data, etag = reply.body, reply.etag
        if kind == "truncated":
            data = data[: int(fault.number)]
        if kind in {"etag", "replaced"}:
            data, etag = fault.data or data, fault.text or f'"{zlib.crc32(fault.data):x}"'
        headers = {"Content-Type": "application/octet-stream", **reply.headers, "ETag": etag}
        headers |= {"Accept-Ranges": "bytes", "Last-Modified": "Sat, 01 Apr 2023 00:00:00 GMT"}
        wanted = None if kind == "no_ranges" else self._range(len(data), etag)
        if kind == "no_ranges":
            del headers["Accept-Ranges"]
        if wanted is None:
            self._send(200, headers, data, fault)
            return
        start, end = wanted
        if start >= end:
            self._send(416, {"Content-Range": f"bytes */{len(data)}"}, b"")
            return
        if kind == "wrong_range":
            start, end = (0, end - start) if start else (1, min(end + 1, len(data)))
        headers["Content-Range"] = f"bytes {start}-{end - 1}/{len(data)}"
        self._send(206, headers, memoryview(data)[start:end], fault)

    def _range(self, size: int, etag: str) -> tuple[int, int] | None:
        """Start and end asked for; None for the whole file, as when If-Range names another version."""
        found = re.fullmatch(r"bytes=(\d*)-(\d*)", self.headers.get("Range") or "")
        condition = self.headers.get("If-Range")
        if found is None or (condition and condition not in {etag, "Sat, 01 Apr 2023 00:00:00 GMT"}):
            return None
        first, last = found.groups()
        if not first:
            return max(0, size - int(last)), size
        return int(first), min(size, int(last) + 1) if last else size

    def _send(self, status: int, headers, body: bytes | memoryview, fault: Fault | None = None) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command == "HEAD":
            return
        kind = fault.kind if fault else ""
        if kind == "cut":
            body = body[: int(fault.number)]
        piece, pause = (len(fault.data), fault.number) if kind == "dribble" else (_PIECE, 0)
        view = memoryview(body)
        for start in range(0, len(view), piece):
            part = view[start : start + piece]
            self.server.traffic.note(self.counted, sent=len(part))  # first, or a quick client asks before it is noted
            self.wfile.write(part)
            if pause and self.server.closing.wait(pause):
                break
        if kind == "cut":
            self._drop()

    def _drop(self) -> None:
        self.close_connection = True
        self.wfile.flush()
        with contextlib.suppress(OSError):
            self.connection.shutdown(socket.SHUT_RDWR)

    def _refuse(self, fault: Fault) -> None:
        headers = {"Content-Type": "text/plain"} | ({"Retry-After": fault.text} if fault.text else {})
        self._send(int(fault.number), headers, b"not now")

    def _hang(self, fault: Fault) -> None:
        """Wait until the server closes, or the client does, which makes its socket readable."""
        self.connection.settimeout(0.05)
        while not self.server.closing.is_set():
            try:
                if not self.connection.recv(1):
                    break
            except TimeoutError:
                continue
            except OSError:
                break
        self.close_connection = True

    def _page(self, fault: Fault) -> None:
        self._send(200, {"Content-Type": "text/html; charset=utf-8"}, _PAGE)

    def _away(self, fault: Fault) -> None:
        self._send(302, {"Location": fault.text}, b"")


_INSTEAD = {"status": _Handler._refuse, "hang": _Handler._hang, "html": _Handler._page, "redirect": _Handler._away}


def _counted(path: str) -> str:
    """Return the name under which traffic for a path is counted: hub/<owner>/<name>/<file>, hub/<owner>/<name>/(api), ..."""
    parts = path.strip("/").split("/")
    if parts[0] == "cdn":
        return "/".join(["hub", *parts[1:3], *parts[4:]])
    if parts[:2] == ["hub", "datasets"] and parts[4:5] == ["resolve"]:
        return "/".join(["hub", *parts[2:4], *parts[6:]])
    if parts[:3] == ["hub", "api", "datasets"]:
        return "/".join(["hub", *parts[3:5], "(api)"])
    return "/".join(parts)
