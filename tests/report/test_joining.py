"""One report over every kind of log: the same rows stand in one line, whoever wrote the answers down."""

import json

import pytest

from sobench_metrics.data.ifstruct_rows import load_rows
from sobench_metrics.data.oracle import ifstruct_answer, sobench_answer
from sobench_metrics.data.prepared import DOMAINS, load
from sobench_metrics.data.sample import ifstruct_rows_file, sample_home
from sobench_metrics.ifstruct.spec import Spec
from sobench_metrics.ifstruct.validation import validate
from sobench_metrics.report.columns import differences, open_columns
from sobench_metrics.report.gathering import gather
from sobench_metrics.report.joining import name_of, task_of
from sobench_metrics.report.model import unpack
from sobench_metrics.report.page_errors import tallies
from sobench_metrics.report.recovery_counts import NO_STEP, recovery_counts
from sobench_metrics.results.reading import open_runs
from sobench_metrics.results.records import RowSource, Run, Sample
from tests.engines.golden_logs import CHART, IFSTRUCT, LIMIT
from tests.results.prediction_files import GOOD, ifstruct_row, mixed_rollouts, sobench_line, write

TASK = "ifstruct_json_sample"


def own_run(folder, lost=None, verdict=lambda row, answer, _: validate(answer, Spec.from_row(row)).passed):
    """A results file of IFStruct's runner over the bundled rows: every other answer begins with a word too many."""
    told = []
    for number, row in enumerate(load_rows(ifstruct_rows_file()).rows):
        answer = ("Here:\n", "")[number % 2] + ifstruct_answer(row)
        passed = verdict(row, answer, number)
        told.append(
            {"seed": 700 + number, "passed": passed, "details": {}, "prompt": row["prompt"], "response": answer}
        )
    if lost is not None:
        told[lost].update(response=None, passed=False, details={"api_error": True}, errors=["API error: timed out"])
    content = {"run": {"model": "maker/model", "temperature": 0.0, "max_tokens": 16000}, "summary": {}, "samples": told}
    file = folder / "latest.json"
    file.write_text(json.dumps(content), encoding="utf-8")
    return file


@pytest.fixture
def rows_of_sample():
    return RowSource(task="ifstruct_sample")


def test_the_runner_of_the_reference_and_plain_answers_stand_in_one_table(tmp_path, rows_of_sample):
    rows = load_rows(ifstruct_rows_file()).rows
    plain = write(tmp_path / "plain.jsonl", [{"id": row["doc_id"], "response": ifstruct_answer(row)} for row in rows])
    (view,) = gather(open_columns([own_run(tmp_path, lost=3), plain], rows=rows_of_sample)).tasks
    assert len(view.samples) == len(rows)
    assert all(set(asked.answers) == {"A", "B"} for asked in view.samples)
    assert {asked.slices["presentation"] for asked in view.samples} > {"chat", "table"}


def test_a_log_of_bare_verdicts_is_explained_by_its_texts(tmp_path, rows_of_sample):
    """IFStruct's runner logs no codes: they come from reading the answers once more, the lost request included."""
    (view,) = gather(open_columns([own_run(tmp_path, lost=2)], rows=rows_of_sample)).tasks
    counted = tallies(view, ["A"])["A"]
    assert counted.first["unexplained"] == 0
    assert counted.first["transport"] == counted.codes["request.failed"] == 1
    assert counted.first["fence and commentary"] > 5
    counts = recovery_counts(view, ["A"])["A"]
    assert counts.split.total() == sum(answer.passed is False for _, answer in view.answers("A"))
    assert counts.steps["prose.around"] > 5
    assert counts.split["not recoverable"] >= 1, "the answer that never came"


