"""A split on the disk: same seed, same bytes; stopped work goes on; finished work is left alone."""

import hashlib
import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from sobench_metrics.data.ifstruct_rows import _COLUMNS, load_rows
from sobench_metrics.errors import UsageError
from sobench_metrics.ifstruct.generate import making, row_maker
from sobench_metrics.ifstruct.generate.generation import generate
from sobench_metrics.ifstruct.generate.row_maker import Maker
from sobench_metrics.ifstruct.generate.settings import Settings

ROOT = Path(__file__).resolve().parents[3]
TRAIN = Settings(7, "train")


def bytes_of(folder, split="train"):
    return (folder / f"{split}.jsonl").read_bytes()


def test_rows_are_in_the_columns_that_every_loader_reads(tmp_path):
    made = generate(TRAIN, 12, tmp_path)
    assert [file.name for file in made.files] == ["train.jsonl", "train.notes.jsonl", "train.parquet"]
    lines = [json.loads(line) for line in bytes_of(tmp_path).decode().split("\n")[:-1]]
    assert [tuple(line) for line in lines] == [_COLUMNS] * 12
    assert load_rows(tmp_path / "train.jsonl").rows == load_rows(tmp_path / "train.parquet").rows == tuple(lines)
    assert [line["doc_id"] for line in lines] == list(range(12))
    assert sorted(file.name for file in tmp_path.iterdir()) == [
        "README.md", "manifest.json", "train.jsonl", "train.notes.jsonl", "train.parquet",
    ]  # fmt: skip


def test_the_hub_library_finds_the_splits(tmp_path):
    datasets = pytest.importorskip("datasets")
    generate(TRAIN, 5, tmp_path)
    generate(Settings(7, "eval"), 4, tmp_path)
    found = datasets.load_dataset(str(tmp_path), cache_dir=str(tmp_path / "cache"))
    assert {name: len(rows) for name, rows in found.items()} == {"train": 5, "test": 4}
    assert found["train"].column_names == list(_COLUMNS)


def test_same_seed_same_bytes_whatever_the_number_and_the_workers(tmp_path, monkeypatch):
    monkeypatch.setattr(making, "_CHUNK", 7)  # more pieces than are made ahead
    generate(TRAIN, 120, tmp_path / "one", formats=("jsonl",))
    generate(TRAIN, 120, tmp_path / "two", formats=("jsonl",), workers=2)
    generate(TRAIN, 30, tmp_path / "few", formats=("jsonl",))
    generate(Settings(8, "train"), 30, tmp_path / "other", formats=("jsonl",))
    assert bytes_of(tmp_path / "one") == bytes_of(tmp_path / "two")
    assert bytes_of(tmp_path / "one").startswith(bytes_of(tmp_path / "few"))
    assert bytes_of(tmp_path / "few") != bytes_of(tmp_path / "other")


def test_the_bytes_of_a_seed_are_those_of_this_version():
    """A change of the digest is a change of what a seed gives: GENERATOR_VERSION rises with it."""
    code = (
        "import hashlib, json\n"
        "from sobench_metrics.ifstruct.generate.row_maker import Maker\n"
        "from sobench_metrics.ifstruct.generate.settings import Settings\n"
        "rows = [Maker(Settings(0, split)).row(number).row for split in ('train', 'eval') for number in range(40)]\n"
        "print(hashlib.sha256(json.dumps(rows).encode()).hexdigest()[:16])"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout.strip()
        for seed in ("1", "2")
    }  # fmt: skip
    assert found == {"1d81c37b9e9795e6"}


