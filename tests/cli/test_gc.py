"""`sobench status` and `sobench gc` as a user runs them."""

import json

import pytest

from sobench_metrics.data.lock import locked
from tests.cli.conftest import assert_one_sentence
from tests.data.test_gc import home, kept, put
from tests.engines import prepared_set
from tests.engines.prepared_set import write_set

__all__ = ["home"]


def test_status_of_an_empty_home_says_how_to_begin(sobench, tmp_path):
    done = sobench("status", SOBENCH_HOME=str(tmp_path / "nowhere"))
    assert done.returncode == 0
    assert "sobench prepare --dry-run" in done.stdout
    assert list(tmp_path.iterdir()) == []


def test_status_marks_the_current_set_and_says_what_gc_would_free(sobench, home):
    put(home / "missing.json").write_text(json.dumps({f"rico_{number}": "404" for number in range(7)}))
    done = sobench("status", SOBENCH_HOME=str(home))
    assert done.returncode == 0, done.stderr
    assert "* set set-0001 (current): 10 of 10 samples" in done.stdout
    assert "  set set-0002: 10 of 10" in done.stdout
    assert "ui         5 of 5" in done.stdout
    assert "missing: 7 images could not be had" in done.stdout
    assert "    7 images: 404 (rico_0, rico_1, rico_2, ...)" in done.stdout
    assert "`sobench gc` would free 1.2 kB\n" in done.stdout
    assert "`sobench gc --sets` would free" in done.stdout
    machines = json.loads(sobench("status", "--json", SOBENCH_HOME=str(home)).stdout)
    assert machines["sets"][0]["domains"]["ui"] == [5, 5]
    assert len(machines["missing"]) == 7


def test_gc_tells_first_and_frees_then(sobench, home):
    before = kept(home)
    told = sobench("gc", "--dry-run", "--sets", SOBENCH_HOME=str(home))
    assert told.returncode == 0, told.stderr
    assert "would be freed" in told.stdout
    assert kept(home) == before
    freed = sobench("gc", "--sets", SOBENCH_HOME=str(home))
    assert freed.returncode == 0, freed.stderr
    assert freed.stdout == told.stdout.replace("would be freed", "were freed")
    assert "raw/rico  (fetched originals and indexes, 2 files)" in freed.stdout
    assert all(name.startswith(("prepared/set-0001/", "prepared/current", ".lock")) for name in kept(home))
    assert sobench("verify", SOBENCH_HOME=str(home)).returncode == 0
    assert "nothing to free" in sobench("gc", "--sets", SOBENCH_HOME=str(home)).stdout


def test_a_reason_is_told_once_with_its_images(sobench, home):
    reasons = {"a_1": "gone", "b_1": "no\nroute", "a_2": "gone", **{f"c_{n}": f"reason {n}" for n in range(7)}}
    put(home / "missing.json").write_text(json.dumps(reasons))
    lines = sobench("status", SOBENCH_HOME=str(home)).stdout.splitlines()
    start = lines.index("missing: 10 images could not be had in the last run")
    assert lines[start + 1 : start + 3] == ["    2 images: gone (a_1, a_2)", "    1 image: no route (b_1)"]
    assert lines[start + 6] == "    and 4 other reasons"


def test_what_is_partial_says_what_lacks_and_the_command(sobench, tmp_path):
    natural = [doc for doc in prepared_set.docs()[2:] if doc.source != "vistext"]
    marked = {"allowed_by": "an earlier run", "domains": {"ui": "3 of 5", "chart": "0 of 1"}}
    put(tmp_path / "upstream/c0ffee/labels.zip", 1200)
    write_set(tmp_path, natural, partial=marked, revisions={"vistext": None})
    told = sobench("status", SOBENCH_HOME=str(tmp_path)).stdout
    assert "partial, its numbers say n of N: lacks 1 chart, 2 ui; `sobench prepare --domains chart ui` fetches" in told
    assert "earlier run" not in told
    assert "    vistext          0 of 1\n" in told
    assert "    rico             1 of 3 at rico-rev-1\n" in told
    assert "labels and prompts: 1.2 kB\n" in told


def test_an_interrupted_first_run_is_to_be_repeated_before_anything_is_freed(sobench, tmp_path):
    put(tmp_path / ".lock", 0)
    put(tmp_path / "raw/rico/index/unique_uis.tar.gz.spool", 900)
    put(tmp_path / "raw/webui/at-456/a.png", 100)
    lines = sobench("status", SOBENCH_HOME=str(tmp_path)).stdout.splitlines()
    assert lines[1].startswith("unfinished: repeat `sobench prepare`")
    assert lines[-1] == "`sobench gc` would free 1 kB, of which 1 kB would have to be fetched again"
    freed = sobench("gc", SOBENCH_HOME=str(tmp_path)).stdout.splitlines()
    assert freed[0].endswith("raw/rico  (fetched originals and indexes, 1 file, unfinished)")
    assert freed[-1].endswith("1 kB  of that has to be fetched again by the next `sobench prepare`")


def test_an_index_alone_is_no_unfinished_run(sobench, tmp_path):
    put(tmp_path / ".lock", 0)
    put(tmp_path / "raw/rico/index/names.json")
    assert "No set is prepared here" in sobench("status", SOBENCH_HOME=str(tmp_path)).stdout
    assert "fetched again" not in sobench("gc", SOBENCH_HOME=str(tmp_path)).stdout


def test_a_larger_set_than_the_current_one_is_told_loudly_and_not_recommended(sobench, home):
    partial = {"allowed_by": "--limit 1", "domains": {"ui": "1 of 5"}}
    write_set(home, prepared_set.docs()[:1], prep_id="set-0003", partial=partial)
    told = sobench("status", SOBENCH_HOME=str(home)).stdout
    assert "would remove sets with MORE samples than the current one: set-0001, set-0002" in told
    assert "of sets that are not current" not in told
    for words in (("gc", "--sets", "--dry-run"), ("gc", "--sets")):
        lines = sobench(*words, SOBENCH_HOME=str(home)).stdout.splitlines()
        assert lines[0] == "NOTE: set-0001 has MORE samples (10 of 10) than the current set"
        (line,) = [line for line in lines if "prepared/set-0002" in line]
        assert "10 of 10 samples" in line


@pytest.mark.parametrize("command", ["status", "gc", "verify"])
def test_a_home_that_is_a_file_is_told(sobench, tmp_path, command):
    assert_one_sentence(sobench(command, SOBENCH_HOME=str(put(tmp_path / "home"))), "is a file: set it to a folder")


def test_gc_keeps_its_hands_off_while_a_prepare_runs(sobench, home):
    before = kept(home)
    with locked(home):
        assert_one_sentence(sobench("gc", SOBENCH_HOME=str(home)), "at work", "repeat the command")
    assert kept(home) == before


def test_gc_of_a_folder_that_is_no_home(sobench, tmp_path):
    photos = put(tmp_path / "raw/rico/holiday.jpg")
    done = sobench("gc", SOBENCH_HOME=str(tmp_path))
    assert done.returncode == 0
    assert "nothing to free" in done.stdout
    assert photos.exists()
    assert not (tmp_path / ".lock").exists()


def test_gc_does_not_guess_which_set_is_current(sobench, home):
    (home / "prepared/current").write_text("gone\n")
    before = kept(home)
    assert_one_sentence(sobench("gc", "--sets", SOBENCH_HOME=str(home)), "'gone'")
    assert kept(home) == before
