"""`sobench generate` as a user types it."""

import json

import pytest

from sobench_metrics.cli.generate import GENERATE
from sobench_metrics.data.ifstruct_rows import load_rows
from sobench_metrics.data.sample import ifstruct_rows_file


@pytest.fixture
def sobench(typed, monkeypatch):
    monkeypatch.delenv("SOBENCH_IFSTRUCT", raising=False)
    return typed("generate", GENERATE)


def ordered(folder, *more):
    return ("ifstruct", "--n", "30", "--seed", "5", "--split", "eval", "--out", folder, *more)


def test_rows_are_made_and_accounted_for(sobench, tmp_path):
    status, out, err = sobench(*ordered(tmp_path / "set"))
    assert (status, err) == (0, "")
    for line in ("oracle passes: 30 of 30", "thinking out loud worded by: rules ", "30 rows made in "):
        assert line in out
    assert "overlap with the test set: not measured; name your copy" in out
    assert len(load_rows(tmp_path / "set" / "eval.jsonl").rows) == 30
    status, again, _ = sobench(*ordered(tmp_path / "set"))
    assert status == 0
    assert "nothing was made" in again
    assert again.partition("30 rows made")[0].splitlines()[:20] == out.splitlines()[:20]


def test_the_rows_to_keep_away_from_are_told(sobench, tmp_path):
    status, out, _ = sobench(*ordered(tmp_path, "--against", ifstruct_rows_file(), "--no-parquet"))
    assert status == 0
    assert "overlap with 72 rows (file:" in out
    assert "0 rows with a shared run of 8 words, at most 0.0% of a prompt" in out
    assert not (tmp_path / "eval.parquet").exists()


def test_ctrl_c_says_how_to_go_on(sobench, tmp_path, monkeypatch):
    from sobench_metrics.ifstruct.generate.row_maker import Maker

    kept = Maker.row

    def row(self, number):
        if number == 3:
            raise KeyboardInterrupt
        return kept(self, number)

    monkeypatch.setattr(Maker, "row", row)
    status, out, err = sobench(*ordered(tmp_path))
    assert (status, out) == (130, "")
    assert "stopped after 3 rows; the same command goes on behind them" in err
    monkeypatch.setattr(Maker, "row", kept)
    status, out, _ = sobench(*ordered(tmp_path))
    assert status == 0
    assert "27 rows made in " in out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--n", "0"), "--n 0 is no use"),
        (("--workers", "0"), "--workers 0 is no use"),
        (("--rewrite-url", "http://127.0.0.1:1/v1"), "belong together"),
        (("--rewrite-url", "ftp://x", "--rewrite-model", "m"), "begins with http"),
        (("--rewrite-tries", "0"), "numbers from 1 on"),
        (("--against", "gone.jsonl"), "gone.jsonl does not exist"),
    ],
)
def test_a_mistake_is_told_in_one_sentence(sobench, tmp_path, words, told):
    status, out, err = sobench(*ordered(tmp_path / "set", *words))
    assert (status, out) == (2, "")
    (line,) = err.splitlines()
    assert line.startswith("sobench: ")
    assert told in line
    assert not (tmp_path / "set").exists()


def test_without_a_kind_the_kinds_are_named(sobench):
    status, _, err = sobench()
    assert status == 2
    assert "sobench generate ifstruct" in err


def test_a_generated_set_is_read_where_the_test_set_is(sobench, tmp_path, monkeypatch):
    from sobench_metrics.data.oracle import ifstruct_answer
    from sobench_metrics.ifstruct import Spec, validate

    sobench(*ordered(tmp_path))
    monkeypatch.setenv("SOBENCH_IFSTRUCT", str(tmp_path / "eval.parquet"))
    rows = load_rows().rows
    assert all(validate(ifstruct_answer(row), Spec.from_row(row)).passed for row in rows)
    assert json.loads((tmp_path / "manifest.json").read_text())["splits"]["eval"]["rows"] == len(rows)


def test_pictures_are_made_and_accounted_for(sobench, tmp_path):
    order = ("sobench-sample", "--n", "2", "--domains", "ui,chart", "--out", tmp_path / "set")
    status, out, err = sobench(*order)
    assert (status, err) == (0, "")
    assert "2 rows of 2 kinds (ui 1, chart 1), " in out
    assert "oracle: schema, official and strict points in all 2; no two pictures the same; " in out
    assert f"SOBENCH_SAMPLE={tmp_path / 'set'} sobench lm-eval --tasks sobench_sample" in out
    assert "nothing was made" in sobench(*order)[1]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--n", "0"), "--n 0 is no use"),
        (("--n", "3"), "from 4 (one a domain) on"),
        (("--workers", "0"), "--workers 0 is no use"),
        (("--domains", "ui,maps"), "--domains 'maps': choose from ui, natural, document, chart"),
        (("--domains", ","), "--domains ',': choose from"),
    ],
)
def test_a_mistake_about_pictures_is_told_in_one_sentence(sobench, tmp_path, words, told):
    status, out, err = sobench("sobench-sample", "--n", "8", "--out", tmp_path / "set", *words)
    assert (status, out) == (2, "")
    (line,) = err.splitlines()
    assert told in line
    assert not (tmp_path / "set").exists()


def test_what_is_not_installed_is_told_with_the_extra(sobench, tmp_path, monkeypatch):
    from sobench_metrics.cli import extras

    monkeypatch.setattr(extras, "find_spec", lambda name: None if name in ("matplotlib", "PIL") else object())
    status, _, err = sobench("sobench-sample", "--n", "8", "--out", tmp_path / "set")
    assert status == 2
    assert err == (
        "sobench: `sobench generate sobench-sample` lacks pillow, matplotlib: `pip install 'sobench[prepare,report]'`.\n"
    )
