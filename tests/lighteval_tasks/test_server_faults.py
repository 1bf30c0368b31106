"""What servers do wrong costs what it must and no more."""

import asyncio
import json
import os
import signal
import threading
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from lighteval_tasks import server
from lighteval_tasks.chat import answers, client
from lighteval_tasks.chat.answers import Answer, Failure
from lighteval_tasks.chat.settings import ServerSettings
from lighteval_tasks.chat.waits import LONGEST, retry_after, wait_before
from lighteval_tasks.figures import FAILED
from sobench_metrics.errors import UsageError
from tests.engines.chat_server import ChatServer, Fault, FromRequest

ECHO = FromRequest(lambda request: request.text.upper())


def bodies(count):
    messages = [[{"role": "user", "content": f"question {number}"}] for number in range(count)]
    return [lambda chat=chat: {"model": "m", "messages": chat} for chat in messages]


def right(count):
    return [Answer(f"QUESTION {number}") for number in range(count)]


@pytest.fixture
def waits(monkeypatch):
    """Wait for nothing, and note each pause that was due as (next try, what the server asked for)."""
    due = []

    def wait(next_try, asked):
        due.append((next_try, asked))
        return 0.0

    monkeypatch.setattr(client, "wait_before", wait)
    return due


def completion(message, **more):
    return json.dumps({"choices": [{"index": 0, "message": message, **more}]}).encode()


# ---------------------------------------------------------------- tries


@pytest.mark.parametrize("status", [429, 500, 503, 408, "drop"])
def test_what_may_pass_is_tried_again_until_it_passes(waits, status):
    with ChatServer(ECHO, faults=[Fault(status, tries=2)]) as there:
        assert client.ask(ServerSettings(there.url, concurrent=3), bodies(5)) == right(5)
    assert sorted(waits) == [(2, None)] * 5 + [(3, None)] * 5
    assert len(there.requests) == 15


def test_a_notebook_that_runs_a_loop_of_its_own_can_ask(waits):
    async def cell():
        return client.ask(ServerSettings(there.url), bodies(3))

    with ChatServer(ECHO) as there:
        assert asyncio.run(cell()) == right(3)


def test_a_request_that_fails_at_every_try_fails_alone(waits):
    refused = bodies(5)[2]()["messages"][0]["content"]
    with ChatServer(FromRequest(lambda request: 500 if request.text == refused else request.text.upper())) as there:
        found = client.ask(ServerSettings(there.url, tries=3), bodies(5))
    assert isinstance(found[2], Failure)
    assert found[2].reason == "status 500: a failure made for the test"
    assert found[:2] + found[3:] == right(5)[:2] + right(5)[3:]
    assert len(there.requests) == 4 + 3


@pytest.mark.parametrize("status", [400, 403, 404, 413, 422])
def test_what_cannot_get_better_is_asked_once_and_once_something_worked_it_ends_no_run(waits, status):
    """One request at a time: the first is answered, and a status that would end a run at its beginning does not."""
    with ChatServer(
        FromRequest(lambda request: request.text.upper() if request.text == "question 0" else status)
    ) as there:
        found = client.ask(ServerSettings(there.url, concurrent=1), bodies(9))
    assert found[0] == Answer("QUESTION 0")
    assert all(one.reason.startswith(f"status {status}") for one in found[1:])
    assert len(there.requests) == 9
    assert waits == []


def test_the_servers_own_pause_is_kept(waits):
    with ChatServer(ECHO, faults=[Fault(429, tries=1, retry_after=7)]) as there:
        assert client.ask(ServerSettings(there.url), bodies(2)) == right(2)
    assert waits == [(2, 7.0)] * 2


def test_pauses_grow_and_end():
    assert [wait_before(number, None) for number in range(2, 9)] == [1, 1, 2, 4, 8, 10, 10]
    assert wait_before(5_000, None) == 10
    assert wait_before(2, 7.0) == 7.0
    assert wait_before(2, 86_400.0) == LONGEST
    assert wait_before(2, 0.0) == 0.0


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("2", 2.0),
        ("0.5", 0.5),
        ("-3", 0.0),
        ("Mon, 30 Nov 2026 12:00:30 GMT", 30.0),
        ("Mon, 30 Nov 2026 11:00:00 GMT", 0.0),
        (None, None),
        ("", None),
        ("soon", None),
        ("nan", None),
        ("inf", None),
    ],
)
def test_a_pause_is_a_number_or_a_date(header, seconds):
    assert retry_after(header, datetime(2026, 11, 30, 12, 0, 0, tzinfo=timezone.utc)) == seconds


