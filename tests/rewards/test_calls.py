"""The calls that trainers make, and what a user gets to hear when a data set does not fit."""

import inspect
import json
import pickle
import subprocess
import sys
from types import SimpleNamespace

import pytest

from sobench_metrics.errors import UsageError
from sobench_metrics.rewards import (
    ifstruct_reward,
    ifstruct_shaped_reward,
    sobench_official_reward,
    sobench_reward,
    text_of,
    verifiers_reward,
)
from tests.rewards.rows import BILL, TEA, repeated, tea_answer


def as_trl(reward, prompts, completions, **columns):
    """The call of GRPOTrainer: all by name, its state and its two loggers among the columns."""
    return reward(
        prompts=prompts,
        completions=completions,
        completion_ids=[[1, 2]] * len(prompts),
        **columns,
        trainer_state=SimpleNamespace(global_step=3),
        log_extra=lambda _name, _values: None,
        log_metric=lambda _name, _value: None,
    )


def test_trl_calls_with_texts():
    assert as_trl(ifstruct_reward, ["?", "?"], [tea_answer(), "no"], **repeated(TEA, 2)) == [1.0, 0.0]


def test_trl_calls_with_conversations():
    prompts = [[{"role": "user", "content": "?"}]] * 2
    said = [[{"role": "assistant", "content": text}] for text in (tea_answer(), tea_answer(key="tea"))]
    assert as_trl(ifstruct_reward, prompts, said, **repeated(TEA, 2)) == [1.0, 0.0]


def test_trl_logs_the_name_and_pickles_the_function():
    for name, reward in (("ifstruct_reward", ifstruct_reward), ("sobench_reward", sobench_reward)):
        assert reward.__name__ == name
        assert pickle.loads(pickle.dumps(reward)) == reward
        assert not inspect.iscoroutinefunction(reward.__call__)


def test_decoded_and_encoded_columns_are_the_same():
    decoded = {**TEA, "json_schema": json.loads(TEA["json_schema"]), "top_level_count": 2}
    for text in (tea_answer(), tea_answer([])):
        assert ifstruct_shaped_reward(None, [text], **repeated(decoded, 1)) == ifstruct_shaped_reward(
            None, [text], **repeated(TEA, 1)
        )


def test_one_data_set_for_both_benchmarks():
    mixed = {name: [value, None] for name, value in TEA.items()} | {name: [None, value] for name, value in BILL.items()}
    answers = [tea_answer(), BILL["target_json"]]
    assert as_trl(ifstruct_reward, ["?", "?"], answers, **mixed) == [1.0, None]
    assert as_trl(sobench_reward, ["?", "?"], answers, **mixed) == [None, 1.0]


def test_sobench_rewards_by_hand():
    answers = {
        "not json": (-0.1, -0.1),
        '{"shop": "Corner", "total": 12, "paid": true}': (1.0, 1.0),
        '{"shop": "Corner", "total": 12, "paid": true, "more": 1}': (0.8, 0.8),
        '{"shop": "Corner", "total": 12}': ((2 / 4) ** 2, (2 / 3) ** 2),  # left out: a miss, or not counted
        '{"shop": "Corner", "total": 12, "paid": false}': ((2 / 4) ** 2, (2 / 4) ** 2),
    }
    strict = sobench_reward(None, list(answers), **repeated(BILL, len(answers)))
    official = sobench_official_reward(None, list(answers), **repeated(BILL, len(answers)))
    assert list(zip(strict, official, strict=True)) == list(answers.values())


@pytest.mark.parametrize(
    ("completion", "text"),
    [
        ("plain", "plain"),
        ([{"role": "assistant", "content": "said"}], "said"),
        ([{"content": "no role"}], "no role"),
        ([SimpleNamespace(role="assistant", content="an object")], "an object"),
        ([{"role": "assistant", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}], "ab"),
        (
            [
                {"role": "assistant", "content": "let me look", "tool_calls": []},
                {"role": "tool", "content": "found"},
                {"role": "assistant", "content": "the answer"},
                {"role": "user", "content": "thanks"},
            ],
            "the answer",
        ),
        ([{"role": "assistant", "content": None}], None),
        ([{"role": "tool", "content": "only a result"}], None),
        ([], None),
        (None, None),
        (17, None),
        ([17], None),
    ],
)
def test_the_text_of_a_completion(completion, text):
    assert text_of(completion) == text


def test_a_missing_column_is_named():
    known = repeated(TEA, 1)
    del known["require_code_block"]
    with pytest.raises(UsageError, match="Column 'require_code_block' is missing"):
        ifstruct_reward(None, ["x"], **known)


def test_a_column_of_another_length_is_named():
    with pytest.raises(UsageError, match="Column 'json_schema' has 1 values for 2 completions"):
        ifstruct_reward(None, ["x", "y"], **repeated(TEA, 1))


def test_a_column_that_is_no_list_is_named():
    with pytest.raises(UsageError, match="Column 'target_json' must be a list"):
        sobench_reward(None, ["x"], **repeated(BILL, 1) | {"target_json": "{}"})


def test_a_schema_merged_by_arrow_is_refused_and_not_scored():
    """Decoded schemas of several rows, once through a table, hold each other's properties as null."""
    merged = {"type": "array", "items": {"type": "object", "properties": {"name": {"type": "string"}, "other": None}}}
    with pytest.raises(UsageError, match="'json_schema' must hold an object at '/items/properties/other'"):
        ifstruct_reward(None, ["x"], **repeated({**TEA, "json_schema": merged}, 1))


def rubric_call(function, **objects):
    """The call of a verifiers rubric: by name, all of its objects where the function takes any keyword."""
    parameters = inspect.signature(function).parameters.values()
    assert any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters)
    assert not {parameter.name for parameter in parameters} & {"prompts", "completions", "answers", "states", "infos"}
    return float(function(**objects))


@pytest.mark.parametrize("info", [TEA, json.dumps(TEA)], ids=["decoded", "encoded"])
def test_a_rubric_calls_with_the_row_in_info(info):
    function = verifiers_reward(ifstruct_reward)
    assert function.__name__ == "ifstruct_reward"
    for text, reward in ((tea_answer(), 1.0), ("no", 0.0)):
        said = [{"role": "assistant", "content": text}]
        state = {"prompt": "?", "completion": said, "info": info}
        objects = {"prompt": "?", "completion": said, "answer": "", "state": state, "parser": object(), "task": None}
        assert rubric_call(function, **objects, info=info) == reward
        assert rubric_call(function, **objects) == reward
        assert rubric_call(function, **objects, **TEA, info={}) == reward


def test_a_rubric_without_columns_hears_which_one():
    with pytest.raises(UsageError, match="Column 'json_schema' is missing"):
        verifiers_reward(ifstruct_reward)("?", "text", "", {})


def test_importing_rewards_loads_no_trainer():
    code = (
        "import sys, sobench_metrics.rewards; "
        "print([name for name in ('torch', 'trl', 'verifiers', 'transformers', 'datasets', 'numpy') "
        "if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
