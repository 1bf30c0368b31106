"""No sample is lost on the way from the log to the page, and figures are the harness's own."""

import json

import pytest

from sobench_metrics.errors import UsageError
from sobench_metrics.report.columns import differences, open_columns
from sobench_metrics.report.figures import approximate, figures_of, headline
from sobench_metrics.report.gathering import gather
from sobench_metrics.report.model import unpack
from tests.engines.golden_logs import CHART, IFSTRUCT, LIMIT, SOBENCH, results_file

KINDS = ("oracle", "empty", "placeholder")


def test_every_figure_equals_the_harness_own(golden):
    """Three whole runs through lm-eval: the headline repeats what lm-eval wrote into its results."""
    columns = open_columns([golden[kind] for kind in KINDS])
    assert [column.baseline for column in columns] == list(KINDS)
    found = gather(columns)
    compared = 0
    for column, kind in zip(columns, KINDS):
        results = json.loads(results_file(golden[kind]).read_text(encoding="utf-8"))["results"]
        for view in found.tasks:
            for measured in headline(view, column.letter, figures_of(view, recoverable=False)):
                assert measured.value == pytest.approx(results[view.name][f"{measured.figure.name},none"], abs=1e-12)
                compared += 1
    assert compared == 3 * (7 + 7 + 1)


def test_every_sample_has_its_answers(golden):
    found = gather(open_columns([golden[kind] for kind in KINDS]))
    assert {view.name: len(view.samples) for view in found.tasks} == {SOBENCH: LIMIT, CHART: LIMIT, IFSTRUCT: LIMIT}
    assert all(set(asked.answers) == {"A", "B", "C"} for asked in found.samples())
    assert [view.name for view in found.views] == ["sobench_sample (ui, chart)", IFSTRUCT]
    assert len(found.pooled[0].samples) == 2 * LIMIT
    assert found.warnings == ()
    states = {letter: {asked.answers[letter].state for asked in found.samples()} for letter in "AB"}
    assert states == {"A": {"passed"}, "B": {"failed"}}


def test_a_row_that_differs_between_runs_stands_twice_and_is_told(golden, edit):
    def other(number, line):
        if number == 0:
            line["doc"]["user_intent"] += " And nothing else."

    found = gather(open_columns([golden["oracle"], edit("empty").lines(CHART, other).folder]))
    (chart,) = [view for view in found.tasks if view.name == CHART]
    assert len(chart.samples) == LIMIT + 1
    assert sum(len(asked.answers) for asked in chart.samples) == 2 * LIMIT
    assert len(found.warnings) == 1
    assert "other data" in found.warnings[0]


def test_runs_of_different_samples_are_told(golden, edit):
    shorter = edit("empty").lines(CHART, lambda number, line: number < 2).folder
    found = gather(open_columns([golden["oracle"], shorter], [CHART]))
    assert [len(found.tasks[0].answers(letter)) for letter in "AB"] == [LIMIT, 2]
    assert "different numbers of samples (A 6, B 2)" in found.warnings[0]


def test_an_answer_that_this_version_judges_otherwise_is_told(edit):
    def denied(number, line):
        if number == 3:
            line["pass"] = 0.0

    found = gather(open_columns([edit("oracle").lines(IFSTRUCT, denied).folder], [IFSTRUCT]))
    assert "1 answer of A would be judged otherwise" in found.warnings[0]
    assert sum(answer.passed for _, answer in found.tasks[0].answers("A")) == LIMIT - 1, "the log's word stands"


def test_a_failed_answer_whose_data_were_there_is_recoverable_and_still_failed(edit):
    def fenced(_number, line):
        line["filtered_resps"] = [f"Here you are:\n{line['filtered_resps'][0]}\nAnything else?"]
        line["pass"] = 0.0
        line["diagnostics"]["codes"] = ["commentary.present"]

    found = gather(open_columns([edit("oracle").lines(IFSTRUCT, fenced).folder], [IFSTRUCT]))
    (view,) = found.tasks
    figures = {one.figure.name: one for one in headline(view, "A", figures_of(view, recoverable=True))}
    assert (figures["pass"].top, figures["recoverable"].top) == (0, LIMIT)
    assert {answer.state for _, answer in view.answers("A")} == {"recoverable"}
    told = [unpack(answer.packed)["recovered"] for _, answer in view.answers("A")]
    assert all(there and "prose.around" in steps for there, steps, *_ in told)


def test_a_constrained_variant_in_the_same_run_is_a_column_of_its_own(edit):
    run = edit("oracle").rename(IFSTRUCT, IFSTRUCT.replace("_json", "_constrained_json")).folder
    assert [column.constrained for column in open_columns([run], [IFSTRUCT])] == [True]


def test_signatures_that_differ(golden, edit):
    def older(content):
        for config in content["configs"].values():
            config["metadata"]["signature"] = "scores=official|sobench=0.1.0"

    runs = [column.runs[CHART] for column in open_columns([golden["oracle"], edit("empty").results(older).folder])]
    assert differences(runs[:1]) == []
    assert {"scores", "sobench"} <= set(differences(runs))


def test_mistakes_are_told_before_anything_is_read(golden):
    with pytest.raises(UsageError, match="named twice"):
        open_columns([golden["oracle"], golden["oracle"]])
    with pytest.raises(UsageError, match="no task nothing"):
        open_columns([golden["oracle"]], ["nothing"])
    with pytest.raises(UsageError, match="too many"):
        open_columns([golden["oracle"]] * 27)


def test_quick_intervals_hold_the_value_and_open_at_the_ends():
    names = [str(number) for number in range(20)]
    low, high = approximate([(number % 4, 3) for number in range(20)], names)
    assert 0 < low < 0.5 < high < 1
    assert approximate([(1, 1)] * 20, names)[1] == 1
    low, high = approximate([(3, 3)] * 20, names)
    assert high == 1
    assert 0.8 < low < 1, "twenty of twenty is no proof of all"
    assert approximate([(1, 3), (2, 3)], ["same", "same"]) is None


def test_a_task_that_is_not_ours_has_its_figures_and_answers(edit):
    def foreign(_number, line):
        line["doc"] = {"question": "2 + 2?"}
        line["metrics"], line["exact_match"] = ["exact_match"], 1.0
        del line["diagnostics"], line["pass"]

    found = gather(open_columns([edit("oracle").lines(IFSTRUCT, foreign).folder], [IFSTRUCT]))
    (view,) = found.tasks
    (figure,) = figures_of(view, recoverable=True)
    assert (figure.name, figure.group) == ("exact_match", "other")
    assert [one.value for one in headline(view, "A", [figure])] == [1.0]
    assert {answer.state for _, answer in view.answers("A")} == {"unjudged"}
    assert unpack(view.samples[0].packed)["texts"] == [["Row", '{\n  "question": "2 + 2?"\n}', 0]]