# ---------------------------------------------------------------- the pool


def test_so_many_are_in_flight_as_asked_and_no_body_is_made_before_its_turn():
    made, answered = [], []
    counted = [lambda make=make: made.append(1) or make() for make in bodies(20)]
    ahead = []

    def reply(request):
        ahead.append(len(made) - len(answered))
        answered.append(1)
        return request.text.upper()

    with ChatServer(FromRequest(reply), gather=5) as there:
        assert client.ask(ServerSettings(there.url, concurrent=5), counted) == right(20)
    assert there.max_in_flight == 5
    assert max(ahead) <= 2 * 5  # an answer is counted before its client has read it


def test_never_more_are_in_flight_than_asked():
    """The server waits for a sixth request before it answers the first ones, and none comes."""
    with ChatServer(ECHO, gather=6, patience=0.2) as there:
        assert client.ask(ServerSettings(there.url, concurrent=5), bodies(10)) == right(10)
    assert there.max_in_flight == 5


def test_nothing_to_ask_is_nothing():
    assert client.ask(ServerSettings("http://127.0.0.1:9/v1/chat/completions"), []) == []


def test_a_damaged_picture_ends_the_run():
    def damaged():
        raise UsageError("run `sobench prepare` again.")

    with ChatServer(ECHO) as there, pytest.raises(UsageError, match="sobench prepare"):
        client.ask(ServerSettings(there.url, concurrent=2), [*bodies(1), damaged, *bodies(3)])


def test_other_failures_at_the_beginning_end_no_run(waits):
    """A server that is overloaded at first, or refuses long prompts, is no wrong address."""
    with ChatServer(FromRequest(lambda _request: 400)) as there:
        assert all(isinstance(one, Failure) for one in client.ask(ServerSettings(there.url), bodies(12)))
    assert len(there.requests) == 12


def test_ctrl_c_ends_at_once(raw):
    def interrupt(number, handler):
        if number == 1:  # a second one could hit whatever runs after the test
            os.kill(os.getpid(), signal.SIGINT)
        handler.server.released.wait()

    url = raw(interrupt)
    with pytest.raises(KeyboardInterrupt):
        client.ask(ServerSettings(url, concurrent=2), bodies(50))


# ---------------------------------------------------------------- odd replies


