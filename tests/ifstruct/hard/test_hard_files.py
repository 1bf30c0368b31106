"""`sobench generate ifstruct-hard`: what a user gets on the disk."""

import hashlib
import json

import pytest

from sobench_metrics.cli import main as entry
from sobench_metrics.cli.generate import GENERATE
from sobench_metrics.data.ifstruct_rows import load_rows
from sobench_metrics.data.oracle import ifstruct_answer
from sobench_metrics.ifstruct.hard import files, hard_row


@pytest.fixture
def sobench(monkeypatch, capsys):
    monkeypatch.setattr(entry, "commands", lambda: {"generate": GENERATE})

    def run(*words):
        status = entry.main(["generate", "ifstruct-hard", *map(str, words)])
        return status, *capsys.readouterr()

    return run


def test_a_level_is_written_with_its_manifest(sobench, tmp_path):
    status, out, _ = sobench("--level", 2, "--n", 3, "--seed", 9, "--out", tmp_path / "new" / "set")
    content = (tmp_path / "new" / "set" / files.FILE).read_bytes()
    manifest = json.loads((tmp_path / "new" / "set" / files.MANIFEST).read_text())
    assert status == 0
    assert "3 rows of level 2, version 1.0, seed 9" in out
    assert [json.loads(line) for line in content.splitlines()] == [hard_row(2, number, 9) for number in range(3)]
    assert manifest["sha256"] == {files.FILE: hashlib.sha256(content).hexdigest()}
    assert (manifest["rows"], manifest["levels"], manifest["seed"]) == (3, [2], 9)


def test_the_same_order_gives_the_same_bytes(sobench, tmp_path):
    for folder in ("one", "other"):
        sobench("--n", 1, "--out", tmp_path / folder)
    names = (files.FILE, files.MANIFEST)
    assert [(tmp_path / "one" / name).read_bytes() for name in names] == [
        (tmp_path / "other" / name).read_bytes() for name in names
    ]
    assert len((tmp_path / "one" / files.FILE).read_bytes().splitlines()) == 5


def test_the_rows_are_rows_of_ifstruct_too(sobench, tmp_path):
    sobench("--n", 1, "--level", 4, "--out", tmp_path)
    (row,) = load_rows(tmp_path / files.FILE).rows
    assert row["prompt"] == hard_row(4, 0, 20260630)["prompt"]


@pytest.mark.parametrize("number", [0, -1, 1_000_001])
def test_a_number_that_cannot_be_is_told(sobench, tmp_path, number):
    status, _, told = sobench("--n", number, "--out", tmp_path)
    assert (status, told.count("sobench: --n")) == (2, 1)
    assert not list(tmp_path.iterdir())


def test_a_folder_that_cannot_be_written_is_told(sobench, tmp_path):
    (tmp_path / "file").write_text("")
    status, _, told = sobench("--n", 1, "--level", 1, "--out", tmp_path / "file" / "below")
    assert (status, told.count("sobench: cannot write in")) == (2, 1)


def test_a_row_whose_right_answer_is_wrong_is_never_written():
    row = hard_row(1, 0, 1)
    with pytest.raises(RuntimeError, match="the right answer of row 1000000 is not right"):
        files.proven({**row, "oracle_answer": "{}"})


def test_the_oracle_gives_the_rows_own_answer():
    row = hard_row(3, 0, 1)
    assert ifstruct_answer(row) == row["oracle_answer"]
