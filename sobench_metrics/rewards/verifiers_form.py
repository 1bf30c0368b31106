"""A reward in the form that verifiers' rubrics call: one rollout at a time, arguments by name."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sobench_metrics.rewards.reward import Reward

__all__ = ["verifiers_reward"]


def verifiers_reward(reward: Reward) -> Callable[..., float]:
    """Return `(prompt, completion, answer, state, **kwargs) -> float` for a `Rubric`, under the reward's name.

    The row's columns are looked for among the keyword arguments, then in `info` (a mapping or its JSON text), where
    verifiers keeps what belongs to a row. Raises UsageError for a missing column (a rubric logs that and counts 0). A
    row of another task counts 0, as a rubric takes numbers only.
    """

    def scored(
        prompt: Any = None,
        completion: Any = None,
        answer: Any = None,  # noqa: ARG001 - the rubric's signature
        state: Any = None,
        **kwargs: Any,
    ) -> float:
        known = {**_info(kwargs.get("info") or _of_state(state)), **kwargs}
        columns = {name: [value] for name, value in known.items()}
        value = reward([prompt], [completion], **columns)[0]
        return 0.0 if value is None else value

    scored.__name__ = scored.__qualname__ = reward.name
    return scored


def _of_state(state: Any) -> Any:
    return state.get("info") if isinstance(state, Mapping) else None


def _info(info: Any) -> Mapping[str, Any]:
    if isinstance(info, str):
        try:
            info = json.loads(info)
        except (ValueError, RecursionError):
            return {}
    return info if isinstance(info, Mapping) else {}