def test_data_in_the_right_form_are_no_question_of_form(tmp_path, rows_of_sample):
    """The runner says failed, the text is right: the page must not call that a fault of form."""
    file = own_run(tmp_path, verdict=lambda _row, _answer, number: number % 2 == 0)
    (view,) = (found := gather(open_columns([file], rows=rows_of_sample))).tasks
    counts = recovery_counts(view, ["A"])["A"]
    assert counts.steps == {NO_STEP: len(view.samples) // 2}
    (told,) = {unpack(answer.packed)["recovered"][2] for _, answer in view.answers("A") if answer.recoverable}
    assert "nothing had to be tolerated" in told
    assert "would be judged otherwise" in found.warnings[0]


def test_the_layout_of_sobench_is_judged_with_the_labels_of_its_lines(tmp_path):
    lines = [
        sobench_line("a", json.dumps({"n": 3, "t": "red"})),
        sobench_line("b", "```json\n" + json.dumps({"n": 4, "t": "red"}) + "\n```"),
        sobench_line("c", None),
        {**sobench_line("d", json.dumps({"n": 3, "t": "red"})), "evaluation_labels": {"n": "exact", "t": "ignore"}},
    ]
    without = sobench_line("e", json.dumps({"n": 3, "t": "red"}))
    del without["evaluation_labels"]
    (view,) = (found := gather(open_columns([write(tmp_path / "so.jsonl", [*lines, without])]))).tasks
    assert found.warnings == (), "this version agrees with itself, also about a line without labels"
    assert [answer.passed for _, answer in view.answers("A")] == [True, False, False, True, True]
    assert found.columns[0].model == "(model not told) so.jsonl"


def test_answers_to_the_whole_of_sobench_join_the_domains_of_a_harness(tmp_path, golden):
    docs = [doc for domain in DOMAINS for doc in load(sample_home(), domain).docs]
    file = write(tmp_path / "so.jsonl", [{"id": doc["doc_id"], "generation": sobench_answer(doc)} for doc in docs])
    columns = open_columns([file, golden["oracle"]], rows=RowSource(task="sobench_sample"))
    found = gather(columns)
    (chart,) = [view for view in found.tasks if view.name == CHART]
    assert [len(chart.answers(letter)) for letter in "AB"] == [14, LIMIT]
    assert len(chart.samples) == 14
    (pooled,) = found.pooled
    assert (pooled.name, pooled.planned["A"], len(pooled.answers("A"))) == ("sobench_sample", 56, 56)


def test_several_answers_to_one_row_all_count(tmp_path):
    file = write(tmp_path / "rollouts.jsonl", mixed_rollouts(40))
    (view,) = gather(open_columns([file])).tasks
    assert len(view.samples) == len(view.answers("A")) == 40
    twice = own_run(tmp_path)
    content = json.loads(twice.read_text())
    content["samples"].append({**content["samples"][0], "seed": 9000})
    twice.write_text(json.dumps(content))
    (view,) = (found := gather(open_columns([twice], rows=RowSource(task="ifstruct_sample")))).tasks
    assert len(view.answers("A")) == len(content["samples"])
    assert "answered more than once in one run" in found.warnings[0]


def test_rows_of_the_same_name_and_other_content_stay_apart(tmp_path):
    one = write(tmp_path / "one.jsonl", [{**ifstruct_row(0), "response": GOOD}])
    other = write(tmp_path / "other.jsonl", [{**ifstruct_row(0), "top_level_count": 3, "response": GOOD}])
    (view,) = (found := gather(open_columns([one, other]))).tasks
    assert [set(asked.answers) for asked in view.samples] == [{"A"}, {"B"}]
    assert "other data" in found.warnings[0]


@pytest.mark.parametrize(
    ("told", "name"),
    [
        ("sobench:ui", "sobench_ui"), ("sobench_sample:ui", "sobench_ui_sample"), ("ifstruct_sample", "ifstruct_sample"),
        ("sobench_ui_constrained_sample", "sobench_ui_sample"), ("any:task", "any_task"),
    ],
)  # fmt: skip
def test_names_of_both_harnesses(tmp_path, told, name):
    assert task_of(Run(tmp_path, tmp_path, told, "", "")) == name


def test_names_of_samples():
    def sample(doc_id, row_id):
        return Sample(doc_id, "", "", "", {}, {}, row_id=row_id)

    assert [name_of(sample(*ids)) for ids in (("a", ""), ("700", "3"), ("3#1", "3"), ("3", "3"))] == [
        "a",
        "3",
        "3#1",
        "3",
    ]


def test_two_harnesses_that_say_the_same_in_other_words_do_not_differ(golden, tmp_path):
    run = open_runs(golden["oracle"])[IFSTRUCT]
    other = Run(
        tmp_path, tmp_path, TASK, "lighteval", "",
        {**{key: value for key, value in run.signature.items() if key != "max_gen_toks"},
         "max_tokens": run.signature["max_gen_toks"], "task": f"{TASK}:1", "data": f"{run.signature['data']}+abc"},
    )  # fmt: skip
    assert differences([run, other]) == []
