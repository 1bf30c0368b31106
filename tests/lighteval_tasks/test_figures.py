"""Figures of known answers: the same names and values as lm-eval's own aggregation of the same answers."""

import json

import pytest
from lighteval.models.model_output import ModelResponse

from lighteval_tasks import data, docs, figures
from lighteval_tasks.configs import table
from lm_eval_tasks.commands.baseline import run_baseline

KINDS = ("oracle", "placeholder", "empty")


def metric(name):
    return next(config for config in table() if config.name == name).metrics[0]


def tables(name, answers, **response):
    found = data.load(name)
    sample = metric(name).sample_level_fn
    responses = [ModelResponse(text=[answer], text_post_processed=["cut"], **response) for answer in answers]
    return [sample.compute(docs.doc_of(found, number), answer) for number, answer in enumerate(responses)]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("ours", "theirs"),
    [("sobench_sample:ui", "sobench_ui_sample"), ("ifstruct_sample",) * 2, ("ifstruct_hard_sample",) * 2],
)
def test_known_answers_give_lm_evals_numbers(kind, ours, theirs):
    results = run_baseline(kind, [theirs])
    lines = sorted(results["samples"][theirs], key=lambda line: line["doc_id"])
    numbers = metric(ours).corpus_level_fn.compute_corpus(tables(ours, [line["resps"][0][0] for line in lines]))
    expected = {key.split(",")[0]: value for key, value in results["results"][theirs].items() if "," in key}
    expected = {key: value for key, value in expected.items() if isinstance(value, float)}
    assert {key: numbers[key] for key in expected} == pytest.approx(expected, abs=1e-12)
    headline = "pass" if ours.startswith("ifstruct") else "strict_full_match"
    assert numbers[headline] == pytest.approx({"oracle": 1, "empty": 0}.get(kind, numbers[headline]))


def test_tables_have_one_shape_whatever_the_answer():
    # Arrow writes them after the run, and would refuse it all for one that differs
    pa = pytest.importorskip("pyarrow")
    answers = ["", "{}", "[1", '{"a": ' + "[" * 2000, "<think>", "null", "\ud800", "5", "x" * 10_000]
    for name in ("sobench_sample:ui", "ifstruct_sample", "ifstruct_hard_sample"):
        found = tables(name, answers) + tables(name, [""], reasonings=[f"{figures.FAILED}HTTP 500"])
        written = pa.Table.from_pylist(found).to_pylist()
        assert [line["figures"] for line in written] == [line["figures"] for line in found]
        assert all(isinstance(json.loads(line["diagnostics"]), dict) for line in written)


def test_a_failed_request_is_counted_with_its_reason():
    found = data.load("sobench_sample:ui")
    sample = metric("sobench_sample:ui").sample_level_fn
    lost = ModelResponse(text=[""], reasonings=[f"{figures.FAILED}HTTP 500"], text_post_processed=[""])
    line = sample.compute(docs.doc_of(found, 0), lost)
    assert line["figures"]["request_failed"] == line["figures"]["invalid"] == [1.0, 1.0]
    assert json.loads(line["diagnostics"])["findings"][0] == {
        "code": "request.failed", "path": "", "message": "HTTP 500",
    }  # fmt: skip


@pytest.mark.parametrize("text", [[], [None]])
def test_no_answer_at_all_is_an_invalid_one(text):
    found = data.load("sobench_sample:ui")
    line = metric("sobench_sample:ui").sample_level_fn.compute(docs.doc_of(found, 0), ModelResponse(text=text))
    assert line["figures"]["invalid"] == [1.0, 1.0]


def test_reasoning_is_cut_by_our_rule_unless_the_user_keeps_it():
    found = data.load("sobench_sample:ui")
    answer = f"I think so.</think>{found.rows[0]['target_json']}"  # opened by the template: lighteval leaves it in
    sample = metric("sobench_sample:ui").sample_level_fn
    cut, kept = (
        sample.compute(docs.doc_of(found, 0), ModelResponse(text=[answer], text_post_processed=after))
        for after in ([answer], None)
    )
    assert cut["figures"]["strict_full_match"] == [1.0, 1.0]
    assert kept["figures"]["strict_full_match"] == [0.0, 1.0]
    assert (cut["sample"]["reasoning"], kept["sample"]["reasoning"]) == ("removed", "kept")


def test_details_quote_no_expected_value_unless_asked(monkeypatch):
    found = data.load("sobench_sample:ui")
    wrong = json.dumps(dict.fromkeys(json.loads(found.rows[0]["target_json"]), "wrong"))
    (line,) = tables("sobench_sample:ui", [wrong])
    fields = json.loads(line["diagnostics"])["fields"]
    assert fields
    assert not any(field["reason"] for field in fields)
    monkeypatch.setenv("SOBENCH_DETAILS_WITH_LABELS", "1")
    (line,) = tables("sobench_sample:ui", [wrong])
    assert any("expected" in field["reason"] for field in json.loads(line["diagnostics"])["fields"])


def test_the_hard_set_is_told_official_and_strict():
    from lighteval_tasks import signature

    found = data.load("ifstruct_hard_sample")
    line = tables("ifstruct_hard_sample", [found.rows[39]["oracle_answer"]])[0]
    assert line["figures"]["pass_strict"] == [0.0, 1.0], "the answer to another row"
    assert signature.of_run([line["sample"]]).split("|")[1] == "scores=official+strict"
    assert found.revision.startswith("ifstruct-hard-1.0:seed7:")


def test_own_rows_of_the_hard_set_are_asked(tmp_path, monkeypatch):
    from sobench_metrics.ifstruct.hard import hard_row

    row = hard_row(2, 0, 4)
    (tmp_path / "own.jsonl").write_text(json.dumps(row))
    monkeypatch.setenv("SOBENCH_IFSTRUCT_HARD", str(tmp_path / "own.jsonl"))
    assert data.load("ifstruct_hard").rows == (row,)
    (line,) = tables("ifstruct_hard", [row["oracle_answer"]])
    assert line["figures"]["pass_strict_level_2"] == [1.0, 1.0]
