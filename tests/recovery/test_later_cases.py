"""Cases learnt while the reading was looked at over the conformance vectors, kept apart from the hold-out."""

import json

import pytest

from sobench_metrics.recovery import recover_ifstruct, recover_sobench
from tests.recovery.own_ifstruct_cases import AS_YAML, BARE, DATA, FENCED, YAML, F
from tests.recovery.own_sobench_cases import row

TAGGED = DATA.replace("hinge", "a </think> b")


@pytest.mark.parametrize(
    ("spec", "answer", "there"),
    [
        (BARE, f"<|channel|>analysis<|message|>The list is {DATA}", False),
        (BARE, f"<|channel|>final<|message|>{DATA}<|end|><|channel|>analysis<|message|>done [1, 2]", True),
        (BARE, f"Here: {TAGGED} Done.", True),
        (BARE, f'<think>The 5" pipe is meant.</think>{DATA}', True),
        (BARE, DATA + "]", False),
        (BARE, f"\\boxed{{{DATA}}}", True),
        (BARE, DATA.replace("}]", "]}"), False),
        (FENCED, f'{F}json\n{{"name": "cut\n{F}\nAgain:\n{F}json\n{DATA}\n{F}', True),
        (AS_YAML, f"{F}yaml\n- name: |\n    {F}sh\n    ls\n    {F}\n  qty: 4\n- name: b\n  qty: 1\n{F}", True),
        (AS_YAML, f"{F}yaml\n{YAML}\n{F}done", True),
        (AS_YAML, YAML.replace("12", ".inf"), False),
        (AS_YAML, YAML.replace("hinge", "no").replace("12", "0x1F"), True),
        (AS_YAML, "- name: !!binary aGk=\n  qty: 1\n- name: b\n  qty: 1", False),
    ],
)
def test_items(spec, answer, there):
    assert recover_ifstruct(answer, spec).recoverable == there


@pytest.mark.parametrize(
    ("target", "answered", "label", "same"),
    [
        ("1.250,00 \u20ac", "\u20ac1,250.00", "exact", True),
        ("1.250", "1250", "exact", False),
        ("-$5", "$-5", "exact", True),
        ("05/05/2024", "2024-05-05", "exact", True),
        ("March 2024", "2024-03", "exact", True),
        ("2024-13-05", "2024-12-05", "exact", False),
        ("\u00bd cup", "1/2 cup", "exact", True),
        ("_", "", "exact", False),
        ("Net 30", "net-30", "fuzzy", True),
        (2019, 2020, "fuzzy", False),
        (20190, 20200, "fuzzy", True),
        (10**400, 10**400 + 1, "fuzzy", False),
        ({"x": {}}, {"x": []}, "exact", False),
        ({"x": [1, 2]}, {"x": [1]}, {"x": "ignore", "y": "exact"}, True),
    ],
)
def test_values(target, answered, label, same):
    found = recover_sobench(json.dumps({"v": answered, "k": 1}), row({"v": target, "k": 1}, {"v": label, "k": "exact"}))
    assert found.recoverable == same


def test_a_scalar_is_read_where_it_is_the_whole_answer():
    assert recover_sobench("12.5", row(12.5)).recoverable
    assert recover_sobench(f"{F}\ntrue\n{F}", row(True)).recoverable
    assert not recover_sobench("The answer is 12.5", row(12.5)).recoverable
    assert not recover_sobench("true", row({"v": 1}, {"v": "ignore"})).recoverable
