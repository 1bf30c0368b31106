"""Members of a compressed tar as it streams by; and tars made to harm."""

import gzip
import io
import random
import tarfile

import pytest

from sobench_metrics.data.fetch.errors import FetchError, Refused
from sobench_metrics.data.fetch.http import Http
from sobench_metrics.data.fetch.spool import SpooledStream
from sobench_metrics.data.fetch.tar_stream import members_of
from sobench_metrics.errors import UsageError
from tests.engines.hostile_server import Fault

LIMIT = 1 << 20


def picture(number, size=10_000):
    return random.Random(number).randbytes(size)


def entry(name, data=b"", kind=tarfile.REGTYPE, link=""):
    info = tarfile.TarInfo(name)
    info.size, info.type, info.linkname = len(data), kind, link
    return info, data


def tarred(entries, level=1):
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz", compresslevel=level) as archive:
        for info, data in entries:
            archive.addfile(info, io.BytesIO(data))
    return buffer.getvalue()


def read(data, *wanted, limit=LIMIT):
    return dict(members_of(io.BytesIO(data), set(wanted), limit=limit))


@pytest.fixture(scope="module")
def large():
    """200 pictures, 2 MB."""
    return tarred(entry(f"./images/{number}.jpg", picture(number)) for number in range(200))


def test_wanted_members_are_found_with_or_without_the_leading_dot():
    data = tarred([entry("./a/1.jpg", b"1"), entry("a/2.jpg", b"2"), entry("a/3.jpg", b"3")])
    assert read(data, "a/1.jpg", "a/2.jpg", "a/none.jpg") == {"a/1.jpg": b"1", "a/2.jpg": b"2"}


def test_long_names_and_empty_files_are_read():
    long = "/".join(["n" * 90] * 3) + ".jpg"
    data = tarred([entry(long, b"long"), entry("empty.jpg")])
    assert read(data, long, "empty.jpg") == {long: b"long", "empty.jpg": b""}


def test_three_cuts_change_nothing(server, http, large, tmp_path):
    url = server.put("/a.tgz", large)
    server.then("/a.tgz", Fault(cut=700_000), Fault(cut=300_000), Fault(cut=5))
    with SpooledStream(http, url, tmp_path / "a.tgz") as stream:
        got = dict(members_of(stream, {"images/3.jpg", "images/100.jpg", "images/199.jpg"}, limit=LIMIT))
    assert got == {f"images/{number}.jpg": picture(number) for number in (3, 100, 199)}
    assert server.requests("/a.tgz") == 4
    assert server.moved["/a.tgz"] == len(large)


def test_the_stream_is_left_when_all_is_found(server, http, large, tmp_path):
    url = server.put("/a.tgz", large)
    with SpooledStream(http, url, tmp_path / "a.tgz") as stream:
        got = dict(members_of(stream, {"images/3.jpg", "images/20.jpg"}, limit=LIMIT))
        assert len(got) == 2
    assert http.traffic.bytes < 0.2 * len(large)


def test_the_reader_may_stop_at_any_member(large):
    stream = members_of(io.BytesIO(large), {"images/3.jpg", "images/199.jpg"}, limit=LIMIT)
    assert next(stream)[0] == "images/3.jpg"
    stream.close()


@pytest.mark.parametrize("cut", [5, 3_000, 1_000_000, -9, -1])
def test_a_truncated_archive_is_told(large, cut):
    with pytest.raises(FetchError, match=r"damaged or truncated \(it ends in the middle\)"):
        read(large[:cut], "images/199.jpg", "none")


def test_what_was_found_before_the_damage_was_handed_out(large):
    stream, got = members_of(io.BytesIO(large[:1_000_000]), {"images/3.jpg", "images/199.jpg"}, limit=LIMIT), []
    got.append(next(stream))
    with pytest.raises(FetchError):
        next(stream)
    assert got == [("images/3.jpg", picture(3))]


def test_a_damaged_archive_is_told_even_when_its_tar_looks_whole(large):
    for place in (1_000_000, len(large) - 6):  # in the data, and in the checksum
        data = bytearray(large)
        data[place] ^= 0x55
        with pytest.raises(FetchError, match="damaged"):
            read(bytes(data), "images/199.jpg", "none")


