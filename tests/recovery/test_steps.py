"""Each step by one answer that needs just it; together they are the table."""

import json

import pytest

from sobench_metrics.recovery import STEPS, recover_ifstruct, recover_sobench
from tests.recovery.own_ifstruct_cases import AS_YAML, BARE, DATA, FENCED, KEYED, WRAPPED, YAML, F
from tests.recovery.own_sobench_cases import row

BLOCK = f"{F}json\n{DATA}\n{F}"
IFSTRUCT = {
    "marks.bom": (BARE, "\ufeff" + DATA),
    "marks.reasoning": (BARE, f"<think>hm</think>{DATA}"),
    "marks.channel": (BARE, f"<|channel|>final<|message|>{DATA}"),
    "marks.end": (BARE, DATA + "<|im_end|>"),
    "marks.answer_tag": (BARE, f"<answer>{DATA}</answer>"),
    "prose.around": (BARE, f"Here: {DATA}"),
    "blocks.several": (FENCED, f"{F}text\n[1]\n{F}\n{BLOCK}"),
    "blocks.repeated": (BARE, f"{DATA}\n{DATA}"),
    "fence.broken": (FENCED, f"{F}json {DATA} {F}"),
    "fence.missing": (FENCED, DATA),
    "fence.tag": (FENCED, BLOCK.replace("json", "yaml")),
    "space.unusual": (BARE, DATA.replace(": ", ":\u00a0")),
    "format.yaml": (BARE, YAML),
    "format.json": (AS_YAML, DATA),
    "format.flow": (AS_YAML, "- {name: a, qty: 1}\n- {name: b, qty: 2}"),
    "yaml.core": (AS_YAML, YAML.replace("hinge", "no")),
    "wrapper.missing": (KEYED, DATA),
    "wrapper.renamed": (KEYED, WRAPPED.replace("parts", "items")),
    "wrapper.unexpected": (BARE, WRAPPED),
    "wrapper.nested": (KEYED, '{"data": ' + WRAPPED + "}"),
    "value.case": (BARE, DATA.replace("4}", '4, "kind": "RAW"}')),
}
SOBENCH = {
    "value.marks": ("Kiosk", "[Kiosk](https://k.example)"),
    "value.entities": ("Salt & Co", "Salt &amp; Co"),
    "value.width": ("Room 2", "Room \uff12"),
    "value.quotes": ("Tim's", "Tim\u2019s"),
    "value.number": ("$1,250.00", "$1250"),
    "value.date": ("2024-03-05", "5 March 2024"),
    "value.null_left_out": (None, ...),
}


@pytest.mark.parametrize("code", IFSTRUCT)
def test_an_ifstruct_answer_needs_one_step(code):
    spec, answer = IFSTRUCT[code]
    found = recover_ifstruct(answer, spec)
    assert (found.recoverable, found.steps) == (True, (code,))


@pytest.mark.parametrize("code", SOBENCH)
def test_a_sobench_value_needs_one_step(code):
    target, answered = SOBENCH[code]
    answer = {"k": 1} if answered is ... else {"v": answered, "k": 1}
    found = recover_sobench(json.dumps(answer), row({"v": target, "k": 1}))
    assert (found.recoverable, found.steps) == (True, (code,))


def test_the_table_has_these_steps_and_no_others():
    assert STEPS.keys() == IFSTRUCT.keys() | SOBENCH.keys()


def test_steps_stand_in_the_order_in_which_they_were_needed():
    found = recover_ifstruct(f"\ufeff<think>x</think>Here:\n{F}json {WRAPPED}{F}", BARE)
    assert found.steps == ("marks.bom", "marks.reasoning", "prose.around", "fence.broken", "wrapper.unexpected")
