"""Originals are there whole or not at all, and a full disk is told in one sentence."""

import errno
import os
import threading
from pathlib import Path

import pytest

from sobench_metrics.data.fetch.errors import Refused
from sobench_metrics.data.fetch.store import OriginalStore
from sobench_metrics.errors import UsageError


def files(folder):
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def test_what_was_put_is_read_back(tmp_path):
    store = OriginalStore(tmp_path / "raw")
    assert not store.has("images/1.jpg")
    store.put("images/1.jpg", b"one")
    store.put("images/1.jpg", b"two")
    assert store.has("images/1.jpg")
    assert store.read("images/1.jpg") == b"two"
    assert files(tmp_path) == ["raw/images/1.jpg"]


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
