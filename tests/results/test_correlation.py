"""Correlations between benchmarks: against numpy-free twins, and from the results files of whole runs."""

import csv
import json
import math
import statistics

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sobench_metrics.cli.correlate import CORRELATE
from sobench_metrics.results.correlation import pearson, ranks
from tests.engines.golden_logs import IFSTRUCT, SOBENCH, results_file

numbers = st.lists(st.tuples(st.integers(-50, 50), st.integers(-50, 50)), min_size=3, max_size=20)


@pytest.fixture
def sobench(typed):
    return typed("correlate", CORRELATE)


@given(numbers)
def test_pearson_is_the_librarys(pairs):
    a, b = zip(*pairs)
    assume(len(set(a)) > 1 and len(set(b)) > 1)
    assert pearson(a, b) == pytest.approx(statistics.correlation(a, b), abs=1e-9)


@given(numbers)
def test_ranks_share_ties(pairs):
    values = [a for a, _ in pairs]
    slow = [sum(other < value for other in values) + (values.count(value) + 1) / 2 for value in values]
    assert ranks(values) == slow


def test_what_does_not_vary_has_no_correlation():
    assert pearson([1, 1, 1], [1, 2, 3]) is None
    assert pearson([0.1] * 3, [1, 2, 3]) is None


def scores_file(folder, **columns):
    """A CSV of benchmarks by name, each a list over models m0, m1, ...; None leaves one out."""
    file = folder / "scores.csv"
    lines = [
        f"m{place},{name},{value}\n"
        for name, values in columns.items()
        for place, value in enumerate(values)
        if value is not None
    ]
    file.write_text("model,benchmark,score\n" + "".join(lines))
    return file


def test_published_numbers_give_the_matrix_with_intervals_and_counts(sobench, tmp_path):
    up = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
    wave = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, None]
    file = scores_file(tmp_path, up=up, down=[-x for x in up], wave=wave)
    status, out, err = sobench("--scores", file, "--csv", tmp_path / "out.csv")
    assert (status, err) == (0, "")
    found = {(row["a"], row["b"]): row for row in csv.DictReader((tmp_path / "out.csv").read_text().splitlines())}
    assert found["up", "down"]["r"] == "-1.0000"
    r = statistics.correlation(up[:11], wave[:11])
    assert found["up", "wave"] == {
        "a": "up", "b": "wave", "r": f"{r:.4f}",
        "low": f"{math.tanh(math.atanh(r) - 1.959964 / math.sqrt(8)):.4f}",
        "high": f"{math.tanh(math.atanh(r) + 1.959964 / math.sqrt(8)):.4f}",
        "models": "11",
    }  # fmt: skip
    assert "wave (11 models)" in out
    assert "rest on fewer" not in out


def test_runs_of_the_harness_and_of_many_tasks_are_joined_by_model(sobench, golden, tmp_path):
    """Three models of known order; a task of one model may lie in another file."""
    for number, kind in enumerate(("placeholder", "oracle", "empty")):
        content = json.loads(results_file(golden[kind]).read_text(encoding="utf-8"))
        other = {**content, "results": {"mmlu": {"acc,none": 0.1 + number / 10, "acc_stderr,none": 0.01, "alias": "x"}}}
        (tmp_path / kind).mkdir()
        (tmp_path / kind / "results_2026-01-01T00-00-00.json").write_text(json.dumps(content))
        (tmp_path / kind / "results_2026-01-02T00-00-00.json").write_text(json.dumps(other))
    status, out, err = sobench(tmp_path, "--figures", f"{SOBENCH}/schema_validity,{IFSTRUCT},mmlu")
    assert (status, err) == (0, "")
    flat = " ".join(out.split())
    expected = statistics.correlation([1, 1, 0], [0.1, 0.2, 0.3])
    assert f"{SOBENCH}/schema_val mmlu {expected:+.2f} 3 models" in flat
    assert "3 of 3 pairs rest on fewer than 10 models" in flat
    status, out, _ = sobench(tmp_path)
    assert status == 0
    assert f"{IFSTRUCT} (3 models)" in out
    assert "No models but baselines" in out
    assert "Several runs" not in out  # the same figures in two files of a model


def results(folder, name, model, **figures):
    """A results file of lm-eval with one figure a task."""
    folder.mkdir(exist_ok=True)
    told = {task: {"field_match,none": value, "field_match_stderr,none": 0.01} for task, value in figures.items()}
    (folder / f"results_{name}.json").write_text(json.dumps({"model_name": model, "results": told}))


