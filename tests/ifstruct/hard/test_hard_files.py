"""`sobench generate ifstruct-hard`: what a user gets on the disk."""

import hashlib
import json

import pytest

from sobench_metrics.cli import main as entry
from sobench_metrics.cli.generate import GENERATE
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
    names = (files.FILE, files.TABLE, files.MANIFEST)
    assert [(tmp_path / "one" / name).read_bytes() for name in names] == [
        (tmp_path / "other" / name).read_bytes() for name in names
    ]
    assert len((tmp_path / "one" / files.FILE).read_bytes().splitlines()) == 5


def test_a_table_of_older_rows_does_not_stay(sobench, tmp_path):
    sobench("--n", 1, "--level", 1, "--out", tmp_path)
    sobench("--n", 1, "--level", 2, "--no-parquet", "--out", tmp_path)
    assert sorted(file.name for file in tmp_path.iterdir()) == [files.FILE, files.MANIFEST]


def test_a_stopped_run_leaves_what_was_there(sobench, tmp_path, monkeypatch):
    sobench("--n", 1, "--level", 1, "--out", tmp_path)
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}

    def stopped(level, number, seed):
        if number:
            raise KeyboardInterrupt
        return hard_row(level, number, seed)

    monkeypatch.setattr(files, "hard_row", stopped)
    status, _, told = sobench("--n", 2, "--level", 2, "--out", tmp_path)
    assert (status, "stopped after 1 row; no file is half written" in told) == (130, True)
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before


@pytest.mark.parametrize("number", [0, -1, 1_000_001])
def test_a_number_that_cannot_be_is_told(sobench, tmp_path, number):
    status, _, told = sobench("--n", number, "--out", tmp_path)
    assert (status, told.count("sobench: --n")) == (2, 1)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("taken", ["set", f"set/{files.FILE}/below", f"set/{files.TABLE}/below"])
def test_a_place_that_cannot_be_written_is_told(sobench, tmp_path, taken):
    (tmp_path / taken).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / taken).write_text("")
    status, _, told = sobench("--n", 1, "--level", 1, "--out", tmp_path / "set")
    assert (status, told.count("sobench: cannot write")) == (2, 1)


def test_a_row_whose_right_answer_is_wrong_is_never_written():
    row = hard_row(1, 0, 1)
    with pytest.raises(RuntimeError, match="the right answer of row 1000000 is not right"):
        files.proven({**row, "oracle_answer": "{}"})


def test_the_oracle_gives_the_rows_own_answer():
    row = hard_row(3, 0, 1)
    assert ifstruct_answer(row) == row["oracle_answer"]
