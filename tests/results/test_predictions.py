"""Answers in a JSONL file: whose rows they are, what is missing, and what cannot be."""

import bz2
import gzip
import json
import lzma
import random

import pytest

from sobench_metrics.data.ifstruct_rows import load_rows
from sobench_metrics.data.oracle import ifstruct_answer, sobench_answer
from sobench_metrics.data.prepared import load
from sobench_metrics.data.sample import sample_home
from sobench_metrics.errors import UsageError
from sobench_metrics.results import text_lines
from sobench_metrics.results.reading import open_runs, samples
from sobench_metrics.results.records import RowSource
from tests.results.prediction_files import GOOD, SHORT, ifstruct_row, mixed_rollouts, sobench_line, write


@pytest.fixture
def read(tmp_path):
    """Write lines and read them back as a run: (run, samples)."""

    def act(lines, name="answers.jsonl", **source):
        (run,) = open_runs(write(tmp_path / name, lines), RowSource(**source)).values()
        return run, list(samples(run))

    return act


def refusal(act):
    with pytest.raises(UsageError) as caught:
        act()
    return str(caught.value)


@pytest.mark.parametrize(
    ("name", "text"), [("doc_id", "response"), ("id", "generation"), ("sample_id", "output"), ("id", "completion")]
)
def test_an_id_and_a_text_are_enough_when_the_task_is_named(read, name, text):
    rows = load_rows(sample_home() / "ifstruct.jsonl").rows
    lines = [{name: row["doc_id"], text: ifstruct_answer(row)} for row in rows]
    run, found = read(lines, task="ifstruct_sample")
    assert (run.task, run.planned) == ("ifstruct_sample", len(rows))
    assert run.signature["data"].startswith("file:")
    assert [sample.doc_id for sample in found] == [str(row["doc_id"]) for row in rows]
    assert all(sample.passed for sample in found)
    assert found[0].row["prompt"] == rows[0]["prompt"]


@pytest.mark.parametrize("task", ["sobench_ui_sample", "sobench_sample:ui"])
def test_a_task_is_named_as_in_either_harness(read, task):
    docs = load(sample_home(), "ui").docs
    run, found = read([{"id": doc["doc_id"], "output": sobench_answer(doc)} for doc in docs], task=task)
    assert run.planned == len(found) == len(docs)
    assert all(sample.passed for sample in found)
    assert found[0].means["schema_validity"] == 1


def test_a_line_may_say_its_task_and_model(read):
    rows = load_rows(sample_home() / "ifstruct.jsonl").rows
    lines = [{"id": row["doc_id"], "response": "", "task": "ifstruct_sample", "model": "m"} for row in rows]
    run, found = read(lines)
    assert (run.task, run.model, len(found)) == ("ifstruct_sample", "m", len(rows))


def test_a_row_without_an_answer_is_a_missing_answer_and_stays(read, tmp_path):
    rows = write(tmp_path / "rows.jsonl", [ifstruct_row(number) for number in range(4)])
    _, found = read([{"id": 2, "response": GOOD}, {"id": 0, "response": None}], file=rows)
    assert [(sample.doc_id, sample.answer, sample.passed) for sample in found] == [
        ("2", GOOD, True), ("0", None, False), ("1", None, False), ("3", None, False),
    ]  # fmt: skip


@pytest.mark.parametrize("layout", ["doc_id", "id", "seed"])
def test_rows_come_from_a_file_in_any_layout(read, tmp_path, layout):
    row = ifstruct_row(7)
    name = row.pop("doc_id")
    rows = write(tmp_path / "rows.jsonl", [{layout: name, **row}])
    assert [sample.passed for sample in read([{"id": 7, "response": GOOD}], file=rows)[1]] == [True]


def test_rows_come_from_parquet_and_from_a_prepared_folder(read, tmp_path):
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    row = {**ifstruct_row(7), "json_schema": json.dumps(ifstruct_row(7)["json_schema"]), "top_level_count": "2"}
    pq.write_table(pa.Table.from_pylist([row]), tmp_path / "rows.parquet")
    assert [one.passed for one in read([{"id": 7, "response": GOOD}], file=tmp_path / "rows.parquet")[1]] == [True]
    docs = [doc for domain in ("ui", "natural", "document", "chart") for doc in load(sample_home(), domain).docs]
    run, _ = read([{"id": doc["doc_id"], "output": ""} for doc in docs], file=sample_home())
    assert run.planned == len(docs)