def test_a_constrained_variant_is_a_benchmark_of_its_own(sobench, tmp_path):
    """One name for both would set one of them in the place of the other."""
    for number in range(3):
        figures = {"sobench_ui": number / 10, "sobench_ui_constrained": 0.5 - number / 10}
        results(tmp_path, number, f"org/m{number}", **figures)
    status, out, _ = sobench(tmp_path)
    assert status == 0
    assert "-1.00" in out
    assert "sobench_ui_constrained (3 models)" in out


def test_what_is_replaced_and_what_holds_its_own_parts_is_told(sobench, tmp_path):
    for number in range(3):
        results(tmp_path, f"1_{number}", f"org/m{number}", sobench_ui=0.9, sobench=0.1)
        results(tmp_path, f"2_{number}", f"org/m{number}", sobench_ui=number / 10, sobench=number / 20)
    status, out, _ = sobench(tmp_path)
    flat = " ".join(out.split())
    assert status == 0
    assert "+1.00" in out
    assert "the newest counts for sobench_ui of org/m0, sobench of org/m0," in flat
    assert "Parts of a group that stands here, too, with which they must correlate: sobench_ui." in flat


def test_ranks_have_a_wider_interval(sobench, tmp_path):
    up, wave = list(range(12)), [3, 1, 4, 0, 5, 9, 2, 6, 8, 7, 11, 10]
    file = scores_file(tmp_path, up=up, wave=wave)
    status, _, _ = sobench("--scores", file, "--method", "spearman", "--csv", tmp_path / "out.csv")
    assert status == 0
    (found,) = csv.DictReader((tmp_path / "out.csv").read_text().splitlines())
    r = 1 - 6 * sum((a - b) ** 2 for a, b in zip(up, wave)) / (12 * 143)
    half = 1.959964 * math.sqrt((1 + r * r / 2) / 9)
    assert (found["r"], found["low"]) == (f"{r:.4f}", f"{math.tanh(math.atanh(r) - half):.4f}")


def test_lightevals_results_are_read_too(sobench, tmp_path):
    for number in range(3):
        content = {
            "config_general": {"model_name": f"model-{number}"},
            "results": {
                "sobench:ui|0": {"field_match": number / 3, "field_match_stderr": 0.1},
                "ifstruct|0": {"pass": number / 9},
                "all": {"field_match": 0.5},
            },
        }
        (tmp_path / f"results_{number}.json").write_text(json.dumps(content))
    status, out, _ = sobench(tmp_path)
    assert status == 0
    assert "+1.00" in out
    assert "sobench_ui (3 models)" in out


@pytest.mark.parametrize(("suffix", "start"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")])
def test_the_picture_is_one(sobench, tmp_path, suffix, start):
    file = scores_file(tmp_path, a=[1, 2, 3, 4], b=[2, 1, 4, 3], c=[1, 1, 1, 1])
    assert sobench("--scores", file, "--picture", tmp_path / f"p.{suffix}")[0] == 0
    assert (tmp_path / f"p.{suffix}").read_bytes().startswith(start)


def test_mistakes_are_one_sentence(sobench, tmp_path):
    file = scores_file(tmp_path, a=[1, 2, 3, 4], b=[2, 1, 4, 3])
    bad = tmp_path / "bad.csv"
    bad.write_text("model,benchmark,score\nm,a,high\n")
    other = tmp_path / "other.csv"
    other.write_text("name,score\nm,1\n")
    twice = tmp_path / "twice.csv"
    twice.write_text("model,benchmark,score\nm,a,1\nn,a,2\nm,a,3\n")
    (tmp_path / "empty").mkdir()
    for words, told in [
        ((tmp_path / "gone",), "there is no"),
        ((tmp_path / "empty",), "holds no results"),
        (("--scores", bad), "line 2"),
        (("--scores", twice), "line 4 scores m on a again"),
        ((), "nothing to correlate"),
        (("--scores", other), "needs the columns model, benchmark, score"),
        (("--scores", tmp_path / "gone.csv"), "cannot read"),
        (("--scores", file, "--figures", "a,z"), "no run has z: choose from a, a/score, b, b/score"),
        (("--scores", file, "--figures", "a"), "1 benchmarks"),
        (("--scores", file, "--picture", tmp_path / "p.txt"), "names no kind of picture"),
    ]:
        status, out, err = sobench(*words)
        assert (status, out) == (2, "")
        (sentence,) = err.splitlines()
        assert told in sentence
