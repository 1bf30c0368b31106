"""Our own hold-out: what a careful reader says of answers that no public report is about."""

import json

import pytest

from sobench_metrics.recovery import recover_ifstruct, recover_sobench
from tests.recovery import own_ifstruct_cases as ifstruct
from tests.recovery import own_sobench_cases as sobench


def named(cases):
    return [pytest.param(*case[1:], id=case[0]) for case in cases]


@pytest.mark.parametrize(("row", "answer"), named(ifstruct.GOOD))
def test_the_items_are_there(row, answer):
    found = recover_ifstruct(answer, row)
    assert found.recoverable, found.reason
    assert found.value is not None


@pytest.mark.parametrize(("row", "answer"), named(ifstruct.BAD))
def test_the_items_are_not_there(row, answer):
    found = recover_ifstruct(answer, row)
    assert not found.recoverable
    assert found.reason.endswith(".")


@pytest.mark.parametrize(("target", "answered", "label", "same"), sobench.VALUES)
def test_a_value_is_the_same_or_another(target, answered, label, same):
    row = sobench.row({"v": target, "k": 1}, {"v": label, "k": "exact"})
    found = recover_sobench(json.dumps({"v": answered, "k": 1}), row)
    assert found.recoverable == same, found
    assert found.fields.matched >= 1


@pytest.mark.parametrize(("answer", "there"), named(sobench.WHOLE))
def test_the_fields_are_there_or_not(answer, there):
    found = recover_sobench(answer, sobench.row(sobench.SHOP))
    assert found.recoverable == there, found
    assert found.fields.total == 2
    assert (found.fields.matched == 2) == there