def test_a_line_that_carries_its_row_needs_no_other(read):
    lines = [
        sobench_line("a", '{"n": 3, "t": "RED."}'),
        sobench_line("b", '{"n": 4, "t": "red"}'),
        sobench_line("c", None),
    ]
    del lines[2]["generation"]
    run, found = read(lines)
    assert (run.task, run.planned, run.harness) == ("sobench", None, "")
    assert [sample.passed for sample in found] == [True, False, False]
    assert [sample.ratios["field_match"] for sample in found] == [(3, 3), (1, 3), (0, 0)]
    assert [sample.means["invalid"] for sample in found] == [0, 0, 1]


def test_a_schema_stands_where_the_reference_has_it(read):
    other = {"type": "object", "required": ["z"]}
    asked = {"json_schema": {"schema": other}}
    _, found = read(
        [sobench_line("a", '{"n": 3, "t": "red"}', response_format=asked), sobench_line("b", '{"n": 3, "t": "red"}')]
    )
    assert [sample.means["schema_validity"] for sample in found] == [0, 1]


def test_labels_left_out_are_not_the_label_null(read):
    """Without labels a missing key is no field; under the label null it spoils nothing either, but empty lists do."""
    target, answer = {"n": 3, "t": "red", "l": []}, '{"n": 3, "t": "red", "l": []}'
    free, null = (
        sobench_line("a", answer, target=target),
        sobench_line("b", answer, target=target, evaluation_labels=None),
    )
    del free["evaluation_labels"]
    _, found = read([free, null])
    assert [sample.passed for sample in found] == [True, False]


def test_several_samples_of_one_row_are_told_apart_by_their_rollout(read, tmp_path):
    rows = write(tmp_path / "rows.jsonl", [ifstruct_row(0), ifstruct_row(1)])
    lines = [{"id": 0, "rollout": 0, "response": GOOD}, {"id": 0, "repeat": 1, "response": SHORT}]
    _, found = read(lines, file=rows)
    assert [(sample.doc_id, sample.row_id, sample.passed) for sample in found] == [
        ("0#0", "0", True), ("0#1", "0", False), ("1", "1", False),
    ]  # fmt: skip
    assert len(read(mixed_rollouts(40))[1]) == 40


