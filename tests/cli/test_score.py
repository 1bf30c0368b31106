"""`sobench score` as a user meets it: on whole runs of the harness, on altered ones, and with many processes."""

import json

import pytest

from sobench_metrics.cli.main import main
from tests.cli.conftest import assert_one_sentence
from tests.engines.golden_logs import CHART, IFSTRUCT, LIMIT, SOBENCH, read_lines, results_file

TASKS = (SOBENCH, CHART, IFSTRUCT)


@pytest.fixture
def score(capsys, tmp_path):
    """Run the command in this process: exit status, what it printed, and what it told by task."""

    def run(place, *words):
        file = tmp_path / "figures.json"
        status = main(["score", str(place), "--json", str(file), *words])
        return status, capsys.readouterr().out, {one["task"]: one for one in json.loads(file.read_text())}

    return run


def with_many(edit, copies):
    """A run with so many samples that several processes share them; every copy has a name of its own."""
    copy = edit("placeholder")
    lines = read_lines(copy.folder, SOBENCH)
    many = [
        {**line, "doc": {**line["doc"], "doc_id": f"{number}-{again}"}}
        for again in range(copies)
        for number, line in enumerate(lines)
    ]
    (file,) = copy.folder.rglob(f"samples_{SOBENCH}_2*.jsonl")
    file.write_text("".join(json.dumps(line) + "\n" for line in many), encoding="utf-8")
    return file, len(many)


@pytest.mark.parametrize("kind", ["oracle", "placeholder", "empty"])
def test_a_harness_run_scores_what_the_harness_scored(golden, score, kind):
    status, out, found = score(golden[kind])
    assert status == 0
    assert out.count(f"the run's own figures: equal ({LIMIT} samples") == len(TASKS)
    told = json.loads(results_file(golden[kind]).read_text())["results"]
    for task in TASKS:
        values = {name: figure["value"] for name, figure in found[task]["figures"].items()}
        assert values == {name: told[task][f"{name},none"] for name in values}
        assert {"pass", "field_match"} & values.keys()
        assert f"signature: task={task}:1.0|" in out


def test_an_altered_answer_is_named_with_the_figures_it_changes(edit, score):
    """One text is not the one that was scored: the log's figures for it, and the totals, are no longer true."""

    def alter(number, line):
        if number == 2:
            line["filtered_resps"] = ["no JSON here"]

    copy = edit("oracle").lines(IFSTRUCT, alter)
    doc_id = str(read_lines(copy.folder, IFSTRUCT)[2]["doc"]["doc_id"])
    status, out, found = score(copy.folder)
    assert status == 1
    assert found[IFSTRUCT]["differing"].keys() == {doc_id}
    assert "pass" in found[IFSTRUCT]["differing"][doc_id]
    assert "pass" in found[IFSTRUCT]["differing_figures"]
    assert found[IFSTRUCT]["figures"]["pass"]["value"] == (LIMIT - 1) / LIMIT
    assert f"{doc_id}: pass" in out
    assert found[SOBENCH]["differing"] == {}


def test_an_altered_total_alone_is_told_too(edit, score):
    def alter(content):
        content["results"][SOBENCH]["field_match,none"] = 0.999

    status, out, found = score(edit("oracle").results(alter).folder)
    assert status == 1
    assert found[SOBENCH]["differing_figures"] == ["field_match"]
    assert "0.999" in out


def test_a_sample_that_was_not_asked_counts_in_skipped_alone(edit, score):
    """The other figures are about the five that were asked."""
    copy = edit("oracle").generation(IFSTRUCT, ["skipped", *["constrained"] * (LIMIT - 1)])

    def as_logged(number, line):
        more = {"skipped": 1.0} if number == 0 else {"skipped": 0.0, "free": 0.0}
        names = [] if number == 0 else line["metrics"]
        line.update(more, metrics=[*names, *more])

    _, _, found = score(copy.lines(IFSTRUCT, as_logged).folder, "--task", IFSTRUCT)
    figures = found[IFSTRUCT]["figures"]
    assert found[IFSTRUCT]["differing"] == {}
    assert (figures["skipped"]["numerator"], figures["skipped"]["denominator"]) == (1, LIMIT)
    assert figures["pass"]["denominator"] == figures["free"]["denominator"] == LIMIT - 1
    assert found[IFSTRUCT]["skipped"] == 1


def test_processes_and_engines_change_nothing(edit, score, tmp_path):
    file, number = with_many(edit, 140)
    outs = {}
    for name, words in {
        "one": ["--workers", "1"],
        "two": ["--workers", "2"],
        "datasets": ["--engine", "datasets", "--workers", "1"],
    }.items():
        out = tmp_path / f"{name}.jsonl"
        _, _, found = score(file, *words, "--out", str(out))
        outs[name] = (found, out.read_text())
    assert outs["one"] == outs["two"] == outs["datasets"]
    found, lines = outs["one"]
    assert found[SOBENCH]["samples"] == number == len(lines.splitlines())
    first = json.loads(lines.splitlines()[0])
    assert (first["task"], first["doc_id"]) == (SOBENCH, "0-0")
    assert first["figures"]["invalid"] == 0.0


def test_mistakes_are_one_sentence(sobench, golden, tmp_path):
    assert_one_sentence(sobench("score", "gone"), "there is no gone")
    assert_one_sentence(sobench("score", str(golden["oracle"]), "--workers", "0"), "--workers 0")
    (tmp_path / "answers.jsonl").write_text('{"id": "a", "response": "[]"}\n')
    assert_one_sentence(sobench("score", "answers.jsonl"), "--task", "--rows")
    (tmp_path / "answers.jsonl").write_text('{"id": "a", "resp')
    assert_one_sentence(sobench("score", "answers.jsonl"), "line 1")