@pytest.fixture
def raw():
    """A server that replies what a function says: bytes for status 200, or whatever it does with the handler."""
    running = []

    def start(reply):
        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                """Stay quiet."""

            def do_POST(self):
                self.rfile.read(int(self.headers["Content-Length"]))
                with self.server.lock:
                    self.server.asked += 1
                    number = self.server.asked
                content = reply(number, self)
                if content is None:
                    self.close_connection = True
                    return
                self.send_response(200)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

        there = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        there.daemon_threads, there.released, there.lock, there.asked = True, threading.Event(), threading.Lock(), 0
        there.handle_error = lambda *_: None  # a client that went away is no news
        thread = threading.Thread(target=there.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        running.append((there, thread))
        return f"http://127.0.0.1:{there.server_address[1]}/v1/chat/completions"

    yield start
    for there, thread in running:
        there.released.set()
        there.shutdown()
        there.server_close()
        thread.join()


def test_a_reply_that_is_no_json_is_asked_for_again(raw, waits):
    url = raw(lambda number, _handler: b"<html>busy</html>" if number < 3 else completion({"content": "yes"}))
    assert client.ask(ServerSettings(url), bodies(1)) == [Answer("yes")]
    assert waits == [(2, None), (3, None)]


def test_a_reply_that_never_comes_is_given_up(raw, waits):
    url = raw(lambda _number, handler: handler.server.released.wait() and None)
    found = client.ask(ServerSettings(url, tries=2, timeout=0.05), bodies(1))
    assert found == [Failure("no answer within 0.05 seconds")]
    assert waits == [(2, None)]


def test_a_reply_that_does_not_end_is_cut_off(raw, waits, monkeypatch):
    monkeypatch.setattr(client, "_MOST_BYTES", 1000)
    url = raw(lambda _number, _handler: b" " * 1001)
    (found,) = client.ask(ServerSettings(url), bodies(1))
    assert "longer than 1000 bytes" in found.reason
    assert waits == []


def test_a_key_that_a_server_quotes_is_not_written_down(raw):
    def quote(_number, handler):
        handler.send_response(403)
        handler.end_headers()
        handler.wfile.write(f"wrong: {handler.headers['Authorization']}".encode())

    url = raw(lambda number, handler: completion({"content": "yes"}) if number == 1 else quote(number, handler))
    found = client.ask(ServerSettings(url, key="sk-secret", concurrent=1), bodies(2))
    assert found[1].reason == "status 403: wrong: Bearer ..."


@pytest.mark.parametrize(
    ("message", "answer"),
    [
        ({"content": "yes"}, Answer("yes")),
        ({"content": ""}, Answer("")),
        ({"content": None}, Answer("")),
        ({}, Answer("")),
        ({"content": None, "refusal": "no"}, Answer("")),
        ({"content": "yes", "reasoning_content": "hm"}, Answer("yes", "hm")),
        ({"content": None, "reasoning_content": "hm"}, Answer("", "hm")),
        ({"content": "yes", "reasoning": "hm"}, Answer("yes", "hm")),
        ({"content": "yes", "reasoning": {"steps": 2}}, Answer("yes")),
        (
            {"content": [{"type": "text", "text": "y"}, {"type": "text", "text": "es"}, {"type": "audio"}]},
            Answer("yes"),
        ),
        ({"content": "a\ud800b \U0001f600"}, Answer("a\ufffdb \U0001f600")),
    ],
)
def test_an_answer_is_the_content_alone(message, answer):
    assert answers.read(200, completion(message)) == answer


def test_of_several_choices_the_first_counts():
    choices = [{"index": 1, "message": {"content": "second"}}, {"index": 0, "message": {"content": "first"}}]
    assert answers.read(200, json.dumps({"choices": choices}).encode()) == Answer("first")
    unnumbered = [{"message": {"content": "first"}}, {"message": {"content": "second"}}]
    assert answers.read(200, json.dumps({"choices": unnumbered}).encode()) == Answer("first")


@pytest.mark.parametrize(
    "body",
    [
        b"", b"\xff", b"[]", b"null", b"3", b"{}", b'{"choices": null}', b'{"choices": []}', b'{"choices": [3]}',
        b'{"choices": [{}]}', b'{"choices": [{"message": "text"}]}', b'{"choices": [{"message": {"content": 3}}]}',
        b"[" * 200_000, b'{"choices": ' + b"9" * 5000 + b"}",
    ],
)  # fmt: skip
def test_what_is_no_completion_is_a_failure_that_may_pass(body):
    found = answers.read(200, body)
    assert isinstance(found, Failure)
    assert found.again
    assert 0 < len(found.reason) <= 300


@pytest.mark.parametrize(
    ("status", "body", "reason"),
    [
        (400, b'{"error": {"message": "too\\n long"}}', "status 400: too long"),
        (400, b'{"object": "error", "message": "too long"}', "status 400: too long"),
        (422, b'{"detail": [{"loc": ["body"]}]}', 'status 422: [{"loc": ["body"]}]'),
        (500, b"plain \xff text", "status 500: plain \ufffd text"),
        (502, b"", "status 502"),
        (200, b'{"error": {"message": "no capacity"}}', "the answer is no chat completion: no capacity"),
    ],
)
def test_the_reason_is_the_servers(status, body, reason):
    assert answers.read(status, body).reason == reason


def test_a_model_cannot_say_that_its_request_failed():
    (note,) = server._response(Answer("yes", f"{FAILED}not really")).reasonings
    assert not note.startswith(FAILED)
    assert server._response(Failure("why")).reasonings == [f"{FAILED}why"]
