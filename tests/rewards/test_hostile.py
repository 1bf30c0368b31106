"""Completions that want to break the scorer: each one is told its reward, in bounds."""

import warnings

import pytest

from sobench_metrics.rewards import (
    ifstruct_reward,
    ifstruct_shaped_reward,
    sobench_official_reward,
    sobench_reward,
    with_guards,
)
from sobench_metrics.rewards.judge import judge_all
from tests.rewards.rows import BILL, TEA, repeated, tea_answer

HOSTILE = {
    "deep lists": "[" * 100_000,
    "deep and closed": "[" * 50_000 + "]" * 50_000,
    "deep objects": '{"a":' * 20_000 + "1" + "}" * 20_000,
    "many thoughts": "<think>" * 20_000,
    "many fences": "```json\n" * 5_000,
    "a long number": '{"total": ' + "9" * 100_000 + "}",
    "an endless number": '{"shop": "Corner", "total": 1e999999, "paid": NaN}',
    "lone surrogates": '{"shop": "\ud800\udfff"}',
    "zeros": "\x00" * 10_000,
    "white space": " " * 100_000,
    "YAML aliases": "a: &a [x]\n" + "".join(f"{chr(98 + n)}: &{chr(98 + n)} [{', '.join([f'*{chr(97 + n)}'] * 9)}]\n" for n in range(9)),
    "YAML tags": "- !!python/object/apply:os.system ['echo hi']\n- !!bool maybe\n- !!timestamp now\n",
    "one key, often": '{"teas": [' + ", ".join(['{"name": "x", "name": "x"}'] * 2_000) + "]}",
}  # fmt: skip
REWARDS = {
    "ifstruct": (ifstruct_reward, TEA),
    "shaped": (ifstruct_shaped_reward, TEA),
    "guarded": (with_guards(ifstruct_shaped_reward), TEA),
    "yaml": (with_guards(ifstruct_shaped_reward), {**TEA, "output_format": "yaml", "require_code_block": False}),
    "sobench": (with_guards(sobench_reward), BILL),
    "sobench official": (sobench_official_reward, BILL),
}


@pytest.mark.parametrize("name", REWARDS)
def test_hostile_completions_are_bounded_and_told_in_silence(name):
    reward, row = REWARDS[name]
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # a fault of ours would be a warning
        found = reward(None, [*HOSTILE.values(), *[None, 17, [], [{}]]], **repeated(row, len(HOSTILE) + 4))
    assert all(-0.1 <= value < 1.0 for value in found)


class Clumsy:
    """A judge with a fault for one text."""

    columns = ("json_schema",)

    def __call__(self, text, row):
        if text == "bad luck":
            raise ZeroDivisionError("ours")
        return 0.0 if text is None else 1.0


def test_a_fault_of_ours_costs_one_reward_and_is_told():
    with pytest.warns(RuntimeWarning, match=r"ZeroDivisionError: ours.*counts as a missing answer"):
        assert judge_all(Clumsy(), ["fine", "bad luck", "fine"], [TEA] * 3) == [1.0, 0.0, 1.0]


def test_a_long_right_answer_still_passes():
    """The bounds above are no bounds on honest answers."""
    teas = [{"name": "A" * 20_000, "minutes": 3, "kind": "green", "note": "b"}] * 2
    assert ifstruct_reward(None, [tea_answer(teas)], **repeated(TEA, 1)) == [1.0]
