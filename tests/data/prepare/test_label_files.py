"""Label files out of archives that were made to do harm, and out of folders that systems left their marks in."""

import io
import stat
import struct
import zipfile

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


@pytest.mark.parametrize("compression", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
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
    monkeypatch.setattr(zipfile.ZipFile, "open", lambda *_: pytest.fail("inflated"))
    assert len(bomb) < 100_000
    with pytest.raises(UsageError, match="larger than any label"):
        list(label_files(bomb))


def test_a_member_that_lies_about_its_size_gives_no_more_than_it_says():
    """The size in both headers says 10 bytes, the stream holds a million: what comes out fails its checksum."""
    honest = zipped([("labels/a.json", b"\0" * 1_000_000)])
    lie = honest.replace(struct.pack("<I", 1_000_000), struct.pack("<I", 10))
    assert lie != honest
    with pytest.raises(UsageError, match="damaged"):
        list(label_files(lie))


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
def test_a_cut_archive_is_damaged(cut):
    with pytest.raises(UsageError, match="damaged"):
        list(label_files(zipped([("labels/a.json", b"{}" * 100)])[:cut]))


def test_a_changed_byte_is_noticed():
    data = bytearray(zipped([("labels/a.json", b'{"answer": 41}')], zipfile.ZIP_STORED))
    place = data.index(b"41")
    data[place] += 1
    with pytest.raises(UsageError, match="damaged"):
        list(label_files(bytes(data)))
