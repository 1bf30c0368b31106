"""Rules about an answer's content: each is kept by one answer, broken by another, and told with its code and place."""

import json

import pytest

from sobench_metrics import ifstruct
from sobench_metrics.ifstruct.content_rules import ARGUMENTS
from sobench_metrics.ifstruct.strict import content

TEXT = {"type": "array", "items": {"type": "object", "properties": {"t": {"type": "string"}}}}
ORDER = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {
            "sum": {"type": "number"},
            "main": {"type": "string"},
            "parts": {
                "type": "array",
                "items": {"type": "object", "properties": {"id": {"type": "string"}, "n": {"type": "number"}}},
            },
        },
    },
}


def strict(data, schema, *rules, **changes):
    row = {
        "json_schema": schema,
        "top_level_count": None,
        "top_level_key": None,
        "require_wrapper_key": isinstance(data, dict),
        "require_code_block": False,
        "require_no_commentary": False,
        "output_format": "json",
        "content_rules": json.dumps(rules),
        **changes,
    }
    verdict = ifstruct.validate(data if isinstance(data, str) else json.dumps(data), ifstruct.Spec.from_row(row))
    assert verdict.passed, verdict.errors
    return [(finding.code.removeprefix("strict.content."), finding.path) for finding in verdict.strict]


@pytest.mark.parametrize(
    ("rule", "kept", "broken"),
    [
        ({"rule": "lines", "exactly": 3}, ["a\n\nb", "a\nb\nc\n"], ["a\nb", "", "a\nb\nc\n\n"]),
        ({"rule": "lines", "exactly": 0}, [""], ["a"]),
        ({"rule": "words", "least": 2, "most": 3}, ["a b", " a\nb\tc "], ["a", "a b c d", ""]),
        ({"rule": "quotes", "least": 2}, ['say "a"', '"""'], ["say 'a'", '"', "“a”"]),
        ({"rule": "phrase", "text": "C:\\temp"}, ["at C:\\temp."], ["at C:/temp", "c:\\temp"]),
        ({"rule": "absent", "text": "very"}, ["ver y"], ["Very", "every"]),
    ],
)
def test_rules_about_one_text(rule, kept, broken):
    for text in kept:
        assert strict([{"t": text}], TEXT, {"path": "/*/t", **rule}) == []
    for text in broken:
        assert strict([{"t": kept[0]}, {"t": text}], TEXT, {"path": "/*/t", **rule}) == [(rule["rule"], "/1/t")]


@pytest.mark.parametrize(
    ("rule", "kept", "broken"),
    [
        ({"rule": "key_order", "path": "/*", "keys": ["parts", "main"]}, {"parts": [], "sum": 1, "main": "a"},
         {"main": "a", "sum": 1, "parts": []}),
        ({"rule": "ascending", "path": "/*/parts", "by": "n"}, {"parts": [{"n": 2}, {"n": 2}, {"n": 10}]},
         {"parts": [{"n": 10}, {"n": 9}]}),
        ({"rule": "descending", "path": "/*/parts", "by": "id"}, {"parts": [{"id": "b"}, {"id": "a"}, {"id": "B"}]},
         {"parts": [{"id": "a"}, {"id": "b"}]}),
        ({"rule": "distinct", "path": "/*/parts", "by": "id"}, {"parts": [{"id": "a"}, {"id": "A"}]},
         {"parts": [{"id": "a"}, {"id": "b"}, {"id": "a"}]}),
        ({"rule": "total", "path": "/*", "field": "sum", "over": "/parts/*/n"},
         {"sum": 0.3, "parts": [{"n": 0.1}, {"n": 0.2}]}, {"sum": 3, "parts": [{"n": 1}, {"n": 1}]}),
        ({"rule": "count", "path": "/*", "field": "sum", "over": "/parts"}, {"sum": 1, "parts": [{}]},
         {"sum": 2, "parts": [{}]}),
        ({"rule": "reference", "path": "/*", "field": "main", "among": "/parts/*/id"},
         {"main": "b", "parts": [{"id": "a"}, {"id": "b"}]}, {"main": "c", "parts": [{"id": "a"}]}),
    ],
)  # fmt: skip
def test_rules_about_order_and_links(rule, kept, broken):
    assert strict([kept], ORDER, rule) == []
    found = strict([kept, broken], ORDER, rule)
    assert found == [(rule["rule"], "/1" + rule["path"].removeprefix("/*"))]


def test_what_is_left_out_breaks_no_rule():
    for name, arguments in ARGUMENTS.items():
        samples = {"keys": ["a", "b"], "over": "/parts", "among": "/parts"}
        given = {argument: samples.get(argument, 1) for argument in arguments}
        given |= {argument: "x" for argument in ("by", "field", "text") if argument in arguments}
        assert strict([{}], ORDER, {"rule": name, "path": "/*/main", **given}) == []


