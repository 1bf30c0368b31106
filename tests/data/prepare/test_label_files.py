"""Label files out of archives that were made to do harm, and out of folders that systems left their marks in."""

import io
import random
import stat
import struct
import tracemalloc
import zipfile
import zlib

import pytest

from sobench_metrics.data.prepare import label_files as files
from sobench_metrics.data.prepare.label_files import label_files
from sobench_metrics.errors import UsageError


def zipped(members, compression=zipfile.ZIP_DEFLATED):
    stored = io.BytesIO()
    with zipfile.ZipFile(stored, "w", compression) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return stored.getvalue()


JUNK = [
    ("__MACOSX/labels/._a.json", b"\0\5\26\7"), ("labels/._b.json", b"\0"), ("labels/.DS_Store", b"Bud1"),
    ("labels/README.md", b"# read me"), ("labels/", b""), ("labels/deep.json/", b""),
]  # fmt: skip


@pytest.mark.parametrize("compression", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_labels_come_out_and_junk_stays(compression):
    data = zipped([("labels/a.json", b"{1}"), *JUNK, ("b.json", b"{2}")], compression)
    assert list(label_files(data)) == [("labels/a.json", b"{1}"), ("b.json", b"{2}")]


def test_a_folder_gives_what_its_zip_gives(tmp_path):
    for name, data in [("labels/a.json", b"{1}"), *JUNK[:4], ("b.json", b"{2}")]:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(data)
    assert dict(label_files(tmp_path)) == {"labels/a.json": b"{1}", "b.json": b"{2}"}


@pytest.mark.parametrize("name", ["/etc/a.json", "../a.json", "labels/../../a.json"])
def test_names_that_lead_outside_are_refused(name):
    with pytest.raises(UsageError, match="unsafe member"):
        list(label_files(zipped([("labels/a.json", b"{}"), (name, b"{}")])))


def test_a_link_is_refused():
    link = zipfile.ZipInfo("labels/a.json")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with pytest.raises(UsageError, match="unsafe member"):
        list(label_files(zipped([(link, b"/etc/passwd")])))


def test_nothing_is_written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    list(label_files(zipped([("labels/a.json", b"{1}")])))
    assert list(tmp_path.iterdir()) == []


def test_a_large_member_is_refused_before_it_is_inflated(monkeypatch):
    bomb = zipped([("labels/a.json", b"\0" * (16 << 20) + b"\0")])
    monkeypatch.setattr(zlib, "decompressobj", lambda *_: pytest.fail("inflated"))
    assert len(bomb) < 100_000
    with pytest.raises(UsageError, match="larger than any label"):
        list(label_files(bomb))


def test_a_member_that_lies_about_its_size_is_inflated_no_further_than_it_says():
    """The size in both headers says 10 bytes, the stream holds 200 million."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = b"".join(packer.compress(bytes(1 << 20)) for _ in range(200)) + packer.flush()
    data = written(b"labels/a.json", packed, size=10, crc=zlib.crc32(bytes(10)))
    tracemalloc.start()
    with pytest.raises(UsageError, match="damaged"):
        list(label_files(data))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 10 * len(packed)


def written(name, packed, *, size, crc, method=zipfile.ZIP_DEFLATED):
    """A zip of one member whose headers say what they are told to."""
    fields = struct.pack("<HHHHHIIIHH", 20, 0, method, 0, 0, crc, len(packed), size, len(name), 0)
    local = b"PK\3\4" + fields + name + packed
    directory = b"PK\1\2" + struct.pack("<H", 20) + fields + struct.pack("<HHHII", 0, 0, 0, 0, 0) + name
    return local + directory + struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, 1, 1, len(directory), len(local), 0)


@pytest.mark.parametrize("compression", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
@pytest.mark.parametrize("damaged", [False, True])
def test_other_ways_to_compress_are_refused_damaged_or_not(compression, damaged):
    data = bytearray(zipped([("labels/a.json", random.Random(1).randbytes(3000))], compression))
    data[300] ^= 255 if damaged else 0
    with pytest.raises(UsageError, match=r"compressed by method 1[24], .*: give a clean copy with --upstream-dir\.$"):
        list(label_files(bytes(data)))


def test_every_changed_byte_gives_the_labels_or_one_sentence():
    sound = zipped([("labels/a.json", b'{"answer": "forty-one, forty-one"}'), ("b.json", b"{}")])
    for place in range(len(sound)):
        for change in (0x01, 0x80, 0xFF):
            data = bytearray(sound)
            data[place] ^= change
            try:
                list(label_files(bytes(data)))
            except UsageError as error:
                assert str(error).endswith("give a clean copy with --upstream-dir.")  # noqa: PT017 - some pass


def test_many_files_and_many_bytes_are_refused(monkeypatch):
    data = zipped([(f"labels/{number}.json", b"{}") for number in range(12)])
    assert len(list(label_files(data))) == 12
    monkeypatch.setattr(files, "_MAX_TOTAL", 23)
    with pytest.raises(UsageError, match="far more than labels take"):
        list(label_files(data))
    monkeypatch.setattr(files, "_MAX_TOTAL", 24)
    monkeypatch.setattr(files, "_MAX_FILES", 11)
    with pytest.raises(UsageError, match="far more than labels take"):
        list(label_files(data))


def test_junk_counts_towards_the_number_of_files(monkeypatch):
    monkeypatch.setattr(files, "_MAX_FILES", 3)
    with pytest.raises(UsageError, match="far more"):
        list(label_files(zipped([("labels/a.json", b"{}"), *JUNK])))


def test_bounds_of_a_folder(tmp_path, monkeypatch):
    for number in range(3):
        (tmp_path / f"{number}.json").write_bytes(b"{}" * number)
    monkeypatch.setattr(files, "_MAX_FILES", 2)
    with pytest.raises(UsageError, match="far more files"):
        list(label_files(tmp_path))
    monkeypatch.setattr(files, "_MAX_FILES", 3)
    monkeypatch.setattr(files, "_MAX_FILE", 3)
    with pytest.raises(UsageError, match=r"2\.json is larger"):
        list(label_files(tmp_path))


def test_an_encrypted_member_is_refused():
    data = bytearray(zipped([("labels/a.json", b"{}")]))
    for magic, flags in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        data[data.index(magic) + flags] |= 1
    with pytest.raises(UsageError, match="encrypted"):
        list(label_files(bytes(data)))


@pytest.mark.parametrize("cut", [0, 1, 30, -30, -1])
def test_a_cut_archive_is_told(cut):
    with pytest.raises(UsageError, match=r"labels\.zip is no readable zip file .*: give a clean copy"):
        list(label_files(zipped([("labels/a.json", b"{}" * 100)])[:cut]))


def test_a_changed_byte_is_noticed():
    data = bytearray(zipped([("labels/a.json", b'{"answer": 41}')], zipfile.ZIP_STORED))
    place = data.index(b"41")
    data[place] += 1
    with pytest.raises(UsageError, match="damaged"):
        list(label_files(bytes(data)))
