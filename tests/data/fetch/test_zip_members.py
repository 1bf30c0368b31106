"""Members of a zip that stays on its server; and zips made to harm."""

import io
import random
import struct
import zipfile

import pytest

from sobench_metrics.data.fetch.errors import FetchError, Refused
from sobench_metrics.data.fetch.open_file import BytesFile, OpenFile
from sobench_metrics.data.fetch.zip_members import concatenated, members, open_zip, read_member
from tests.engines.hostile_server import Fault

LIMIT = 1 << 20


def in_memory(data, tag=""):
    return BytesFile("memory.zip", data, tag)


def picture(number, size=20_000):
    return random.Random(number).randbytes(size)


def zipped(entries, method=zipfile.ZIP_DEFLATED, comment=b""):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, data in entries:
            archive.writestr(name, data)
        archive.comment = comment
    return buffer.getvalue()


@pytest.fixture(scope="module")
def large():
    """300 pictures, 6 MB: a directory of some 20 kB."""
    return zipped((f"images/{number:03}.png", picture(number)) for number in range(300))


def test_a_few_members_move_a_small_share_of_the_archive(server, http, large):
    archive = open_zip(http.open(server.put("/a.zip", large)), directory_cache=None)
    for number in (0, 77, 150, 222, 299):
        assert read_member(archive, f"images/{number:03}.png", limit=LIMIT) == picture(number)
    assert server.requests("/a.zip") == 6  # version, directory, one a member but the last, which lies beside it
    assert server.moved["/a.zip"] < 0.03 * len(large)


def test_members_are_listed_with_sizes_and_without_folders():
    data = zipped([("images/", b""), ("images/b.png", b"bb"), ("images/a.png", b"a")])
    assert members(open_zip(in_memory(data), directory_cache=None)) == {"images/b.png": 2, "images/a.png": 1}


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
@pytest.mark.parametrize("comment", [b"", b"c" * 3000])
def test_stored_and_deflated_members_are_read_with_any_comment(method, comment):
    data = zipped([("a.png", picture(1)), ("empty.png", b""), ("ü.png", b"text " * 100)], method, comment)
    archive = open_zip(in_memory(b"self-extracting prefix" + data), directory_cache=None)
    for name, content in (("a.png", picture(1)), ("empty.png", b""), ("ü.png", b"text " * 100)):
        assert read_member(archive, name, limit=LIMIT) == content


def test_a_long_local_extra_field_costs_one_more_request_and_nothing_else():
    """The local header's extra field may differ from the directory's; the standard library writes both alike."""
    info, buffer = zipfile.ZipInfo("a.png"), io.BytesIO()
    info.extra = struct.pack("<HH", 0x7777, 400) + b"e" * 400
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(info, picture(1))
    opened = open_zip(in_memory(buffer.getvalue()), directory_cache=None)
    opened.directory["a.png"].extra = b""
    assert read_member(opened, "a.png", limit=LIMIT) == picture(1)


def test_a_split_zip_is_read_across_the_borders_of_its_parts(server, http, large):
    with zipfile.ZipFile(io.BytesIO(large)) as archive:
        start = archive.getinfo("images/100.png").header_offset
        directory = archive.start_dir
    cuts = [0, start + 5_000, start + 5_001, directory + 100, len(large)]  # in a member, and in the directory
    parts = [server.put(f"/a.zip.{number:03}", large[cuts[number] : cuts[number + 1]]) for number in range(4)]

    archive = open_zip(concatenated([http.open(part) for part in parts]), directory_cache=None)

    assert len(members(archive)) == 300
    for number in (0, 99, 100, 101, 299):
        assert read_member(archive, f"images/{number:03}.png", limit=LIMIT) == picture(number)
    assert sum(server.moved.values()) < 0.05 * len(large)


def test_the_directory_is_read_once_and_then_from_the_disk(server, http, large, tmp_path):
    url = server.put("/a.zip", large)
    first = open_zip(http.open(url), directory_cache=tmp_path)
    file = http.open(url)
    server.forget()

    again = open_zip(file, directory_cache=tmp_path)

    assert server.asked == []
    assert members(again) == members(first)
    assert read_member(again, "images/299.png", limit=LIMIT) == picture(299)


