"""Signs of an answer that a grammar kept in shape while the model was lost."""

import json

import pytest

from sobench_metrics.constrained import signs
from sobench_metrics.data import oracle, prepared
from sobench_metrics.data.ifstruct_rows import load_rows
from sobench_metrics.data.sample import ifstruct_rows_file, sample_home

SCHEMA = {
    "type": "object",
    "properties": {
        "name": {"type": "string"}, "note": {"type": "string"}, "kind": {"enum": ["unknown", "", "round"]},
        "sizes": {"type": "array", "items": {"type": "number"}},
    },
    "required": ["name", "kind"],
}  # fmt: skip


def codes(text, schema=None, **options):
    return {finding.code for finding in signs(text, schema, **options)}


def test_sound_answers_show_no_sign():
    for domain in ("ui", "natural", "document", "chart"):
        for doc in prepared.load(sample_home(), domain).docs:
            assert codes(oracle.sobench_answer(doc), doc["schema_json"], at_limit=False) <= {"sign.empty_required"}


def test_sound_lists_with_one_text_all_over_show_it():
    rows = [row for row in load_rows(ifstruct_rows_file()).rows if row["output_format"] == "json"]
    assert all("sign.truncated" not in codes(oracle.ifstruct_answer(row)) for row in rows)


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1' + " " * 100 + "}",
        '{"a": "x"}' + "\n" * 100,
        '{"a":\t' + "\n" * 5000,
        '{"a": "q\\"uote"' + " \n" * 60 + "}",
        " " * 200,
    ],
)
def test_endless_white_space(text):
    assert "sign.white_space" in codes(text)


def test_white_space_in_a_string_and_deep_indentation_are_no_sign():
    assert "sign.white_space" not in codes(json.dumps({"a": "x" + " " * 500 + "y", "b": 'q"' + " " * 300 + "z"}))
    assert "sign.white_space" not in codes("[" + "\n" + " " * 90 + "1]")


def test_an_answer_that_ends_at_the_limit():
    assert "sign.truncated" in codes('{"a": [1, 2')
    assert "sign.truncated" in codes("no JSON yet", at_limit=True)
    assert "sign.truncated" not in codes('{"a": 1}', at_limit=True)
    assert "sign.truncated" not in codes('```json\n{"a": 1}\n```', at_limit=True)
    assert "sign.truncated" not in codes('"a"', at_limit=True)
    assert "sign.truncated" not in codes('{"a": [1, 2', at_limit=False)
    assert "sign.truncated" not in codes('{"a": 1}')


def test_a_string_that_runs_on():
    assert "sign.runaway_string" in codes('{"a": "' + "and so on " * 300)
    assert "sign.runaway_string" not in codes('{"a": "' + "short")
    assert "sign.runaway_string" not in codes('{"a": "' + "long " * 900 + '", "b": [')


@pytest.mark.parametrize("unit", ["x", "ab", '{"name": "a", "sizes": [1, 2]}, ', "A whole sentence that comes again. "])
def test_a_piece_without_end(unit):
    assert "sign.repetition" in codes('[{"a": "' + unit * 60)
    assert "sign.repetition" not in codes('[{"a": "' + unit + "something else that never comes again in the text")


def test_items_without_end_in_an_answer_that_parses():
    assert "sign.repetition" in codes(json.dumps({"a": [{"b": 1}] * 8}))
    assert "sign.repetition" not in codes(json.dumps({"a": [{"b": 1}] * 7}))
    assert "sign.repetition" not in codes(json.dumps({"a": [{"b": n} for n in range(50)]}))
    assert "sign.repetition" not in codes(json.dumps({"a": [0] * 50}))  # numbers may well repeat


def test_empty_texts_count_where_they_are_required():
    assert [(f.code, f.path) for f in signs('{"name": " ", "note": "", "kind": ""}', SCHEMA)] == [
        ("sign.empty_required", "/name")
    ]


@pytest.mark.parametrize("text", ["string", "N/A", "...", "TODO", " Unknown ", "Name", "name"])
def test_placeholders(text):
    assert [(f.code, f.path) for f in signs(json.dumps({"name": text, "kind": "round"}), SCHEMA)] == [
        ("sign.placeholder", "/name")
    ]


def test_words_of_the_schema_are_answers():
    assert codes('{"name": "a", "kind": "unknown"}', SCHEMA) == set()
    assert codes('{"name": "a", "kind": "unknown"}', json.dumps(SCHEMA)) == set()
    assert codes('{"name": "a", "kind": "unknown"}') == {"sign.placeholder"}


def test_all_numbers_zero():
    assert "sign.placeholder" in codes('{"name": "a", "sizes": [0, 0.0, 0]}')
    assert "sign.placeholder" not in codes('{"name": "a", "sizes": [0, 0, 1]}')
    assert "sign.placeholder" not in codes('{"name": "a", "sizes": [0, 0]}')


def test_the_smallest_instance():
    assert "sign.minimal" in codes('{"name": "", "kind": "unknown"}', SCHEMA)
    assert "sign.minimal" not in codes('{"name": "a", "kind": "unknown"}', SCHEMA)


@pytest.mark.parametrize("text", ["", "no JSON at all", "```json\n{}\n```", "{}", "[]", "null", '"a"', "{", '{"a"'])
@pytest.mark.parametrize("schema", [None, {}, "{", "[1]", {"properties": 3, "required": "a", "enum": [1]}])
def test_no_text_and_no_schema_is_too_odd(text, schema):
    assert isinstance(signs(text, schema), tuple)


MILLIONS = 10_000_000
LONG = {
    "one string": '{"a": "' + "x" * MILLIONS,
    "escapes": '{"a": "' + '\\"' * (MILLIONS // 2),
    "brackets": "[" * MILLIONS,
    "quotes": '"' * MILLIONS,
    "white space": "{" + " " * MILLIONS,
    "items": '{"a": [' + ",".join(['""'] * 100_000) + "]}",
    "nested lists": "[" * 190 + ",".join(["[]"] * 60_000) + "]" * 190,
}


@pytest.mark.parametrize("text", LONG.values(), ids=LONG)
def test_ten_megabytes_are_no_trouble(text):
    assert signs(text, SCHEMA)


def test_a_long_listing_is_cut():
    assert len(signs(json.dumps([{"name": "string"} for _ in range(1000)]))) <= 25
