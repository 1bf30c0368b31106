"""A long archive that is read from its front survives the process that reads it."""

import errno
import json
import os
import random

import pytest

from sobench_metrics.data.fetch.errors import FetchError
from sobench_metrics.data.fetch.http import Changed
from sobench_metrics.data.fetch.spool import SPOOL_SUFFIX, SpooledStream
from sobench_metrics.errors import UsageError
from tests.engines.hostile_server import Fault

DATA = random.Random(5).randbytes(1_000_000)


def read_part(stream, count):
    got = bytearray()
    while len(got) < count and (piece := stream.read(count - len(got))):
        got += piece
    return bytes(got)


def abandon(http, url, file, count):
    """Read so far and be killed: nothing is closed in an orderly way, only what was written stands."""
    stream = SpooledStream(http, url, file)
    got = read_part(stream, count)
    stream._download.close()
    return got


@pytest.fixture
def file(tmp_path):
    return tmp_path / "cache" / "a.tgz"


@pytest.fixture
def copy(file):
    return file.with_name("a.tgz" + SPOOL_SUFFIX)


def test_the_stream_gives_the_file_and_keeps_it(server, http, file, copy):
    with SpooledStream(http, server.put("/a", DATA), file) as stream:
        assert stream.read() == DATA
        assert stream.read(10) == b""
    assert copy.read_bytes() == DATA


def test_a_killed_reader_is_continued_with_the_rest_only(server, http, file, copy):
    url = server.put("/a", DATA)
    assert abandon(http, url, file, 400_000) == DATA[:400_000]
    kept = copy.stat().st_size
    assert 400_000 <= kept < 500_000
    server.forget()
    before = http.traffic.bytes

    with SpooledStream(http, url, file) as stream:
        assert stream.restarted == ""
        assert stream.read() == DATA

    assert server.ranges("/a") == ["bytes=0-0", f"bytes={kept}-"]
    assert server.asked[1].headers["If-Range"] == server._content["/a"].headers["ETag"]
    assert http.traffic.bytes - before == len(DATA) - kept + 1
    assert copy.read_bytes() == DATA


def test_killed_at_any_byte_it_ends_with_the_same_file(server, http, file, copy):
    """Ten kills, each at another length of the copy, also before the first byte and in the middle of a piece."""
    url = server.put("/a", DATA)
    for kept in (0, 1, 99_999, 262_144, 300_001, 500_000, 777_777, 900_000, 999_999, 1_000_000):
        abandon(http, url, file, kept + 1)
        with copy.open("r+b") as torn:
            torn.truncate(min(kept, copy.stat().st_size))
    with SpooledStream(http, url, file) as stream:
        assert stream.read() == DATA


@pytest.mark.parametrize("kept", [0, 400_000, len(DATA)])
def test_with_a_pin_no_byte_of_another_version_is_given(server, http, file, copy, kept):
    url = server.put("/a", DATA)
    pin = http.probe(url)
    if kept:
        abandon(http, url, file, kept)
    server.put("/a", DATA[::-1])
    later = http.probe(url)
    with SpooledStream(http, url, file, pin=later) as stream:
        assert ("is another file than last time" in stream.restarted) == (kept > 0)
        assert stream.read() == DATA[::-1]
    server.forget()
    with SpooledStream(http, url, file, pin=later) as stream:
        assert stream.read() == DATA[::-1]
    assert server.asked == []
    with SpooledStream(http, url, file, pin=pin) as stream, pytest.raises(Changed):
        stream.read()
    assert not copy.exists()


def test_a_whole_copy_needs_no_server(server, http, file):
    url = server.put("/a", DATA)
    with SpooledStream(http, url, file) as stream:
        stream.read()
    server.always("/a", Fault(status=500))
    server.forget()
    with SpooledStream(http, url, file) as stream:
        assert stream.read() == DATA
    assert server.asked == []


def test_a_file_that_changed_between_two_runs_is_started_over_and_that_is_said(server, http, file, copy):
    url = server.put("/a", DATA)
    abandon(http, url, file, 400_000)
    server.put("/a", DATA[::-1])
    with SpooledStream(http, url, file) as stream:
        assert "is another file than last time" in stream.restarted
        assert stream.read() == DATA[::-1]
    assert copy.read_bytes() == DATA[::-1]


def test_a_file_that_changes_while_the_copy_is_read_is_told_and_the_copy_dropped(server, http, file, copy):
    url = server.put("/a", DATA)
    abandon(http, url, file, 400_000)
    with SpooledStream(http, url, file) as stream:
        assert read_part(stream, 100_000) == DATA[:100_000]
        server.put("/a", DATA[::-1])
        with pytest.raises(Changed, match="repeat the command"):
            stream.read()
    assert not copy.exists()
    with SpooledStream(http, url, file) as stream:
        assert stream.read() == DATA[::-1]


def test_a_copy_that_is_of_another_address_or_has_lost_its_note_is_not_used(server, http, file, copy):
    abandon(http, server.put("/other", DATA[::-1]), file, 400_000)
    url = server.put("/a", DATA, ETag=server._content["/other"].headers["ETag"])
    with SpooledStream(http, url, file) as stream:
        assert read_part(stream, 10) == DATA[:10]

    copy.with_name(copy.name + ".json").write_text("{")
    copy.write_bytes(b"rubbish")
    with SpooledStream(http, url, file) as stream:
        assert stream.read() == DATA


def test_a_copy_longer_than_the_file_is_not_used(server, http, file, copy):
    url = server.put("/a", DATA)
    abandon(http, url, file, 10)
    copy.write_bytes(DATA + b"more")
    with SpooledStream(http, url, file) as stream:
        assert stream.read() == DATA


def test_without_a_version_a_copy_is_not_gone_on_with(server, http, file, copy):
    url = server.put("/a", DATA, ETag=None)
    abandon(http, url, file, 400_000)
    assert json.loads(copy.with_name(copy.name + ".json").read_text())["etag"] == ""
    server.forget()
    with SpooledStream(http, url, file) as stream:
        assert stream.read() == DATA
    assert server.ranges("/a") == [None]


def test_a_discarded_copy_is_gone(server, http, file):
    with SpooledStream(http, server.put("/a", DATA), file) as stream:
        stream.read()
        stream.discard()
    assert list(file.parent.iterdir()) == []


def test_a_full_disk_is_told_and_nothing_is_lost(server, http, file, copy, monkeypatch):
    url = server.put("/a", DATA)
    stream = SpooledStream(http, url, file)
    read_part(stream, 300_000)
    kept = copy.stat().st_size

    def full(_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(stream, "_append", full)
    with pytest.raises(UsageError, match="is full: free at least 1 MB and repeat the command"):
        stream.read()
    stream.close()
    assert copy.read_bytes() == DATA[:kept]
    with SpooledStream(http, url, file) as again:
        assert again.read() == DATA


def test_a_file_on_this_disk_is_read_where_it_lies(http, tmp_path, file):
    own = tmp_path / "own.tgz"
    own.write_bytes(DATA)
    with SpooledStream(http, own, file) as stream:
        assert stream.read(10) == DATA[:10]
        assert stream.read() == DATA[10:]
        stream.discard()
    assert own.read_bytes() == DATA
    assert not file.parent.exists()
    assert http.traffic.requests == 0


def test_a_file_that_is_not_there_is_told(http, tmp_path, file):
    with pytest.raises(FetchError, match=r"cannot be read .*--local-archive"):
        SpooledStream(http, tmp_path / "none", file)
