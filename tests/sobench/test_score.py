"""Rules of scoring, told one by one."""

import subprocess
import sys
import threading

import pytest

from sobench_metrics import sobench
from sobench_metrics.sobench.field_verdicts import MAX_VERDICTS

HUGE = "1" + "0" * 400


def strict(generation, target, labels="exact"):
    return sobench.score(generation, target=target, schema=True, labels=labels).strict


def outcomes(generation, target, labels="exact"):
    scored = sobench.score(generation, target=target, schema=True, labels=labels)
    return {field.path: field.outcome for field in scored.fields}


def test_leaving_fields_out_is_officially_cheaper_than_wrong_values_and_strictly_the_same():
    target = {f"k{number}": number for number in range(10)}
    wrong = sobench.score(str({f"k{n}": 0 for n in range(10)}).replace("'", '"'), target=target, schema=True)
    missing = sobench.score('{"k0": 0}', target=target, schema=True)
    assert (wrong.official.matched, wrong.official.total) == (1, 11)
    assert (missing.official.matched, missing.official.total) == (1, 2)
    assert (wrong.strict.matched, wrong.strict.total) == (missing.strict.matched, missing.strict.total) == (1, 11)
    assert wrong.strict.recall == missing.strict.recall


def test_the_published_run_follows_from_its_counts():
    full = sobench.score("1", target=1, schema={})
    partly = sobench.score("2", target=1, schema={})
    invalid = sobench.score("", target=1, schema={})
    run = sobench.aggregate([full] * 92 + [partly] * (1736 - 92) + [invalid] * 15)
    assert (run["num_examples"], run["num_invalid_generation"]) == (1751, 15)
    assert run["relaxed_all_fields_match_accuracy"] == 92 / 1736
    assert round(run["relaxed_all_fields_match_accuracy"], 6) == 0.052995
    assert run["strict_full_match"] == 92 / 1751


def test_an_empty_run_is_all_zero():
    assert set(sobench.aggregate([]).values()) == {0}


def test_items_of_a_list_with_the_wrong_length_stay_in_the_strict_total():
    counts = strict('[{"a": 1}]', [{"a": 1}, {"a": 2}])
    assert (counts.total, counts.matched, counts.predicted, counts.extra) == (5, 2, 3, 0)
    assert outcomes('[{"a": 1}]', [{"a": 1}, {"a": 2}]) == {
        "": "mismatch", "/0": "match", "/0/a": "match", "/1": "missing", "/1/a": "missing",
    }  # fmt: skip


def test_a_partly_right_mapping_is_officially_right_for_its_parent_and_strictly_wrong():
    scored = sobench.score('{"m": {"a": 1, "b": 0}}', target={"m": {"a": 1, "b": 2}}, schema=True)
    assert scored.official.dicts == 1
    assert (scored.strict.dicts, scored.strict.matched) == (0, 1)


def test_extra_fields_cost_precision_with_all_that_is_in_them():
    counts = strict('{"a": 1, "x": {"y": [1, 2]}}', {"a": 1})
    assert (counts.recall, counts.extra, counts.predicted) == (1.0, 4, 6)
    assert counts.full_match
    assert not counts.no_extra
    assert outcomes('{"a": 1, "x": {"y": [1, 2]}}', {"a": 1})["/x"] == "extra"


def test_extra_fields_at_ignored_places_are_free():
    assert strict('{"a": 1, "x": 5}', {"a": 1}, {"a": "exact", "x": "ignore"}).extra == 0
    assert strict('{"a": [1, 2, 3]}', {"a": [], "b": 1}, {"a": "ignore", "b": "exact"}).predicted == 1


def test_what_is_inside_a_value_of_another_kind_is_extra():
    counts = strict('{"a": {"b": [1]}}', {"a": 5})
    assert (counts.total, counts.predicted, counts.extra) == (2, 4, 2)


@pytest.mark.parametrize(
    ("target", "right", "wrong", "label"),
    [
        ({"a": []}, '{"a": []}', '{"a": [1]}', "exact"),
        ({"a": {}}, '{"a": {}}', '{"a": []}', {"a": "fuzzy"}),
        ({"a": []}, '{"a": []}', '{"a": null}', {"a": []}),
        ({"a": {}}, '{"a": {}}', '{"a": "x"}', {"a": {}}),
        ([[], 5], "[[], 6]", "[[1], 5]", [[], "ignore"]),
    ],
)
def test_a_correct_empty_container_matches(target, right, wrong, label):
    assert strict(right, target, label).full_match
    assert not strict(wrong, target, label).full_match


def test_an_empty_label_of_a_filled_container_is_ignored():
    counts = strict('{"a": [9], "b": 1}', {"a": [1, 2], "b": 1}, {"a": [], "b": "exact"})
    assert (counts.total, counts.matched, counts.predicted) == (2, 2, 2)


def test_booleans_are_no_numbers():
    scored = sobench.score('{"a": 1, "b": true}', target={"a": True, "b": True}, schema=True)
    assert scored.full_match
    assert (scored.strict.booleans, scored.strict.numbers) == (1, 0)


def test_a_sample_with_nothing_to_compare():
    scored = sobench.score('{"a": 2}', target={"a": 1}, schema=True, labels={"a": "ignore"})
    assert (scored.full_match, scored.strict.total, scored.strict.recall) == (True, 0, 1.0)
    absent = sobench.score(None, target={"a": 1}, schema=True, labels={"a": "ignore"})
    assert (absent.full_match, absent.strict.recall, absent.strict.full_match) == (None, 0.0, False)