def test_another_version_or_a_damaged_copy_of_the_directory_is_not_used(tmp_path):
    old, new = zipped([("a.png", b"1")]), zipped([("b.png", b"2")])
    assert len(old) == len(new)
    open_zip(in_memory(old, "v1"), directory_cache=tmp_path)
    assert list(members(open_zip(in_memory(new, "v2"), directory_cache=tmp_path))) == ["b.png"]

    for kept in tmp_path.iterdir():
        kept.write_bytes(kept.read_bytes()[:-1])
    assert list(members(open_zip(in_memory(old, "v1"), directory_cache=tmp_path))) == ["a.png"]


def test_a_file_without_a_version_leaves_no_directory_behind(tmp_path):
    open_zip(in_memory(zipped([("a.png", b"1")])), directory_cache=tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["/etc/passwd", "../../evil.png", "a/../../evil.png", "C:/evil.png", "a\\..\\b.png"])
def test_a_member_named_like_another_place_is_refused(name):
    archive = open_zip(in_memory(zipped([(name, b"evil")])), directory_cache=None)
    with pytest.raises(Refused, match="is not used as a file name"):
        read_member(archive, name, limit=LIMIT)


def test_links_folders_and_encrypted_members_are_refused():
    link, buffer = zipfile.ZipInfo("link.png"), io.BytesIO()
    link.external_attr = 0o120777 << 16
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(link, "/etc/passwd")
        archive.writestr("locked.png", b"x")
        archive.mkdir("folder") if hasattr(archive, "mkdir") else archive.writestr("folder/", b"")
    opened = open_zip(in_memory(buffer.getvalue()), directory_cache=None)
    opened.directory["locked.png"].flag_bits |= 1
    with pytest.raises(Refused, match="is a link or a folder"):
        read_member(opened, "link.png", limit=LIMIT)
    with pytest.raises(Refused, match="is encrypted"):
        read_member(opened, "locked.png", limit=LIMIT)
    with pytest.raises(Refused):
        read_member(opened, "folder/", limit=LIMIT)
    assert "folder/" not in members(opened)


def test_a_member_larger_than_allowed_is_refused():
    archive = open_zip(in_memory(zipped([("a.png", picture(1))])), directory_cache=None)
    with pytest.raises(Refused, match="has 20000 bytes, more than the 19999"):
        read_member(archive, "a.png", limit=19_999)
    assert read_member(archive, "a.png", limit=20_000) == picture(1)


def test_a_bomb_is_refused_by_its_ratio_before_a_byte_is_inflated(server, http):
    file = http.open(server.put("/bomb.zip", zipped([("a.png", bytes(30 << 20))])))
    archive = open_zip(file, directory_cache=None)
    server.forget()
    with pytest.raises(Refused, match=r"would inflate from \d+ to 31457280 bytes"):
        read_member(archive, "a.png", limit=1 << 30)
    assert server.asked == []


def test_a_bomb_that_lies_about_its_size_is_inflated_no_further_than_it_says(monkeypatch):
    from sobench_metrics.data.fetch import zip_members

    archive = open_zip(in_memory(zipped([("a.png", bytes(30 << 20))])), directory_cache=None)
    archive.directory["a.png"].file_size = 1000
    seen, inflate = [], zip_members._inflated
    monkeypatch.setattr(zip_members, "_inflated", lambda *args: seen.append(inflate(*args)) or seen[0])
    with pytest.raises(FetchError, match="damaged"):
        read_member(archive, "a.png", limit=LIMIT)
    assert len(seen[0]) == 1001


def test_a_damaged_member_costs_no_other():
    data = bytearray(zipped([("a.png", picture(1)), ("b.png", picture(2))]))
    data[5_000] ^= 1
    archive = open_zip(in_memory(bytes(data)), directory_cache=None)
    with pytest.raises(FetchError, match=r"a.png in memory.zip is damaged"):
        read_member(archive, "a.png", limit=LIMIT)
    assert read_member(archive, "b.png", limit=LIMIT) == picture(2)