def test_what_is_no_gzip_or_no_tar_is_told():
    for data in (b"", b"<html>no</html>", gzip.compress(b"no tar" * 999)):
        with pytest.raises(FetchError, match="damaged or truncated"):
            read(data, "a.jpg")


def test_gzip_of_several_members_and_padding_is_read_on():
    plain = gzip.decompress(tarred([entry("a.jpg", picture(1)), entry("b.jpg", picture(2))]))
    data = gzip.compress(plain[:9_999]) + gzip.compress(plain[9_999:]) + bytes(100_000)
    assert read(data, "a.jpg", "b.jpg", "none") == {"a.jpg": picture(1), "b.jpg": picture(2)}


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE, tarfile.DIRTYPE])
def test_a_wanted_member_that_is_no_plain_file_is_refused(kind):
    data = tarred([entry("a.jpg", kind=kind, link="/etc/passwd")])
    with pytest.raises(Refused, match="is no plain file"):
        read(data, "a.jpg")


@pytest.mark.parametrize("name", ["/etc/passwd", "../evil.jpg", "a/../../evil.jpg", "C:/evil.jpg"])
def test_a_member_named_like_another_place_is_refused_or_passed_by(name):
    data = tarred([entry(name, b"evil"), entry("good.jpg", b"good")])
    assert read(data, "good.jpg") == {"good.jpg": b"good"}
    with pytest.raises(Refused, match="is not used as a file name"):
        read(data, name)


def test_a_member_larger_than_allowed_is_refused():
    data = tarred([entry("a.jpg", picture(1))])
    with pytest.raises(Refused, match="has 10000 bytes, more than the 9999"):
        read(data, "a.jpg", limit=9_999)


class Counting(io.BytesIO):
    """Counts what is taken from it."""

    taken = 0

    def read(self, count=-1):
        data = super().read(count)
        self.taken += len(data)
        return data


def test_a_bomb_among_the_other_members_is_refused_in_time():
    stream = Counting(tarred([entry("bomb", bytes(200 << 20)), entry("a.jpg", b"1")], level=9))
    with pytest.raises(Refused, match="the archive inflates from"):
        dict(members_of(stream, {"a.jpg"}, limit=LIMIT))
    assert stream.taken < 0.6 * len(stream.getvalue())


def test_a_header_that_would_fill_the_memory_is_refused():
    info = tarfile.TarInfo("././@LongLink")
    info.type, info.size = tarfile.GNUTYPE_LONGNAME, 40 << 20
    data = gzip.compress(info.tobuf(tarfile.GNU_FORMAT) + b"n" * (40 << 20), 1)
    with pytest.raises(Refused, match="header of 41943040 bytes"):
        read(data, "a.jpg")


def pax(records, kind=tarfile.XHDTYPE):
    return tarfile.TarInfo._create_pax_generic_header(records, kind, "utf-8")