def zstandard(content):
    pa = pytest.importorskip("pyarrow")
    return pa.compress(content, "zstd", asbytes=True)


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress, zstandard])
def test_a_packed_file_is_read_as_it_is_and_one_that_breaks_off_is_told(tmp_path, pack):
    """Whatever its name; of a file that is cut short nothing is scored, not even what came before."""
    file = tmp_path / "answers"
    draw = random.Random(1)
    lines = [{**line, "note": draw.randbytes(3000).hex()} for line in mixed_rollouts(200)]
    whole = pack(b"".join(json.dumps(line).encode() + b"\n" for line in lines))
    file.write_bytes(whole)
    (run,) = open_runs(file).values()
    assert len(list(samples(run))) == 200
    file.write_bytes(whole[: len(whole) // 2])
    assert f"cannot read {file} after line " in refusal(lambda: list(samples(run)))


def test_a_byte_order_mark_is_no_part_of_the_first_line(tmp_path):
    file = write(tmp_path / "a.jsonl", mixed_rollouts(2))
    file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes())
    (run,) = open_runs(file).values()
    assert len(list(samples(run))) == 2


def test_the_line_that_is_no_text_is_named(tmp_path):
    file = write(tmp_path / "a.jsonl", mixed_rollouts(40))
    file.write_bytes(file.read_bytes() + b'{"response": "\xff"}\n')
    (run,) = open_runs(file).values()
    assert f"{file}, line 41 is no text in UTF-8" in refusal(lambda: list(samples(run)))


@pytest.mark.parametrize("name", ["model", "task"])
def test_lines_of_two_models_or_tasks_are_no_run(read, name):
    told = {"model": ("m", "n"), "task": ("ifstruct_sample", "ifstruct_json_sample")}[name]
    rows = load_rows(sample_home() / "ifstruct.jsonl").rows
    asked = {"task": "ifstruct_sample"}
    lines = [{"id": row["doc_id"], "response": "", **asked, name: one} for row, one in zip(rows, told)]
    assert f"line 2 is of the {name} {told[1]}, the others are of {told[0]}" in refusal(lambda: read(lines))
    assert len(read([{**line, name: told[0]} for line in lines])[1]) == len(rows)
    if name == "model":
        del lines[0]["model"]
        assert "line 2 is of the model n, the first line names none" in refusal(lambda: read(lines))


def test_of_two_text_columns_the_one_with_a_text_is_the_answer(read):
    row = ifstruct_row(0)
    assert read([{**row, "response": None, "completion": GOOD}])[1][0].passed
    assert read([{**row, "response": GOOD, "completion": GOOD}])[1][0].passed
    told = refusal(lambda: read([{**row, "response": GOOD, "completion": SHORT}]))
    assert "line 1 has several texts (response, completion)" in told


def test_line_separators_inside_a_text_end_no_line(tmp_path):
    file = tmp_path / "answers.jsonl"
    text = '[{"t": "a\u2028b"}, {"t": "c\x85"}]'
    file.write_text(
        "\n" + json.dumps({**ifstruct_row(0), "response": text}, ensure_ascii=False) + "\r\n\n", encoding="utf-8"
    )
    (run,) = open_runs(file).values()
    (found,) = samples(run)
    assert (found.answer, found.passed) == (text, True)


def test_a_line_may_not_fill_the_memory(tmp_path, monkeypatch):
    monkeypatch.setattr(text_lines, "LONGEST", 1000)
    file = write(tmp_path / "a.jsonl", [{**ifstruct_row(0), "response": "x" * 2000}])
    assert "line 1 is longer than 1,000 bytes" in refusal(lambda: open_runs(file))


ROWS = [ifstruct_row(0), ifstruct_row(1)]


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ([{"id": 0, "response": GOOD}, {"id": 9, "response": GOOD}], ("line 2 answers 9", "no row of", "rows.jsonl")),
        ([{"id": 0, "response": GOOD}, {"response": GOOD}], ("line 2 has no id", "doc_id")),
        ([{"id": 0, "response": GOOD}, {"id": 1, "text": GOOD}], ("line 2 has no text", "response")),
        ([{"id": 0, "response": GOOD}, {"id": 1, "response": [GOOD]}], ("line 2 has a response that is no text",)),
        (
            [{"id": 0, "response": GOOD}, {"id": 0, "response": GOOD}],
            ("line 2", "sample 0", "first in line 1", "rollout"),
        ),
        ([{"id": 0, "response": GOOD}, [1]], ("line 2 is no object",)),
    ],
)
def test_what_cannot_be_joined_is_told_by_line(read, tmp_path, lines, words):
    rows = write(tmp_path / "rows.jsonl", ROWS)
    told = refusal(lambda: read(lines, file=rows))
    for word in (str(tmp_path / "answers.jsonl"), *words):
        assert word in told


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([], "holds no rows"),
        ([{"a": 1}], "row 1 has neither the columns of IFStruct nor those of SO-Bench"),
        ([ifstruct_row(0), ifstruct_row(0)], "two rows named 0"),
        ([ifstruct_row(0), {**ifstruct_row(1), "json_schema": 3}], "row 2 cannot be scored: Column 'json_schema'"),
        ([ifstruct_row(0), sobench_line("a", "")], "row 2 is of sobench"),
        ([sobench_line("a", ""), {**sobench_line("b", ""), "target_content": "{"}], "row 2 cannot be scored"),
    ],
)
def test_rows_that_cannot_be_used_are_told_by_number(read, tmp_path, rows, words):
    file = write(tmp_path / "rows.jsonl", rows)
    assert words in refusal(lambda: read([{"id": 0, "response": GOOD}], file=file))


def test_other_mistakes_name_the_remedy(read, tmp_path):
    assert "say with --rows FILE (`score` takes --task, too)" in refusal(lambda: read([{"id": 0, "response": GOOD}]))
    assert "name ifstruct" in refusal(lambda: read([{"id": 0, "response": GOOD}], task="ifstruckt"))
    assert "there is no" in refusal(lambda: read([{"id": 0, "response": GOOD}], file=tmp_path / "gone"))
    assert "there is no" in refusal(lambda: open_runs(tmp_path / "gone"))
    assert "is empty" in refusal(lambda: open_runs(write(tmp_path / "e.jsonl", [])))
    both = [sobench_line("a", ""), {**ifstruct_row(0), "response": GOOD}]
    assert "line 2 is of another benchmark" in refusal(lambda: read(both))
    del both[0]["target_schema"]
    assert "line 1 cannot be scored: The sample has no schema" in refusal(lambda: read(both))
    short = {**ifstruct_row(0), "response": GOOD}
    del short["require_code_block"]
    assert "lacks the column 'require_code_block'" in refusal(lambda: read([short]))
    file = tmp_path / "half.jsonl"
    file.write_text(json.dumps({**ifstruct_row(0), "response": GOOD}) + '\n{"id": ')
    (run,) = open_runs(file).values()
    assert f"{file}, line 2 is not whole" in refusal(lambda: list(samples(run)))
