"""`sobench verify` and `sobench export-hashes` as a user runs them."""

import json
from dataclasses import replace

import pytest

from tests.cli.conftest import assert_one_sentence
from tests.engines import prepared_set
from tests.engines.prepared_set import edit_rows, write_set

UI = "data/ui/test-00000-of-00001.parquet"


def test_a_sound_set_ends_with_zero_and_one_line_a_check(sobench, tmp_path):
    write_set(tmp_path / "home")
    done = sobench("verify", SOBENCH_HOME=str(tmp_path / "home"))
    assert done.returncode == 0, done.stderr
    assert [line.split()[0] for line in done.stdout.splitlines()[1:-1]] == ["ok"] * 9
    assert "10 of 10 samples (chart 1 of 1, document 2 of 2, natural 2 of 2, ui 5 of 5)" in done.stdout
    assert done.stdout.splitlines()[-1] == "The set is sound."


def test_any_difference_ends_with_one_and_lists_the_first_few(sobench, tmp_path):
    members = [doc for doc in prepared_set.docs() if doc.source == "rico"] * 4
    members = [prepared_set.Doc(f"doc_{number}", "rico", doc.image, doc.target) for number, doc in enumerate(members)]
    root = write_set(tmp_path / "home", members, partial={"allowed_by": "--limit 12", "domains": {}})

    def altered(rows):
        for row in rows[:8]:
            row["width"] += 1

    edit_rows(root, UI, altered)
    done = sobench("verify", SOBENCH_HOME=str(tmp_path / "home"))
    assert done.returncode == 1
    assert "FAIL  images     4 of 12" in done.stdout
    assert done.stdout.count("image.size: doc_") == 5
    assert "and 3 more" in done.stdout
    assert "warn  counts     12 of 10" in done.stdout
    assert done.stdout.splitlines()[-1].startswith("The set is damaged: run `sobench prepare` (")


def test_two_people_compare_by_a_file(sobench, tmp_path):
    write_set(tmp_path / "home")
    other = write_set(tmp_path / "other", prepared_set.docs()[1:], prep_id="set-0002")
    written = sobench("export-hashes", "--out", "hashes.json", SOBENCH_HOME=str(tmp_path / "home"))
    assert written.returncode == 0, written.stderr
    assert written.stdout == "hashes of 10 samples of the set set-0001 written to hashes.json\n"
    printed = sobench("export-hashes", SOBENCH_HOME=str(tmp_path / "home"))
    assert printed.stdout == (tmp_path / "hashes.json").read_text()
    assert len(json.loads(printed.stdout)["documents"]) == 10
    same = sobench("verify", "--reference", "hashes.json", SOBENCH_HOME=str(tmp_path / "home"))
    assert same.returncode == 0
    assert "10 of 10 samples equal in texts and pixels to those of set-0001" in same.stdout
    short = sobench("verify", "--reference", "hashes.json", "--set", str(other))
    assert short.returncode == 1
    assert "reference.missing: rico_0000" in short.stdout
    assert short.stdout.splitlines()[-1] == "The set is damaged: run `sobench prepare` (1 failure, 1 warning)."
    first, *rest = prepared_set.docs()
    write_set(tmp_path / "reworded", [replace(first, intent="Tell the sizes."), *rest])
    reworded = sobench("verify", "--reference", "hashes.json", SOBENCH_HOME=str(tmp_path / "reworded"))
    assert reworded.returncode == 1
    assert "reference.texts: rico_0000" in reworded.stdout
    assert reworded.stdout.splitlines()[-1] == "The set differs from the reference (1 failure)."


def test_what_a_document_or_a_library_says_stays_on_its_line(sobench, tmp_path):
    square = prepared_set.picture((1, 2, 3))
    members = [prepared_set.Doc("two\nlines\x1b[2J", "rico", square, {"colour": 1, "sizes": [1, 2]})]
    write_set(tmp_path / "home", members, partial={"allowed_by": "--limit 1", "domains": {"ui": "1 of 5"}})
    done = sobench("verify", SOBENCH_HOME=str(tmp_path / "home"))
    assert "      target.violation: two lines\ufffd[2J at /colour" in done.stdout
    assert len(done.stdout.splitlines()) == 13
    assert done.stdout.splitlines()[-1] == "The set is sound, 2 warnings."


def test_a_set_is_chosen_by_its_id(sobench, tmp_path):
    write_set(tmp_path / "home")
    write_set(tmp_path / "home", prep_id="set-0002", current=False)
    done = sobench("verify", "--set", "set-0002", SOBENCH_HOME=str(tmp_path / "home"))
    assert done.stdout.startswith("set set-0002 in")
    assert sobench("verify", SOBENCH_HOME=str(tmp_path / "home")).stdout.startswith("set set-0001 in")


def test_a_set_is_chosen_by_the_beginning_of_its_id(sobench, tmp_path):
    home = {"SOBENCH_HOME": str(tmp_path / "home")}
    for prep_id in ("09ab11", "09cd22", "09cd33"):
        write_set(tmp_path / "home", prep_id=prep_id)
    assert sobench("verify", "--set", "09a", **home).stdout.startswith("set 09ab11 in")
    assert_one_sentence(sobench("verify", "--set", "09cd", **home), "the beginning of 09cd22, 09cd33")
    assert_one_sentence(sobench("verify", "--set", "", **home), "neither a prepared set")
    (tmp_path / "home/prepared/current").unlink()
    assert_one_sentence(sobench("verify", **home), "several sets (09ab11, 09cd22, 09cd33)", "--set ID")
    assert sobench("verify", "--set", "09ab11", **home).returncode == 0


@pytest.mark.parametrize("command", ["verify", "export-hashes"])
def test_a_missing_set_is_told_in_one_sentence(sobench, tmp_path, command):
    assert_one_sentence(sobench(command), "no prepared SO-Bench data", "sobench prepare")
    write_set(tmp_path / "home")
    home = {"SOBENCH_HOME": str(tmp_path / "home")}
    assert_one_sentence(sobench(command, "--set", "set-9", **home), "'set-9'", "(set-0001)")
    (tmp_path / "home/prepared/current").write_text("gone\n")
    assert_one_sentence(sobench(command, **home), "gone", "sobench prepare")


def test_an_unreadable_reference_is_told_before_anything_is_read(sobench, tmp_path):
    write_set(tmp_path / "home")
    home = {"SOBENCH_HOME": str(tmp_path / "home")}
    assert_one_sentence(sobench("verify", "--reference", "nowhere.json", **home), "nowhere.json", "export-hashes")
    assert_one_sentence(sobench("verify", "--reference", str(tmp_path), **home), "export-hashes")


def test_a_place_that_cannot_be_written_is_told_and_nothing_is_left(sobench, tmp_path):
    write_set(tmp_path / "home")
    home = {"SOBENCH_HOME": str(tmp_path / "home")}
    assert_one_sentence(sobench("export-hashes", "--out", "no/such/folder.json", **home), "no/such/folder.json")
    assert_one_sentence(sobench("export-hashes", "--out", str(tmp_path), **home), "name a plain file")
    assert_one_sentence(sobench("export-hashes", "--out", "/dev/null", **home), "name a plain file")
    assert [path.name for path in tmp_path.iterdir()] == ["home"]