def sparse_map(size):
    """A member of one byte of content behind a map of `size` bytes, in each of the ways that there are."""
    numbers = (b"1\n" * size)[:size]
    entries = size // 2
    old = tarfile.TarInfo("q.jpg")
    old.type = tarfile.GNUTYPE_SPARSE
    block = bytearray(old.tobuf(tarfile.GNU_FORMAT))
    block[482] = 1  # more of the map follows
    block[148:156] = b"%06o\0 " % (sum(block[:148]) + 8 * 32 + sum(block[156:]))
    more = (b"00000000001\0" * 42 + b"\1").ljust(512, b"\0")
    plain = tarfile.TarInfo("q.jpg")
    plain.size = size
    return {
        "old GNU": bytes(block) + more * (size // 512),
        "0.0": pax({"GNU.sparse.size": "1", "GNU.sparse.offset": "1", "GNU.sparse.numbytes": "0"}) + plain.tobuf(),
        "0.1": pax({"GNU.sparse.map": "1,0,1,0", "GNU.sparse.size": "1"}) + plain.tobuf(),
        "1.0": pax({"GNU.sparse.major": "1", "GNU.sparse.minor": "0"}) + plain.tobuf() + b"%d\n" % entries + numbers,
        "1.0, told for all": pax({"GNU.sparse.major": "1", "GNU.sparse.minor": "0"}, tarfile.XGLTYPE)
        + pax({"comment": "x"})
        + plain.tobuf()
        + b"%d\n" % entries
        + numbers,
    }


@pytest.mark.parametrize("kind", ["old GNU", "0.0", "0.1", "1.0", "1.0, told for all"])
def test_the_map_of_a_sparse_file_is_never_read(kind):
    """The library would hold it as a list of numbers: some hundred bytes of memory for each byte of the archive."""
    packed = Discardable(gzip.compress(sparse_map(30 << 20)[kind], 1))
    with pytest.raises(Refused, match="holds a sparse file"):
        read_from(packed, "a.jpg")
    assert packed.taken <= 2 << 16
    assert packed.discarded


class Discardable(Counting):
    discarded = False

    def discard(self):
        self.discarded = True


def read_from(stream, *wanted):
    return dict(members_of(stream, set(wanted), limit=LIMIT))


@pytest.mark.parametrize("kind", [tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.GNUTYPE_LONGNAME])
def test_headers_for_headers_are_refused_before_the_stack_ends(kind):
    name = tarfile.TarInfo("././@LongLink")
    name.type, name.size = kind, 5
    one = name.tobuf(tarfile.GNU_FORMAT) + b"long\0".ljust(512, b"\0")
    packed = Discardable(gzip.compress((one if kind == tarfile.GNUTYPE_LONGNAME else pax({"a": "b"}, kind)) * 5_000))
    with pytest.raises(Refused, match="over 16 headers for one member"):
        read_from(packed, "a.jpg")
    assert packed.discarded


def test_headers_for_all_members_have_a_bound_together():
    records = (pax({f"key{number}": "x" * 30_000}, tarfile.XGLTYPE) for number in range(4))
    data = b"".join(record + tarfile.TarInfo("q.jpg").tobuf() for record in records)
    with pytest.raises(Refused, match=r"header of (6|9)\d{4} bytes"):
        read(gzip.compress(data), "a.jpg")


def test_a_number_that_no_header_has_is_told_as_damage():
    """The library raises a ValueError for a number of so many digits, in Pythons that bound them."""
    info = tarfile.TarInfo("x")
    info.type, body = tarfile.XHDTYPE, b"9" * 5_000 + b" key=value\n"
    info.size = len(body)
    data = info.tobuf() + body.ljust(512 * 10, b"\0") + tarfile.TarInfo("q.jpg").tobuf()
    with pytest.raises(FetchError, match="damaged"):
        read(gzip.compress(data), "a.jpg")


def test_a_server_that_never_gets_on_ends_the_stream_with_a_sentence(server, large, tmp_path):
    url = server.put("/a.tgz", large)
    server.always("/a.tgz", Fault(cut=100))
    http = Http(sleep=lambda _: None, tries=3)
    with SpooledStream(http, url, tmp_path / "a.tgz") as stream, pytest.raises(FetchError, match="in 3 tries"):
        dict(members_of(stream, {"images/3.jpg"}, limit=LIMIT))
    http.close()


def test_a_damaged_copy_is_dropped_so_that_the_next_run_fetches_it_afresh(server, http, large, tmp_path):
    url = server.put("/a.tgz", large)
    for place in (len(large) // 2, 0):
        with SpooledStream(http, url, tmp_path / "a.tgz") as stream:
            stream.read()
        (copy,) = tmp_path.glob("*.spool")
        data = bytearray(copy.read_bytes())
        data[place] ^= 0x55
        copy.write_bytes(data)
        with SpooledStream(http, url, tmp_path / "a.tgz") as stream, pytest.raises(FetchError, match="damaged"):
            dict(members_of(stream, {"images/199.jpg", "none"}, limit=LIMIT))
        assert list(tmp_path.iterdir()) == []
    with SpooledStream(http, url, tmp_path / "a.tgz") as stream:
        assert dict(members_of(stream, {"images/199.jpg"}, limit=LIMIT)) == {"images/199.jpg": picture(199)}


def test_a_full_disk_is_told_as_such_and_not_as_a_damaged_archive():
    class Full:
        def read(self, count):
            raise UsageError("the disk is full")

    with pytest.raises(UsageError, match="the disk is full"):
        dict(members_of(Full(), {"a.jpg"}, limit=LIMIT))
