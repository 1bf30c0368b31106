"""Texts made to hang, to blow up or to be taken for an answer: each has a reading, and the work is bounded."""

import json

import pytest

from sobench_metrics.ifstruct import SpecError
from sobench_metrics.recovery import choosing, json_values, limits, recover_ifstruct, recover_sobench, yaml_documents
from sobench_metrics.sobench import SampleError
from tests.recovery.own_ifstruct_cases import AS_YAML, BARE, DATA, F
from tests.recovery.own_sobench_cases import RIGHT, SHOP, row

SIZE = 300_000
UNITS = [
    "{", "[", '"', "`", "~~~\n", f"{F}\n", "<think>", "</think>", '"<think>', '[{"', '{"a":', '{"a":1}', "[]", "{a:", '{"a', '\\"', '{"\\"',
    f'{F}json\n{{"a":', f'{F}json\n{{"a":1}}\n{F}\n', "<|channel|>final", "<|channel|>analysis<|message|>", "analysisassistantfinal",
    "- a: 1\n", "- - ", "? ", "&a [*a]", "\u200b", "\u2028", "[\u00a0", "9", "<answer>", "[1,", "**a ", "[x](", "<|channel>", "\u25c1think\u25b7", "<\uff5c",
]  # fmt: skip


@pytest.mark.parametrize("unit", UNITS)
def test_a_unit_repeated_without_end_is_no_answer(unit):
    text = unit * (SIZE // len(unit))
    assert not recover_ifstruct(text, BARE).recoverable
    assert not recover_ifstruct(text, AS_YAML).recoverable
    assert not recover_sobench(text, row(SHOP)).recoverable


@pytest.mark.parametrize("unit", [*UNITS, "1 ", "1-", "1,", "1\u00bd", "a@", "\ufdfa", "&#65;", "x "])
def test_a_unit_repeated_inside_a_value_is_another_value(unit):
    answer = json.dumps({"shop": unit * (SIZE // len(unit)), "total": 12.5}, ensure_ascii=False)
    for label in ("exact", "fuzzy"):
        assert recover_sobench(answer, row(SHOP, label)).fields.matched == 1


@pytest.mark.parametrize("depth", [400, 900, 100_000])
@pytest.mark.parametrize("pair", ["[]", ('{"a":', "}")])
def test_depth_does_not_matter(pair, depth):
    text = pair[0] * depth + "1" + pair[1] * depth
    assert not recover_ifstruct(text, BARE).recoverable
    assert not recover_ifstruct(text, AS_YAML).recoverable
    assert not recover_sobench(text, row(SHOP)).recoverable


@pytest.mark.parametrize("number", ["9" * 200_000, "0." + "9" * 200_000, "1e999", "-1e999"])
def test_huge_numbers_match_nothing(number):
    assert not recover_sobench(RIGHT.replace("12.5", number), row(SHOP, "fuzzy")).recoverable


def test_a_text_beyond_the_limit_is_not_looked_at(monkeypatch):
    monkeypatch.setattr(limits, "MAX_CHARS", len(DATA))
    assert recover_ifstruct(f"  {DATA}\n\n", BARE).recoverable  # space at the ends does not count
    found = recover_ifstruct(DATA + "!", BARE)
    assert not found.recoverable
    assert "characters" in found.reason


def test_each_character_is_decoded_once_however_many_values_break(monkeypatch):
    decoded = []
    real = json_values.decode_json
    monkeypatch.setattr(json_values, "decode_json", lambda text: decoded.append(len(text)) or real(text))
    text = '{"a": x} [1, {"b": }] ' * 400
    json_values.find_json(text)
    assert sum(decoded) <= len(text)
    assert len(decoded) == 800


def test_values_are_counted_out(monkeypatch):
    monkeypatch.setattr(json_values, "MAX_VALUES", 5)
    assert len(json_values.find_json('{"a": 1} ' * 5)) == 5
    found = json_values.find_json('{"a": 1} ' * 6)
    assert len(found) == 6
    assert "more than" in found[-1].fault
    monkeypatch.setattr(json_values, "MAX_UNCLOSED", 3)
    assert len(json_values.find_json(f'{F}json\n{{"a\n' * 9)) == 3


def test_the_yaml_loader_sees_a_bounded_text(monkeypatch):
    monkeypatch.setattr(yaml_documents, "MAX_YAML_CHARS", 40)
    assert not list(yaml_documents.yaml_readings("- name: hinge\n" * 9))
    assert list(yaml_documents.yaml_readings("- name: hinge\n" * 2))


def test_shared_and_endless_yaml_nodes_are_refused():
    assert not recover_ifstruct("- &a {name: x, qty: 1, more: *a}\n- *a", AS_YAML).recoverable
    doubling = "a0: &a0 [x]\n" + "".join(f"a{n}: &a{n} {{l: *a{n - 1}, r: *a{n - 1}}}\n" for n in range(1, 60))
    assert not recover_ifstruct(doubling, AS_YAML).recoverable


def test_a_missing_answer_and_one_that_is_no_text():
    for found in (recover_ifstruct(None, BARE), recover_ifstruct(7, BARE), recover_sobench(None, row(SHOP))):
        assert not found.recoverable
        assert found.value is None
    assert recover_sobench(None, row(SHOP)).fields.total == 2


def test_a_row_that_is_at_fault_says_so():
    with pytest.raises(SpecError, match="json_schema"):
        recover_ifstruct(DATA, {})
    with pytest.raises(SampleError, match="target_json"):
        recover_sobench(RIGHT, {**row(SHOP), "target_json": "{"})
    with pytest.raises(SampleError, match="target_json"):
        recover_sobench(RIGHT, {})
    with pytest.raises(SampleError, match="nests"):
        recover_sobench(RIGHT, {**row(SHOP), "target_json": "[" * 600 + "]" * 600})


def test_labels_that_are_no_json_stand_for_themselves():
    assert recover_sobench(RIGHT, {**row(SHOP), "evaluation_labels_json": "exact"}).recoverable
    assert recover_sobench("{}", {**row(SHOP), "evaluation_labels_json": "ignore"}).recoverable
    assert not recover_sobench("{}", {"target_json": SHOP}).recoverable


def test_same_value_tells_booleans_from_numbers_and_ignores_key_order():
    assert choosing.same_value({"a": [1, {"b": 2}], "c": None}, {"c": None, "a": [1, {"b": 2}]})
    assert not choosing.same_value([True], [1])
    assert not choosing.same_value({"a": 1}, {"b": 1})
    assert not choosing.same_value([1], [1, 2])
