"""Rewards are the scorers: on every recorded vector of both benchmarks."""

import pytest

from sobench_metrics import sobench
from sobench_metrics.errors import UsageError
from sobench_metrics.ifstruct import Spec, validate
from sobench_metrics.response import remove_reasoning
from sobench_metrics.rewards import (
    Reward,
    SobenchMatch,
    ifstruct_reward,
    ifstruct_shaped_reward,
    sobench_official_reward,
    sobench_reward,
)
from tests.ifstruct.test_ifstruct_vectors import vectors as ifstruct_vectors
from tests.rewards.rows import SPEC_COLUMNS, columns
from tests.sobench import vectors as sobench_vectors

IFSTRUCT = list(ifstruct_vectors().values())
READABLE = [case for case in IFSTRUCT if "schema_valid" in case["expected"].get("details", ())]
SOBENCH = list(sobench_vectors.samples().values())
TARGET_IS_NO_JSON = "JSONDecodeError"


def spec_columns(cases):
    return columns([{name: case["spec"][name] for name in SPEC_COLUMNS} for case in cases])


def test_ifstruct_rewards_are_the_verdicts():
    rewards = ifstruct_reward(None, [case["response"] for case in IFSTRUCT], **spec_columns(IFSTRUCT))
    assert rewards == [case["expected"].get("score", 0.0) for case in IFSTRUCT]
    some = IFSTRUCT[::10]
    assert rewards[::10] == [validate(case["response"], Spec.from_row(case["spec"])).score for case in some]
    assert set(rewards) == {0.0, 1.0}


def test_shaped_rewards_agree_with_every_verdict_and_keep_fails_below():
    shaped = ifstruct_shaped_reward(None, [case["response"] for case in READABLE], **spec_columns(READABLE))
    for case, reward in zip(READABLE, shaped, strict=True):
        assert reward == 1.0 if case["expected"].get("passed") else 0.0 <= reward <= 0.5
    assert len(set(shaped)) > 20


def published(line, scored, counting):
    """The published formula once more, from the recorded counts where there are any."""
    expected = line["expected"]
    if scored.invalid:
        return -0.1
    alpha = 1.0 if expected["followed_schema"] else 0.8
    if counting == "official":
        return alpha * (expected["num_field_match"] / max(1, expected["total_num_fields"])) ** 2
    counts = scored.strict
    return alpha * (counts.matched / counts.total if counts.total else 1.0) ** 2


@pytest.mark.parametrize("counting", ["strict", "official"])
def test_sobench_rewards_are_the_published_shape_over_the_scores(counting):
    reward = Reward("raw", SobenchMatch(counting=counting, keep_reasoning=True))
    lines = [line for line in SOBENCH if line["expected"].get("raises") != TARGET_IS_NO_JSON]
    found = reward(None, [line["generation"] for line in lines], **sample_columns(lines))
    wanted = [published(line, sobench_vectors.score(line), counting) for line in lines]
    assert found == wanted
    assert {-0.1, 1.0} < set(found)


def sample_columns(lines):
    return {
        "target_json": [line["target_content"] for line in lines],
        "schema_json": [sobench.sample_schema(line) for line in lines],
        "evaluation_labels_json": [line["evaluation_labels"] for line in lines],
    }


def test_a_target_that_is_no_json_is_the_users_to_repair():
    broken = [line for line in SOBENCH if line["expected"].get("raises") == TARGET_IS_NO_JSON]
    assert broken
    for line in broken:
        with pytest.raises(UsageError, match="target is not JSON"):
            sobench_reward(None, [line["generation"]], **sample_columns([line]))


@pytest.mark.parametrize("reward", [sobench_reward, sobench_official_reward])
def test_reasoning_is_removed_as_the_tasks_do(reward):
    line = next(line for line in SOBENCH if line["expected"].get("full_match") and line["expected"]["followed_schema"])
    thought = f"<think>hm</think>{line['generation']}"
    assert remove_reasoning(thought).text == line["generation"].strip()
    assert reward(None, [thought], **sample_columns([line])) == [1.0]
