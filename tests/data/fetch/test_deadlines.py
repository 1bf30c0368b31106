"""A server that never stops and never gets on is left after a bounded time; no test waits for it."""

import itertools
import socket
import threading

import pytest

from sobench_metrics.data.fetch.deadlines import Pace
from sobench_metrics.data.fetch.errors import FetchError
from sobench_metrics.data.fetch.http import Http


class Hands:
    """A clock that is moved by hand."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


def read(pace, hands, seconds, count):
    with pace.waiting():
        hands.now += seconds
    return pace.too_slow(count)


def test_less_than_a_kilobyte_a_second_over_a_minute_is_too_slow():
    hands = Hands()
    pace = Pace(hands)
    assert [read(pace, hands, 10, 9_000) for _ in range(6)] == [False] * 5 + [True]


def test_a_kilobyte_a_second_is_enough():
    hands = Hands()
    pace = Pace(hands)
    assert not any(read(pace, hands, 10, 10_000) for _ in range(60))


def test_a_pause_of_less_than_a_minute_is_forgiven_and_a_later_one_is_not_paid_by_a_good_beginning():
    hands = Hands()
    pace = Pace(hands)
    assert not read(pace, hands, 1, 50_000_000)
    assert not read(pace, hands, 58, 1)
    assert not read(pace, hands, 1, 1)
    assert [read(pace, hands, 29, 1) for _ in range(3)] == [False, False, True]


def test_the_time_between_two_reads_is_the_readers_own():
    hands = Hands()
    pace = Pace(hands)
    for _ in range(100):
        hands.now += 100
        assert not read(pace, hands, 0.1, 1)


@pytest.fixture
def served():
    """A server that sends some bytes to whoever asks, and then nothing, without hanging up."""
    taken = []

    def serve(answer):
        listening = socket.create_server(("127.0.0.1", 0))
        taken.append(listening)

        def loop():
            try:
                while True:
                    taken.append(listening.accept()[0])
                    taken[-1].recv(65536)
                    taken[-1].sendall(answer)
            except OSError:
                return

        threading.Thread(target=loop, daemon=True).start()
        return f"http://127.0.0.1:{listening.getsockname()[1]}/f"

    yield serve
    for each in taken:
        each.close()


def test_a_body_that_trickles_is_left(served):
    ticks = itertools.count(0, 61)
    http = Http(tries=1, clock=lambda: next(ticks), timeout=20)
    url = served(b'HTTP/1.1 200 OK\r\nContent-Length: 100000\r\nETag: "a"\r\n\r\n0123456789')
    with pytest.raises(FetchError, match=r"in 1 tries \(it sends less than a kilobyte a second, .*: check the network"):
        http.get(url, limit=100_000)
    http.close()


def test_a_short_file_that_is_there_is_not_too_slow(server):
    ticks = itertools.count(0, 1000)
    http = Http(clock=lambda: next(ticks))
    assert http.get(server.put("/f", b"x"), limit=9) == b"x"
    http.close()


@pytest.mark.parametrize("start", [b"", b"HTTP/1.1 200 OK\r\nX-Slow: a"])
def test_headers_that_do_not_come_to_an_end_are_left(served, start):
    """Although silence would be borne for another 20 seconds."""
    http = Http(tries=2, sleep=lambda _: None, timeout=20, deadline=0.05)
    with pytest.raises(FetchError, match=r"in 2 tries \((ConnectionError|ReadTimeout) from "):
        http.get(served(start), limit=9)
    http.close()