def test_a_directory_that_points_elsewhere_is_told_as_damage():
    archive = open_zip(in_memory(zipped([("a.png", picture(1))])), directory_cache=None)
    for offset in (7, 10**9):
        archive.directory["a.png"].header_offset = offset
        with pytest.raises(FetchError, match="damaged"):
            read_member(archive, "a.png", limit=LIMIT)


def test_an_unknown_compression_and_an_absent_member_are_told():
    archive = open_zip(in_memory(zipped([("a.png", picture(1))], zipfile.ZIP_LZMA)), directory_cache=None)
    with pytest.raises(FetchError, match="compressed by method 14"):
        read_member(archive, "a.png", limit=LIMIT)
    with pytest.raises(FetchError, match=r"there is no b.png in memory.zip"):
        read_member(archive, "b.png", limit=LIMIT)


@pytest.mark.parametrize("data", [b"", b"PK", b"<html>no zip</html>" * 9, zipped([("a.png", b"1" * 99)])[:-30]])
def test_what_is_no_zip_is_told(data, tmp_path):
    with pytest.raises(FetchError, match="is no readable zip file"):
        open_zip(in_memory(data, "v1"), directory_cache=tmp_path)
    assert list(tmp_path.iterdir()) == []


class Vast(OpenFile):
    """A file of nothing with a last page, and how much of it was asked for at once."""

    def __init__(self, size, end):
        super().__init__("vast.zip", size, "v1")
        self.end, self.most = end, 0

    def read_at(self, start, count):
        self.most = max(self.most, count)
        assert count < 1 << 20, "that would go into the memory"
        behind = (bytes(count) + self.end)[max(0, start + count - (self.size - len(self.end))) :]
        return behind[:count]


def end_of_zip(directory, offset):
    """The last pages of a zip64 that promises a directory of so many bytes."""
    record = struct.pack("<4sQHHIIQQQQ", b"PK\6\6", 44, 45, 45, 0, 0, 1, 1, directory, offset)
    locator = struct.pack("<4sIQI", b"PK\6\7", 0, offset + directory, 1)
    return record + locator + struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, 0xFFFF, 0xFFFF, 2**32 - 1, 2**32 - 1, 0)


def test_a_directory_that_would_fill_the_memory_is_not_read(tmp_path):
    end = end_of_zip(9_000_000_000, 900_000)
    file = Vast(9_000_900_000 + len(end), end)
    with pytest.raises(Refused, match=r"vast.zip has a directory of 9000000\d{3} bytes"):
        open_zip(file, directory_cache=tmp_path)
    assert file.most < 1 << 17
    assert list(tmp_path.iterdir()) == []


def test_a_directory_larger_than_the_file_is_told():
    end = end_of_zip(9_000_000_000, 0)
    with pytest.raises(FetchError, match=r"vast\.zip is no readable zip file"):
        open_zip(Vast(900_000 + len(end), end), directory_cache=None)


def test_more_members_than_memory_can_hold_are_refused_before_they_are_listed(monkeypatch):
    from sobench_metrics.data.fetch import zip_members

    data = zipped([(f"{number}.png", b"x") for number in range(12)])
    monkeypatch.setattr(zip_members, "_MOST_MEMBERS", 12)
    assert len(members(open_zip(in_memory(data), directory_cache=None))) == 12
    monkeypatch.setattr(zip_members, "_MOST_MEMBERS", 11)
    with pytest.raises(Refused, match="has over 11 members"):
        open_zip(in_memory(data), directory_cache=None)


def test_cuts_and_busy_servers_in_the_middle_change_nothing(server, http, large):
    url = server.put("/a.zip", large)
    server.then(
        "/a.zip", Fault(status=503), Fault(), Fault(cut=40), Fault(drop=True), Fault(status=429), Fault(), Fault(cut=9)
    )
    archive = open_zip(http.open(url), directory_cache=None)
    assert read_member(archive, "images/123.png", limit=LIMIT) == picture(123)
