"""Originals are there whole or not at all, and a full disk is told in one sentence."""

import errno
import os
import re
import threading
import unicodedata
from pathlib import Path

import pytest

from sobench_metrics.data.fetch.errors import Refused
from sobench_metrics.data.fetch.store import OriginalStore
from sobench_metrics.errors import UsageError


def files(folder):
    """What lies in a folder, without the hashes behind the names."""
    found = (path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    return sorted(re.sub(r"~[0-9a-f]{12}(?=\.)", "", name) for name in found)


def test_what_was_put_is_read_back(tmp_path):
    store = OriginalStore(tmp_path / "raw")
    assert not store.has("images/1.jpg")
    store.put("images/1.jpg", b"one")
    store.put("images/1.jpg", b"two")
    assert store.has("images/1.jpg")
    assert store.read("images/1.jpg") == b"two"
    assert files(tmp_path) == ["raw/images/1.jpg"]


@pytest.mark.parametrize(
    "names",
    [
        ("a/P1.jpg", "a/p1.JPG", "A/p1.jpg"),
        ("caf\u00e9.png", "cafe\u0301.png"),
        ("STRASSE.png", "stra\u00dfe.png"),
        ("n" * 196 + ".jpg", "N" * 196 + ".jpg"),
        ("1", "1~6b86b273ff34"),
    ],
)
def test_names_that_a_disk_might_take_for_one_have_a_file_each(tmp_path, names):
    """Whatever disk the tests run on: the files' names differ as such disks compare them."""
    store = OriginalStore(tmp_path)
    for name in names:
        store.put(name, name.encode())
    for name in names:
        assert store.read(name) == name.encode()
    paths = (path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file())
    assert len({unicodedata.normalize("NFD", path).casefold() for path in paths}) == len(names)
    store.drop(names[0])
    assert [store.has(name) for name in names] == [False] + [True] * (len(names) - 1)


def test_an_empty_file_is_no_original(tmp_path):
    store = OriginalStore(tmp_path)
    store.put("1.jpg", b"")
    assert not store.has("1.jpg")


def test_nothing_is_read_or_written_through_a_link(tmp_path):
    store = OriginalStore(tmp_path / "raw")
    store.put("1.jpg", b"one")
    (place,) = (tmp_path / "raw").iterdir()
    place.rename(tmp_path / "elsewhere")
    place.symlink_to(tmp_path / "elsewhere")
    for use in (store.has, store.read, store.drop, lambda name: store.put(name, b"two")):
        with pytest.raises(Refused, match="is a symbolic link"):
            use("1.jpg")
    assert (tmp_path / "elsewhere").read_bytes() == b"one"


def test_nothing_is_written_outside(tmp_path):
    (tmp_path / "raw").mkdir()
    (tmp_path / "other").mkdir()
    (tmp_path / "raw" / "images").symlink_to(tmp_path / "other")
    store = OriginalStore(tmp_path / "raw")
    for name in ("../evil.jpg", "/evil.jpg", "images/evil.jpg", "a/../../evil.jpg"):
        with pytest.raises(Refused):
            store.put(name, b"evil")
    assert files(tmp_path) == []


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EDQUOT])
def test_a_full_disk_says_how_much_to_free_and_keeps_what_was_there(tmp_path, monkeypatch, code):
    store = OriginalStore(tmp_path)
    store.put("1.jpg", b"old")

    def half(path, data):
        with path.open("wb") as file:
            file.write(data[: len(data) // 2])
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(Path, "write_bytes", half)
    with pytest.raises(UsageError, match="is full: free at least 3 MB and repeat the command; nothing is lost"):
        store.put("1.jpg", b"x" * 2_500_000)
    assert store.read("1.jpg") == b"old"
    assert files(tmp_path) == ["1.jpg"]


def test_another_fault_of_the_disk_is_not_called_a_full_one(tmp_path, monkeypatch):
    monkeypatch.setattr(Path, "write_bytes", lambda *_: (_ for _ in ()).throw(PermissionError(errno.EACCES, "no")))
    with pytest.raises(PermissionError):
        OriginalStore(tmp_path).put("1.jpg", b"x")


def test_what_a_killed_writer_left_is_swept_and_nothing_else(tmp_path):
    store = OriginalStore(tmp_path)
    store.put("a/1.jpg", b"one")
    (tmp_path / "a" / "2.jpg.tmp-77-0badcafe").write_bytes(b"ha")
    assert not store.has("a/2.jpg")
    store.sweep()
    assert files(tmp_path) == ["a/1.jpg"]


def test_many_threads_that_put_the_same_file_leave_one_whole_one(tmp_path):
    store, contents = OriginalStore(tmp_path), [bytes([number]) * 50_000 for number in range(8)]
    threads = [threading.Thread(target=store.put, args=("deep/er/1.jpg", data)) for data in contents]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert store.read("deep/er/1.jpg") in contents
    assert files(tmp_path) == ["deep/er/1.jpg"]