def test_stopped_work_goes_on_behind_the_last_whole_row(tmp_path, monkeypatch):
    generate(TRAIN, 20, tmp_path / "whole")

    def stop(rows):
        if rows == 9:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        generate(TRAIN, 20, tmp_path / "cut", seen=stop)
    assert [file.name for file in (tmp_path / "cut").iterdir()] == [".train.partial"]
    with (tmp_path / "cut" / ".train.partial" / "rows.jsonl").open("ab") as file:
        file.write(b'{"doc_id": 9, "entity_ty')  # a kill in the middle of a line
    made = generate(TRAIN, 20, tmp_path / "cut")
    assert made.made == 11
    names = [file.name for file in made.files] + ["manifest.json", "README.md"]
    assert all((tmp_path / "cut" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes() for name in names)


def test_no_two_rows_ask_the_same(tmp_path, monkeypatch):
    """A draw that repeats an earlier prompt, also one of a run that was stopped, gives way to the next."""
    kept = row_maker.put_into_words

    def few_words(request, style, rng):
        prompt = kept(request, style, rng)
        return replace(prompt, text=said[rng.randrange(3)].text, block=said[0].block)

    said = [SimpleNamespace(text=f"Prompt {name}", block="") for name in "abc"]
    monkeypatch.setattr(row_maker, "put_into_words", few_words)
    monkeypatch.setattr(row_maker, "_failed_proof", lambda *_: "")

    def stop(rows):
        if rows == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        generate(TRAIN, 3, tmp_path, formats=("jsonl",), seen=stop)
    made = generate(TRAIN, 3, tmp_path, formats=("jsonl",))
    rows = [json.loads(line) for line in bytes_of(tmp_path).decode().splitlines()]
    assert {row["prompt"] for row in rows} == {prompt.text for prompt in said}
    assert made.made == 1
    assert made.tally.replaced["repetition"] >= 1


def test_work_of_other_settings_is_begun_anew(tmp_path):
    def stop(rows):
        if rows == 9:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        generate(Settings(6, "train"), 20, tmp_path, seen=stop)
    assert generate(TRAIN, 10, tmp_path).made == 10


def test_a_finished_split_is_left_as_it_is(tmp_path):
    first = generate(TRAIN, 8, tmp_path)
    again = generate(TRAIN, 8, tmp_path)
    assert (first.made, again.made) == (8, 0)
    assert again.tally == first.tally
    for settings, rows in ((Settings(8, "train"), 8), (TRAIN, 9)):
        with pytest.raises(UsageError, match=r"holds another train split \(it differs in: (seed|rows)\)"):
            generate(settings, rows, tmp_path)
    (tmp_path / "train.jsonl").write_bytes(b"")
    with pytest.raises(UsageError, match="not those of its manifest"):
        generate(TRAIN, 8, tmp_path)


def test_a_strangers_file_is_never_written_over(tmp_path):
    (tmp_path / "train.jsonl").write_text("mine")
    with pytest.raises(UsageError, match="was not made by this command"):
        generate(TRAIN, 3, tmp_path)
    assert (tmp_path / "train.jsonl").read_text() == "mine"


def test_a_folder_that_cannot_be_written_is_told(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="name another --out"):
        generate(TRAIN, 3, tmp_path / "file" / "below")


@pytest.mark.skipif(sys.platform == "win32", reason="no file locks there")
def test_two_runs_do_not_write_into_one_another(tmp_path):
    def second_run(rows):
        if rows == 2:
            with pytest.raises(UsageError, match="another run is writing"):
                generate(TRAIN, 4, tmp_path)

    assert generate(TRAIN, 4, tmp_path, seen=second_run).made == 4


def test_the_manifest_tells_what_was_made(tmp_path):
    generate(TRAIN, 200, tmp_path)
    generate(Settings(7, "eval"), 50, tmp_path)
    splits = json.loads((tmp_path / "manifest.json").read_text(encoding="utf-8"))["splits"]
    train, held_out = splits["train"], splits["eval"]
    assert (train["rows"], train["seed"], held_out["rows"]) == (200, 7, 50)
    assert train["sha256"]["train.jsonl"] == hashlib.sha256(bytes_of(tmp_path)).hexdigest()
    names = [{name.rpartition("__")[2] for name in split["entity_types"]} for split in (train, held_out)]
    assert not names[0] & names[1]
    assert sum(train["entity_types"].values()) == 200
    for rule in ("style", "format", "top level", "texts", "fence", "commentary", "other fields", "count"):
        shares = [share for share in train["shares"] if share["rule"] == rule]
        assert sum(share["rows"] for share in shares) == 200, rule
        assert sum(share["target_percent"] for share in shares) == pytest.approx(100, abs=0.1)


def test_proportions_are_those_aimed_at(tmp_path):
    made = generate(TRAIN, 400, tmp_path, formats=("jsonl",))
    for share in made.tally.shares():
        error = (share.target * (100 - share.target) / 400) ** 0.5
        assert abs(share.share - share.target) < 4 * error, share


def test_a_draw_that_fails_a_proof_is_replaced_and_counted(tmp_path, monkeypatch):
    kept = row_maker.oracle_faults
    tried = []

    def oracle(row):
        tried.append(row["doc_id"])
        return ["no"] if len(tried) in (2, 3) else kept(row)

    monkeypatch.setattr(row_maker, "oracle_faults", oracle)
    made = generate(TRAIN, 4, tmp_path)
    assert tried == [0, 1, 1, 1, 2, 3]
    assert (made.tally.rows, made.tally.replaced) == (4, {"oracle": 2})
    monkeypatch.setattr(row_maker, "oracle_faults", lambda row: ["no"])
    with pytest.raises(RuntimeError, match="no sound row 0 in 12 draws"):
        Maker(TRAIN).row(0)
