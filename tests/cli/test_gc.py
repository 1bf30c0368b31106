"""`sobench status` and `sobench gc` as a user runs them."""

import json

from sobench_metrics.data.lock import locked
from tests.cli.conftest import assert_one_sentence
from tests.data.test_gc import home, kept, put

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
    assert "missing: 7 samples" in done.stdout
    assert "and 2 more" in done.stdout
    assert "`sobench gc` would free 1.2 kB" in done.stdout
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
