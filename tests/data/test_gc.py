"""`gc` frees what preparation made and no set needs; links, strangers and everything outside the home stay."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from sobench_metrics.data import gc
from sobench_metrics.data.lock import LOCK_NAME, is_locked, locked
from sobench_metrics.data.prepared_sets import size_text
from sobench_metrics.errors import UsageError
from tests.engines import prepared_set
from tests.engines.prepared_set import write_set


def put(path, size=10):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"x" * size)
    return path


@pytest.fixture
def home(tmp_path):
    """A home as a killed run leaves it: two sets, originals, a half-read archive, leftovers."""
    home = tmp_path / "home"
    write_set(home)
    write_set(home, prep_id="set-0002", current=False)
    put(home / LOCK_NAME, 0)
    put(home / "raw/rico/at-123/images/1.jpg", 100)
    put(home / "raw/rico/index/unique_uis.tar.gz.spool", 1000)
    put(home / "raw/webui/at-456/a.png.tmp-77-ab", 10)
    put(home / "raw/.rendered/abc.jpg", 50)
    put(home / "prepared/.building-set-0003/data/ui/test.parquet", 30)
    put(home / "upstream/c0ffee/labels.zip.tmp-1-a", 7)
    put(home / ".missing.json.tmp-xyz", 3)
    return home


def kept(home):
    return {path.relative_to(home).as_posix() for path in home.rglob("*") if path.is_file()}


def test_everything_but_the_sets_is_freed_and_counted(home):
    put(home / "upstream/c0ffee/labels.zip", 5)
    put(home / "missing.json", 5)
    items = gc.plan(home)
    assert {item.kind: 0 for item in items}.keys() == {"originals", "rendered", "leftover"}
    assert sum(item.bytes for item in items) == 100 + 1000 + 10 + 50 + 30 + 7 + 3
    before = kept(home)
    gc.free(items, home)
    gone = {
        "raw/rico/at-123/images/1.jpg", "raw/rico/index/unique_uis.tar.gz.spool", "raw/webui/at-456/a.png.tmp-77-ab",
        "raw/.rendered/abc.jpg", "prepared/.building-set-0003/data/ui/test.parquet", "upstream/c0ffee/labels.zip.tmp-1-a",
        ".missing.json.tmp-xyz",
    }  # fmt: skip
    assert before - kept(home) == gone
    assert gc.plan(home) == ()


def test_other_sets_go_only_when_asked_and_the_current_one_never(home):
    gc.free(gc.plan(home, sets=True), home)
    assert [path.name for path in (home / "prepared").iterdir() if path.is_dir()] == ["set-0001"]
    assert gc.plan(home, sets=True) == ()


def needed(home):
    return {item.path.name: item.needed for item in gc.plan(home) if item.kind == "originals"}


def test_what_the_current_set_lacks_is_needed(home):
    put(home / "raw/docvqa/at-789/new.jpg")
    put(home / "raw/docvqa/index/names.json")
    assert needed(home) == {"rico": False, "webui": False, "docvqa": False}  # the set has all of the three
    members = [doc for doc in prepared_set.docs() if doc.doc_id in {"rico_0000", "docvqa_0000"}]
    write_set(home, members, prep_id="set-0003")
    for file in (home / "raw").rglob("*.*"):
        os.utime(file, (0, 0))
    assert needed(home) == {"rico": True, "webui": True, "docvqa": False}  # half-read; not in the set; in the set
    put(home / "raw/docvqa/index/other.json")
    assert not needed(home)["docvqa"]
    put(home / "raw/docvqa/at-789/newer.jpg")
    os.utime(home / "prepared/set-0003/manifest.json", (0, 0))
    assert needed(home)["docvqa"]
    (home / "prepared/current").unlink()
    assert set(needed(home).values()) == {True}


def test_no_set_goes_while_it_is_unclear_which_one_is_current(home):
    (home / "prepared/current").unlink()
    with pytest.raises(UsageError, match="several sets"):
        gc.plan(home, sets=True)
    (home / "prepared/current").write_text("../../elsewhere\n")
    with pytest.raises(UsageError, match="not there"):
        gc.plan(home, sets=True)
    assert all(item.kind != "set" for item in gc.plan(home))


def test_links_are_left_alone_and_never_followed(home, tmp_path):
    precious = put(tmp_path / "elsewhere/precious.jpg")
    linked = write_set(tmp_path / "another disk", prep_id="set-0009")
    (home / "raw/hiertext").symlink_to(tmp_path / "elsewhere")
    (home / "raw/rico/at-123/link").symlink_to(tmp_path / "elsewhere")
    (home / "prepared/.building-link").symlink_to(tmp_path / "elsewhere")
    (home / "prepared/set-0009").symlink_to(linked)
    (home / "upstream/c0ffee/x.tmp-1").symlink_to(precious)
    gc.free(gc.plan(home, sets=True), home)
    assert precious.exists()
    assert (linked / "manifest.json").exists()
    assert (home / "raw/hiertext").is_symlink()
    assert (home / "prepared/set-0009").is_symlink()
    assert not (home / "raw/rico").exists()


@pytest.mark.parametrize("folder", ["raw", "raw/.rendered", "upstream"])
def test_a_whole_folder_that_was_moved_to_another_disk_stays(home, tmp_path, folder):
    (home / folder).rename(tmp_path / "other-disk")
    (home / folder).symlink_to(tmp_path / "other-disk")
    before = kept(tmp_path / "other-disk")
    gc.free(gc.plan(home, sets=True), home)
    assert kept(tmp_path / "other-disk") == before


def test_a_link_put_in_place_of_a_planned_folder_is_refused(home, tmp_path):
    items = gc.plan(home)
    precious = put(tmp_path / "elsewhere/rico/precious.jpg")
    (home / "raw").rename(tmp_path / "moved")
    (home / "raw").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UsageError, match="left alone"):
        gc.free(items, home)
    assert precious.exists()


def test_what_is_outside_the_home_is_refused(home, tmp_path):
    precious = put(tmp_path / "elsewhere/precious.jpg")
    with pytest.raises(UsageError, match="outside"):
        gc.free((gc.Item("originals", precious.parent, 0, 0),), home)
    with pytest.raises(UsageError, match="outside"):
        gc.free((gc.Item("originals", home.resolve(), 0, 0),), home)
    assert precious.exists()


def test_strangers_in_the_home_stay(home):
    photos = put(home / "raw/my-photos/1.jpg")
    notes = put(home / "notes.tmp-1")
    gc.free(gc.plan(home, sets=True), home)
    assert photos.exists()
    assert notes.exists()


def test_a_folder_that_no_preparation_knows_has_nothing_to_free(home):
    (home / LOCK_NAME).unlink()
    assert gc.plan(home, sets=True) == ()


def test_a_single_set_as_home_has_nothing_to_free(home):
    put(home / "prepared/set-0001/.lock", 0)
    put(home / "prepared/set-0001/raw/rico/1.jpg")
    assert gc.plan(home / "prepared/set-0001", sets=True) == ()


# --- the lock --------------------------------------------------------------------------------------------------------


def test_one_holds_the_lock_and_the_next_is_told(tmp_path):
    home = tmp_path / "new"
    code = f"from pathlib import Path; from sobench_metrics.data.lock import locked\nwith locked(Path({str(home)!r})): pass"
    with locked(home):
        assert is_locked(home)
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
        assert "is at work in" in done.stderr
    assert not is_locked(home)
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_lock_of_a_killed_process_is_free(tmp_path):
    code = (
        "import os; from pathlib import Path; from sobench_metrics.data.lock import locked\n"
        f"with locked(Path({str(tmp_path)!r})): os.kill(os.getpid(), 9)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == -9
    assert (tmp_path / LOCK_NAME).exists()
    with locked(tmp_path):
        pass


def test_a_failing_block_gives_the_lock_back(tmp_path):
    with pytest.raises(ZeroDivisionError), locked(tmp_path):
        raise ZeroDivisionError
    assert not is_locked(tmp_path)


def test_a_home_that_cannot_be_made_is_told(tmp_path):
    put(tmp_path / "file")
    for home, why in ((tmp_path / "file" / "home", "is a file and no folder"), (tmp_path / "file", "in its place")):
        with pytest.raises(UsageError, match=f"cannot write in {home} .*{why}.*: set SOBENCH_HOME"), locked(home):
            pass


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="no /proc, where nobody can make a folder")  # noqa: PTH112
def test_a_place_where_nobody_can_write_is_told_in_plain_words():
    with pytest.raises(UsageError, match=r"^cannot write in /proc/x: set SOBENCH_HOME"), locked(Path("/proc/x")):
        pass


def test_a_full_disk_is_told_by_the_lock(tmp_path, monkeypatch):
    def full(*_args, **_flags):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "mkdir", full)
    with pytest.raises(UsageError, match="the disk is full: free space"), locked(tmp_path / "home"):
        pass


@pytest.mark.parametrize(
    ("size", "text"),
    [
        (0, "0 bytes"),
        (1, "1 byte"),
        (999, "999 bytes"),
        (1000, "1 kB"),
        (999_600, "1 MB"),
        (2_840_000, "2.84 MB"),
        (10**15, "1e+03 TB"),
    ],
)
def test_sizes_for_people(size, text):
    assert size_text(size) == text