def test_every_rule_that_a_row_may_name_is_checked():
    assert set(content.CONTENT_CHECKS) == set(ARGUMENTS)


def test_paths_point_into_the_answer_as_written():
    rule = {"rule": "lines", "path": "/*/t", "exactly": 1}
    assert strict({"rows": [{"t": "a\nb"}]}, TEXT, rule) == [("lines", "/rows/0/t")]


def test_a_path_reaches_keys_with_slashes():
    schema = {"type": "array", "items": {"type": "object", "properties": {"a/b~": {"type": "string"}}}}
    assert strict([{"a/b~": "a\nb"}], schema, {"rule": "lines", "path": "/*/a~1b~0", "exactly": 1}) == [
        ("lines", "/0/a~1b~0")
    ]


def test_a_rule_broken_everywhere_leaves_room_for_the_next():
    rules = [{"rule": "lines", "path": "/*/t", "exactly": 2}, {"rule": "phrase", "path": "/*/t", "text": "y"}]
    found = [code for code, _ in strict([{"t": "x"}] * 200, TEXT, *rules)]
    assert (found.count("lines"), found.count("phrase")) == (20, 20)


def test_more_places_than_a_rule_looks_at_are_cut_off_and_told(monkeypatch):
    monkeypatch.setattr(content, "MAX_PLACES", 50)
    block = "- t: &a x\n" + "- t: *a\n" * 55
    found = strict(block, TEXT, {"rule": "lines", "path": "/*/t", "exactly": 1}, output_format="yaml")
    assert found == [("strict.skipped", "")]


@pytest.mark.parametrize(
    ("answer", "rules"),
    [
        ("- main: x\n  parts: &a\n" + "  - id: a\n" * 900 + "- main: x\n  parts: *a\n" * 100, 100),
        ("- main: &a " + "a b " * 20_000 + "\n" + "- main: *a\n" * 110, 40),
        ("- main: x\n" * 1100, 1000),
    ],
    ids=["a list behind many aliases", "a text behind many aliases", "very many rules"],
)
def test_work_that_aliases_or_rules_multiply_is_left_out_and_told(answer, rules):
    rule = {"rule": "reference", "path": "/*", "field": "main", "among": "/parts/*/id"}
    assert strict(answer, ORDER, *[rule] * rules, output_format="yaml") == [("strict.skipped", "")]


def test_huge_numbers_can_be_added_up():
    rule = {"rule": "total", "path": "/*", "field": "sum", "over": "/parts/*/n"}
    answer = '[{"sum": 0.5, "parts": [{"n": 1e999}, {"n": -1e999}, {"n": 1%s}]}]' % ("0" * 4000)
    assert strict(answer, ORDER, rule) == [("total", "/0")]


@pytest.mark.parametrize(("parts", "stated"), [([0.1, 0.2, -0.3], 0), ([1e9, 0.1], 1e9), ([0.1] * 10, 1)])
def test_sums_of_decimal_amounts_need_not_be_exact(parts, stated):
    rule = {"rule": "total", "path": "/*", "field": "sum", "over": "/parts/*/n"}
    assert strict([{"sum": stated, "parts": [{"n": part} for part in parts]}], ORDER, rule) == []


def test_true_is_no_repetition_of_one():
    schema = {"type": "array", "items": {"type": "object", "properties": {"a": {"type": "integer"}, "b": {}}}}
    rule = {"rule": "reference", "path": "/*", "field": "a", "among": "/b/*"}
    assert strict([{"a": 1, "b": [True]}], schema, rule) == [("reference", "/0")]


def test_a_row_without_the_column_or_with_null_asks_for_nothing():
    assert strict([{"t": "x"}], TEXT, content_rules=None) == []


@pytest.mark.parametrize(
    "column",
    ["{", "{}", '[{"rule": "no"}]', [3], [{"rule": "lines", "path": "/*"}], [{"rule": "lines", "path": "*", "exactly": 1}],
     [{"rule": "lines", "path": "", "exactly": True}], [{"rule": "quotes", "path": "", "least": 1, "most": 2}],
     [{"rule": "key_order", "path": "", "keys": ["a"]}], [{"rule": "key_order", "path": "", "keys": ["a", "b", "a"]}],
     [{"rule": ["lines"]}], [{"rule": "words", "path": "", "least": 2, "most": 1}],
     [{"rule": "lines", "path": "", "exactly": 1, 2: 3, "x": 4}], [{}] * 1001, "[" * 100_000],
)  # fmt: skip
def test_a_rule_that_cannot_be_read_is_named_in_one_sentence(column):
    with pytest.raises(ifstruct.SpecError, match="Column 'content_rules' cannot be read") as told:
        strict([], TEXT, content_rules=column)
    assert "\n" not in str(told.value)
    assert len(str(told.value)) < 300
