"""A file read over the network is the same file, whatever the order of reads."""

import io
import os
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sobench_metrics.data.fetch.errors import FetchError
from sobench_metrics.data.fetch.http import Changed, Http
from sobench_metrics.data.fetch.open_file import LocalFile
from sobench_metrics.data.fetch.zip_members import concatenated
from tests.engines.hostile_server import Fault, HostileServer

DATA = random.Random(3).randbytes(5000)
BORDERS = [0, 1, 99, 100, 1199, 1200, 1201, 4000, 4999, 5000, 6000]  # of blocks, of parts, of the file
SPOTS = st.one_of(st.sampled_from(BORDERS), st.integers(-6000, 6000))
COUNTS = st.one_of(st.sampled_from([0, 1, 2, 100, 3000]), st.integers(0, 6000))
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("seek"), SPOTS, st.sampled_from([os.SEEK_SET, os.SEEK_CUR, os.SEEK_END])),
        st.tuples(st.just("read"), st.one_of(st.none(), st.just(-1), COUNTS)),
        st.tuples(st.just("readinto"), st.integers(0, 300)),
        st.tuples(st.just("at"), SPOTS.map(abs), COUNTS, st.booleans()),
    ),
    max_size=12,
)


@pytest.fixture(scope="module")
def steady():
    """One server and one client for all examples."""
    with HostileServer() as server:
        server.put("/whole", DATA)
        for number, (start, stop) in enumerate([(0, 1200), (1200, 1200), (1200, 1201), (1201, 4000), (4000, 5000)]):
            server.put(f"/part{number}", DATA[start:stop])
        client = Http()
        yield server, client
        client.close()


@pytest.mark.parametrize("kind", ["remote", "parts", "local"])
@given(steps=STEPS, block=st.sampled_from([1, 7, 100, 4999, 9000]))
def test_seeks_and_reads_give_what_a_file_in_memory_gives(steady, tmp_path_factory, kind, steps, block):
    server, http = steady
    if kind == "remote":
        file = http.open(f"{server.url}/whole", block=block)
    elif kind == "parts":
        file = concatenated([http.open(f"{server.url}/part{number}", block=block) for number in range(5)])
    else:
        path = tmp_path_factory.getbasetemp() / "whole"
        path.write_bytes(DATA)
        file = LocalFile(path)
    with file, io.BytesIO(DATA) as model:
        assert file.size == len(DATA)
        for action, *args in steps:
            if action == "at":
                start, count, alone = args
                assert (file.piece_at if alone else file.read_at)(start, count) == DATA[start : start + count]
            elif action == "readinto":
                ours, theirs = bytearray(args[0]), bytearray(args[0])
                assert file.readinto(ours) == model.readinto(theirs)
                assert ours == theirs
            elif (
                action == "seek"
                and {os.SEEK_SET: 0, os.SEEK_CUR: model.tell(), os.SEEK_END: len(DATA)}[args[1]] + args[0] < 0
            ):
                with pytest.raises(ValueError, match="cannot seek"):
                    file.seek(*args)
            else:
                assert getattr(file, action)(*args) == getattr(model, action)(*args)
            assert file.tell() == model.tell()


def test_small_reads_share_a_request_and_the_tail_comes_whole(server, http):
    file = http.open(server.put("/f", DATA), block=1000)
    file.seek(-22, os.SEEK_END)
    assert file.read(22) == DATA[-22:]
    file.seek(-900, os.SEEK_END)
    assert file.read(100) == DATA[-900:-800]
    assert server.ranges("/f") == ["bytes=0-0", "bytes=4000-4999"]


def test_reads_that_follow_one_another_ask_for_more_each_time(server, http):
    file = http.open(server.put("/f", DATA), block=100)
    assert b"".join(iter(lambda: file.read(50), b"")) == DATA
    assert server.ranges("/f")[1:4] == ["bytes=0-99", "bytes=100-299", "bytes=300-699"]
    assert server.moved["/f"] == len(DATA) + 1


def test_a_piece_alone_moves_no_byte_more(server, http):
    file = http.open(server.put("/f", DATA))
    assert file.piece_at(1000, 10) == DATA[1000:1010]
    assert server.ranges("/f")[1:] == ["bytes=1000-1009"]


def test_a_file_of_known_size_costs_no_request_to_open(server, http):
    file = http.open(server.put("/f", DATA), size=len(DATA), tag="commit-hash")
    assert (file.tag, file.etag, server.requests("/f")) == ("commit-hash", "", 0)
    assert file.read(3) == DATA[:3]
    assert file.etag == server._content["/f"].headers["ETag"]


@pytest.mark.parametrize("read", ["read_at", "piece_at"])
def test_a_file_that_changes_after_it_was_opened_is_not_mixed(server, http, read):
    file = http.open(server.put("/f", DATA), block=10)
    getattr(file, read)(0, 100)
    server.put("/f", DATA[::-1])
    with pytest.raises(Changed):
        getattr(file, read)(2000, 100)


def test_a_size_other_than_the_listed_one_is_told(server, http):
    with pytest.raises(Changed):
        http.open(server.put("/f", DATA), size=len(DATA) - 1).read(10)


def test_a_cut_in_a_range_asks_for_the_rest_of_the_range_only(server, http):
    file = http.open(server.put("/f", DATA))
    server.then("/f", Fault(cut=300))
    assert file.piece_at(100, 1000) == DATA[100:1100]
    assert server.ranges("/f")[1:] == ["bytes=100-1099", "bytes=400-1099"]


def test_a_local_file_that_is_not_there_is_told(tmp_path):
    with pytest.raises(FetchError, match=r"nowhere cannot be read .*: check the path"):
        LocalFile(tmp_path / "nowhere")


def test_a_closed_file_is_not_read(server, http):
    file = http.open(server.put("/f", DATA))
    file.close()
    with pytest.raises(ValueError, match="closed"):
        file.read(1)
