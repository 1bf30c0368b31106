"""Target against answer, place by place; answers of any size give a page that can be read."""

import json

from sobench_metrics.ifstruct.spec import Spec
from sobench_metrics.ifstruct.validation import validate
from sobench_metrics.report.field_diff import MOST_ROWS, against_schema, against_target
from sobench_metrics.report.previews import PREVIEW, at, preview
from sobench_metrics.sobench.score import score
from tests.lm_eval_tasks.conftest import GOOD_ANSWER, ROW


def diffed(target, answer):
    found = score(json.dumps(answer), target=target, schema={}, labels="exact")
    return {row.path: row for row in against_target(found.fields, target, (answer,))}


def test_each_outcome_beside_its_values():
    rows = diffed({"a": "one", "b": 2, "c": [1], "d": True}, {"a": "one", "b": 3, "c": {}, "e": None})
    assert {path: row.outcome for path, row in rows.items() if path} == {
        "/a": "match", "/b": "mismatch", "/c": "wrong_kind", "/c/0": "missing", "/d": "missing", "/e": "extra",
    }  # fmt: skip
    assert (rows["/b"].target, rows["/b"].answer) == ("2", "3")
    assert (rows["/a"].target, rows["/a"].answer) == ('"one"', '"one"')
    assert rows["/d"].answer is None
    assert rows["/e"].answer == "null"
    assert rows["/e"].target == ""


def test_the_text_one_is_not_the_number_one():
    rows = diffed({"a": "1"}, {"a": 1})
    assert (rows["/a"].target, rows["/a"].answer) == ('"1"', "1")


def test_a_long_list_is_cut_and_failing_places_stay():
    target = {f"k{n:04}": n for n in range(1500)}
    rows = diffed(target, {**target, "k1400": -5})
    assert len(rows) <= MOST_ROWS + 1
    assert rows["/k1400"].outcome == "mismatch"
    found = score(json.dumps(target), target=target, schema={}, labels="exact")
    assert against_target(found.fields, target, (target,))[-1].reason == "1,101 further places are not shown"


def against(answer, **columns):
    spec = Spec.from_row({**ROW, **columns})
    verdict = validate(answer, spec)
    return {row.path: row for row in against_schema(verdict.payload, spec.json_schema, verdict.errors)}


def test_ifstruct_says_what_was_asked_and_found_at_each_place():
    rows = against('[{"t": 1}, {"u": "b"}]')
    assert rows[""].target == "array, 2 to 2 items"
    assert (rows["/0/t"].outcome, rows["/0/t"].target, rows["/0/t"].answer) == ("wrong_kind", "string", "1")
    assert rows["/1/t"].outcome == "missing"
    assert {row.outcome for row in against(GOOD_ANSWER).values()} == {"match"}


def test_wrapped_and_bare_answers_have_the_same_places():
    wrapped = against('{"notes": [{"t": "a"}, {"t": 2}]}', top_level_key="notes", require_wrapper_key=True)
    bare = against('[{"t": "a"}, {"t": 2}]', top_level_key="notes", require_wrapper_key=True)
    assert list(wrapped) == list(bare)
    assert wrapped["/1/t"].outcome == bare["/1/t"].outcome == "wrong_kind"
    assert wrapped[""].outcome == "match"
    assert "notes" in bare[""].reason


def test_thousands_of_keys_and_of_levels_are_a_page():
    wide = json.dumps([{f"k{n}": n for n in range(20_000)}])
    assert 300 < len(against(wide)) <= MOST_ROWS + 1
    deep = "[" * 900 + "]" * 900
    assert 300 < len(against(deep)) <= MOST_ROWS + 1


def test_no_data_is_no_row_of_data():
    assert list(against("no data at all")) == []


def test_previews_do_not_grow():
    assert len(preview("x" * 1_000_000)) < PREVIEW + 4
    assert preview({"a": 1}) == "{1}"
    assert preview([1, 2]) == "[2]"
    assert preview(10**5000).startswith("an integer of 16,6")
    assert preview(True) == "true"
    assert preview("a\nb") == '"a\\nb"'


def test_pointers():
    assert at({"a/b": [0, {"~": 1}]}, "/a~1b/1/~0") == (1,)
    assert at([1], "/5") == at([1], "/x") == at(3, "/a") == at([1], "/99999999999999999999") == ()
    assert at("all", "") == ("all",)
