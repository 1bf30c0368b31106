"""No sample is lost on the way from the log to the page, and figures are the harness's own."""

import json

import pytest

from sobench_metrics.errors import UsageError
from sobench_metrics.report.columns import Column, differences, open_columns
from sobench_metrics.report.figures import approximate, figures_of, headline
from sobench_metrics.report.gathering import gather
from sobench_metrics.report.model import unpack
from sobench_metrics.report.texts import answered_notes, marks
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


BOUND = IFSTRUCT.replace("_sample", "_constrained_sample")


def test_constrained_tasks_of_a_run_are_a_column_of_their_own(edit):
    """Also where the run holds no free variant of them: a mark belongs to all figures of a column or to none."""
    run = edit("oracle").rename(IFSTRUCT, BOUND).folder
    assert [column.constrained for column in open_columns([run], [IFSTRUCT])] == [True]
    columns = open_columns([run])
    assert [(column.constrained, set(column.runs)) for column in columns] == [
        (False, {SOBENCH, CHART}),
        (True, {BOUND}),
    ]


def test_a_constrained_run_says_what_was_not_held_or_not_asked(golden, edit):
    states = ["constrained", "free", "skipped", "constrained", "free", "constrained"]

    def skip(number, line):
        if states[number] == "skipped":
            line.update(metrics=["skipped"], skipped=1.0, filtered_resps=[""])
            del line["pass"]

    bound = edit("oracle").generation(IFSTRUCT, states).lines(IFSTRUCT, skip).rename(IFSTRUCT, BOUND).folder
    (view,) = gather(open_columns([golden["oracle"], bound], [IFSTRUCT])).tasks
    assert view.name == IFSTRUCT, "one table for both variants"
    assert len(view.samples) == LIMIT
    assert answered_notes(view, "A") == []
    assert answered_notes(view, "B") == ["1 skipped, never asked", "2 answered free of the schema"]
    assert [answer.state for _, answer in view.answers("B")].count("skipped") == 1
    (measured, recovered) = headline(view, "B", figures_of(view, recoverable=True))
    assert (measured.bottom, recovered.bottom) == (LIMIT - 1, LIMIT - 1), "what was not asked is in no denominator"
    assert marks(open_columns([bound], [IFSTRUCT])[0], view) == ["baseline: oracle", "constrained", "partial"]


def test_less_than_all_domains_never_go_by_the_name_of_all(golden, edit):
    found = gather(open_columns([golden["oracle"], golden["placeholder"]]))
    (pooled,) = found.pooled
    assert pooled.name == "sobench_sample (ui, chart)"
    assert pooled.parts("A") == ()
    found = gather(
        open_columns([golden["oracle"], edit("placeholder").lines(CHART, lambda *_: None).folder], [SOBENCH])
    )
    assert found.pooled == []


def test_a_column_without_some_of_the_pooled_domains_says_so(golden, edit):
    def without_chart(content):
        for part in ("configs", "results", "versions", "n-samples", "n-shot", "higher_is_better"):
            content[part].pop(CHART, None)

    (pooled,) = gather(open_columns([golden["oracle"], edit("placeholder").results(without_chart).folder])).pooled
    column = Column("B", "m", "h", "p", {})
    assert marks(column, pooled) == ["partial", "only ui"]
    assert [len(pooled.answers(letter)) for letter in "AB"] == [2 * LIMIT, LIMIT]


def test_a_reader_of_a_row_that_is_not_at_hand_has_figures_and_a_warning(edit):
    def bare(_number, line):
        line["doc"] = {}

    (view,) = (found := gather(open_columns([edit("placeholder").lines(IFSTRUCT, bare).folder], [IFSTRUCT]))).tasks
    assert view.kind == "ifstruct"
    assert "rows behind 6 answers of A are not on this machine" in found.warnings[0]
    measured, recovered = headline(view, "A", figures_of(view, recoverable=True))
    assert measured.answers == LIMIT
    assert recovered.answers == 0, "nobody can say whether the data were there"


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
