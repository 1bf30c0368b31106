"""Rewards to train on, from the very scorers that the benchmarks use; no trainer is a dependency.

Each is called as TRL calls its reward functions; `verifiers_reward` gives the form that verifiers' rubrics call.
"""

from sobench_metrics.rewards.completions import text_of
from sobench_metrics.rewards.guards import plain_guards, with_guards
from sobench_metrics.rewards.ifstruct_judges import IfstructPass, IfstructShaped
from sobench_metrics.rewards.judge import Judge
from sobench_metrics.rewards.pool import RewardPool
from sobench_metrics.rewards.quality import Quality, with_quality
from sobench_metrics.rewards.reward import Reward
from sobench_metrics.rewards.sobench_judge import SobenchMatch
from sobench_metrics.rewards.verifiers_form import verifiers_reward

__all__ = [
    "IfstructPass",
    "IfstructShaped",
    "Judge",
    "Quality",
    "Reward",
    "RewardPool",
    "SobenchMatch",
    "ifstruct_reward",
    "ifstruct_shaped_reward",
    "plain_guards",
    "sobench_official_reward",
    "sobench_reward",
    "text_of",
    "verifiers_reward",
    "with_guards",
    "with_quality",
]

ifstruct_reward = Reward("ifstruct_reward", IfstructPass())
"""The official verdict: 1.0 or 0.0."""

ifstruct_shaped_reward = Reward("ifstruct_shaped_reward", IfstructShaped())
"""1.0 for what officially passes; up to 0.5 for how near another answer came (`IfstructShaped`)."""

sobench_reward = Reward("sobench_reward", SobenchMatch(counting="strict"))
"""SO-Bench's published shape; every labelled field counts, also one that was left out (`SobenchMatch`)."""

sobench_official_reward = Reward("sobench_official_reward", SobenchMatch(counting="official"))
"""The same shape over the released scorer's counts, where a field that was left out is not counted."""
