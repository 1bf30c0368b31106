"""An OpenAI-compatible chat server with no model, which checks what it is sent.

    with ChatServer(by_image({sha: '{"a": 1}'}), expect=Expect(images=1, text_first=True)) as server:
        run(base_url=server.url)
    assert server.max_in_flight == 4

A request that is not as expected is answered with 400 and noted; leaving the
`with` block raises if any was noted, so a test cannot pass on pictures that were
lost on the way, even if the client swallowed the error.
"""

from __future__ import annotations

import contextlib
import json
import socket
import threading
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

from typing_extensions import Self

from tests.engines.chat_answers import Answer, Fault, FromRequest, Reply, always, by_image, by_prompt, conforming
from tests.engines.chat_request import ChatRequest, Expect, SeenImage, digest

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "Answer",
    "ChatRequest",
    "ChatServer",
    "Expect",
    "Fault",
    "FromRequest",
    "Reply",
    "SeenImage",
    "always",
    "by_image",
    "by_prompt",
    "conforming",
    "digest",
]


class ChatServer:
    """The server; use it as a context manager, read `requests` and `max_in_flight` afterwards.

    `gather` holds every request back until that many are in flight or have been
    at once (or `patience` seconds have passed), which makes the peak of a
    concurrent client a matter of fact and not of luck.
    """

    def __init__(
        self,
        answer: Answer | FromRequest | None = None,
        *,
        expect: Expect | None = None,
        faults: Sequence[Fault] = (),
        gather: int = 0,
        patience: float = 5.0,
        strict: bool = True,
        model: str = "test-model",
    ) -> None:
        self.answer = answer or conforming()
        self.expect, self.faults, self.strict, self.model = expect or Expect(), tuple(faults), strict, model
        self.gather, self.patience = gather, patience
        self.unreadable: list[str] = []
        self.requests: list[ChatRequest] = []
        self.max_in_flight = 0
        self._in_flight = 0
        self._attempts: Counter[str] = Counter()
        self._change = threading.Condition()
        self._http = _Listener(("127.0.0.1", 0), type("Handler", (_Handler,), {"owner": self}))
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    @property
    def root(self) -> str:
        """The address up to and with /v1."""
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    @property
    def url(self) -> str:
        """The address of the chat endpoint, as the harness wants it for `base_url`."""
        return f"{self.root}/chat/completions"

    @property
    def answered(self) -> list[ChatRequest]:
        """The requests that got an answer with status 200, in the order of their identity."""
        return sorted((one for one in self.requests if one.status == 200), key=lambda one: one.identity)

    @property
    def problems(self) -> list[str]:
        """Everything that was not as expected, each thing once."""
        return list(dict.fromkeys([*self.unreadable, *(text for one in self.requests for text in one.problems)]))

    def check(self) -> None:
        """Raise if a request was not as expected."""
        if self.problems:
            raise AssertionError("requests were not as expected: " + "; ".join(self.problems[:10]))

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()
        if self.strict and kind is None:
            self.check()

    # ------------------------------------------------------------ one request
    def enter(self) -> None:
        with self._change:
            self._in_flight += 1
            self.max_in_flight = max(self.max_in_flight, self._in_flight)
            self._change.notify_all()
            if self.gather:
                self._change.wait_for(lambda: self.max_in_flight >= self.gather, self.patience)

    def leave(self) -> None:
        with self._change:
            self._in_flight -= 1

    def judge(self, body: dict[str, Any]) -> tuple[ChatRequest, Reply | str, Fault | None]:
        """The request taken apart, with the reply to give it."""
        request = ChatRequest.read(body)
        with self._change:
            self._attempts[request.identity] += 1
            request.attempt = self._attempts[request.identity]
            self.requests.append(request)
        request.problems = self.expect.problems(request)
        if request.problems:
            request.status = 400
            return request, 400, None
        fault = next((one for one in self.faults if one.strikes(request)), None)
        if fault:
            request.status = fault.status
            return request, fault.status, fault
        answer = self.answer
        reply = answer.function(request) if isinstance(answer, FromRequest) else answer(request.text, request.images)
        if isinstance(reply, int):
            request.status = reply
        else:
            request.status, request.reply = 200, reply
        return request, reply, None


class _Listener(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is no news."""


class _Handler(BaseHTTPRequestHandler):
    owner: ChatServer
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: Any) -> None:
        """Stay quiet: pytest shows the requests that matter."""

    def do_GET(self) -> None:
        if self.path.rstrip("/") == "/v1/models":
            models = [{"id": self.owner.model, "object": "model", "owned_by": "tests"}]
            self._send(200, {"object": "list", "data": models})
        else:
            self._send(404, {"error": {"message": f"nothing at {self.path}"}})

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.path != "/v1/chat/completions":
            self._send(404, {"error": {"message": f"nothing at {self.path}"}})
            return
        self.owner.enter()
        try:
            request, reply, fault = self.owner.judge(json.loads(raw))
        except Exception as error:  # noqa: BLE001  whatever it is, the client must hear of it
            self.owner.unreadable.append(f"a request cannot be read: {error!r}")
            request, reply, fault = None, 400, None
        finally:
            # Before the answer goes out: a client that asks one thing at a time must never be seen asking two.
            self.owner.leave()
        if request is None:
            self._fail(400, self.owner.unreadable[-1])
        elif reply == "drop" and fault:
            self.close_connection = True
            with contextlib.suppress(OSError):
                self.connection.shutdown(socket.SHUT_RDWR)
        elif isinstance(reply, int):
            wait = {"Retry-After": f"{fault.retry_after:g}"} if fault and fault.retry_after is not None else {}
            self._fail(reply, "; ".join(request.problems) or "a failure made for the test", wait)
        else:
            self._send(200, self._completion(request, reply))

    def _completion(self, request: ChatRequest, reply: str | None) -> dict[str, Any]:
        message = {"role": "assistant", "content": reply}
        return {
            "id": f"chatcmpl-{request.identity[:20]}",
            "object": "chat.completion",
            "created": 0,
            "model": request.body.get("model", self.owner.model),
            "choices": [{"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}],
            "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
        }

    def _fail(self, status: int, message: str, headers: dict[str, str] | None = None) -> None:
        self._send(status, {"error": {"message": message, "type": "test", "code": status}}, headers)

    def _send(self, status: int, body: Any, headers: dict[str, str] | None = None) -> None:
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)