def test_an_invalid_answer_keeps_all_fields_in_the_strict_total():
    scored = sobench.score("no json", target={"a": [1, 2]}, schema=True)
    assert (scored.invalid, scored.official, scored.full_match) == (True, None, None)
    assert (scored.strict.total, scored.strict.matched, scored.strict.f1) == (4, 0, 0.0)
    assert {field.outcome for field in scored.fields} == {"missing"}


@pytest.mark.parametrize(
    ("generation", "code"),
    [
        (None, "answer.missing"),
        (5, "answer.not_text"),
        ("", "json.decode"),
        ("{} {}", "json.trailing"),
        ("[" * 491 + "]" * 491, "json.too_deep"),
        ("[" * 100_000, "json.too_deep"),
        ("9" * 4301, "json.int_digits"),
        (HUGE, "number.beyond_float"),
        ("[" * 9_000_000, "json.too_long"),
    ],
)
def test_answers_on_which_the_reference_fails_are_invalid(generation, code):
    scored = sobench.score(generation, target=1, schema=True)
    assert scored.invalid
    assert [finding.code for finding in scored.errors] == [code]


def test_the_deepest_scored_nesting():
    text = "[" * 490 + "]" * 490
    scored = sobench.score(text, target=text, schema=True)
    assert (scored.invalid, scored.exact_match, scored.strict.full_match) == (False, True, True)


def test_a_huge_number_at_an_ignored_place_harms_only_the_label_free_counts():
    scored = sobench.score(
        f'{{"a": {HUGE}, "b": 1}}', target={"a": 1, "b": 1}, schema=True, labels={"a": "ignore", "b": "exact"}
    )
    assert (scored.invalid, scored.full_match, scored.full_match_exact) == (False, True, None)
    assert scored.errors[0].code == "number.beyond_float"


def test_a_huge_number_where_the_reference_does_not_look_is_compared_exactly():
    scored = sobench.score(f"[{HUGE}]", target=f"[{HUGE}, 2]", schema=True)
    assert (scored.invalid, scored.strict.numbers) == (False, 1)


@pytest.mark.parametrize("target", ["", "{", "1 2", "[" * 491 + "]" * 491])
def test_a_bad_target_is_not_the_models_fault(target):
    with pytest.raises(sobench.SampleError, match="target"):
        sobench.score(None, target=target, schema=True)


def test_labels_that_nest_too_deeply_are_not_the_models_fault():
    with pytest.raises(sobench.SampleError, match="labels"):
        sobench.score("1", target=1, schema=True, labels="[" * 491 + "]" * 491)


def test_a_row_without_a_schema():
    with pytest.raises(sobench.SampleError, match="no schema"):
        sobench.sample_schema({"response_format": {"type": "json_object"}})
    assert sobench.sample_schema({"target_schema": 1, "response_format": {"json_schema": {"schema": None}}}) is None


def test_no_labels_is_not_the_label_null():
    target = {"a": {}, "b": 1}
    assert sobench.score('{"a": {}, "b": 1}', target=target, schema=True).official.total == 3
    assert sobench.score('{"a": {}, "b": 1}', target=target, schema=True, labels=None).official.total == 2


def test_why_the_schema_is_not_followed():
    scored = sobench.score('{"a": "x"}', target={"a": "x"}, schema={"properties": {"a": {"type": "integer"}}})
    assert [(finding.code, finding.path) for finding in scored.errors] == [("schema.violation", "/a")]


def test_a_flood_of_extras_gives_few_verdicts():
    scored = sobench.score(str(list(range(200_000))), target=[0], schema=True)
    assert len(scored.fields) == MAX_VERDICTS + 1
    assert scored.fields[-1].outcome == "more"
    assert scored.strict.extra == 199_999


def test_huge_texts_against_a_short_fuzzy_target():
    text = '"' + "word " * 1_000_000 + '"'
    scored = sobench.score(text, target='"a few words"', schema=True, labels="fuzzy")
    assert scored.official.matched == 0
    assert len(scored.fields[0].reason) <= 120


def test_the_verdict_does_not_depend_on_the_callers_stack():
    deep = '{"c":' * 130 + "1" + "}" * 130
    schema = {"$defs": {"n": {"properties": {"c": {"$ref": "#/$defs/n"}}}}, "$ref": "#/$defs/n"}
    shallow = sobench.score(deep, target=deep, schema=schema)
    assert shallow.followed_schema

    def from_depth(frames):
        return from_depth(frames - 1) if frames else sobench.score(deep, target=deep, schema=schema)

    assert from_depth(700) == shallow

    found = []
    before = threading.stack_size(128 * 1024)
    try:
        thread = threading.Thread(target=lambda: found.append(sobench.score(deep, target=deep, schema=schema)))
        thread.start()
        thread.join()
    finally:
        threading.stack_size(before)
    assert found == [shallow]


AT_THE_END_OF_THE_STACK = """
import sys
from sobench_metrics import sobench
def score():
    return sobench.score('["a b c d e f"]', target=["a b c d e g"], schema={"items": {"pattern": "a"}}, labels="fuzzy")
def from_depth(frames):
    return from_depth(frames - 1) if frames else score()
first = from_depth(sys.getrecursionlimit() - FRAMES_LEFT)
print(first == score(), first.followed_schema)
"""


@pytest.mark.parametrize("frames_left", [15, 30, 60])
def test_the_first_score_of_a_process_needs_no_room_on_the_callers_stack(frames_left):
    """Libraries are loaded where used, and importing takes more frames than scoring."""
    script = AT_THE_END_OF_THE_STACK.replace("FRAMES_LEFT", str(frames_left))
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (run.stdout.strip(), run.stderr) == ("True True", "")


def test_importing_the_package_loads_nothing_heavy():
    script = "import sobench_metrics, sys; print([m for m in ('jsonschema', 'rapidfuzz', 'regex') if m in sys.modules])"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
