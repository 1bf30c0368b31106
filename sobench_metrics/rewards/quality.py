"""A signal of quality beside structure, which alone can be gamed: it may take from a reward, never add to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from sobench_metrics.errors import UsageError

if TYPE_CHECKING:
    from sobench_metrics.rewards.reward import Reward

__all__ = ["LEAST_FLOOR", "Quality", "floor_under", "lowered", "with_quality"]

Quality = Callable[["str | None", Mapping[str, Any]], "float | None"]
"""From a completion's text and its row (all columns, `prompt` included) to [0, 1]; None for no opinion."""

LEAST_FLOOR: Final = 0.5
"""More than this is left of a full reward at the worst quality, so that a pass outranks every fail."""


def with_quality(reward: Reward, quality: Quality, *, weight: float) -> Reward:
    """Return the reward times `1 - weight * (1 - quality)` where it is above 0; zero and below stay as they are.

    So structure stays first: quality decides among answers that earned something, it buys nothing for one that did
    not, and as `weight` is below 0.5 (the weights of several terms multiplied out, likewise) an IFStruct pass outranks
    every fail, shaped reward included. `quality` runs in the caller's process, where a model may be at hand, once a
    completion; it is asked only where it matters. Raises UsageError for a weight out of bounds, and when called for a
    quality that is no number in [0, 1].
    """
    return replace(reward, qualities=(*reward.qualities, (quality, weight)), floor=floor_under(reward.floor, weight))


def floor_under(floor: float, weight: float) -> float:
    """Return what is left of a full reward below a further term; raises UsageError when that is too little."""
    left = floor * (1 - weight)
    if not (weight > 0 and left > LEAST_FLOOR):
        raise UsageError(
            f"A weight of {weight} leaves {left:.2f} of a full reward at the worst quality: give one above 0 that "
            f"leaves more than {LEAST_FLOOR}, all terms together."
        )
    return left


def lowered(reward: float, quality: Quality, weight: float, text: str | None, row: Mapping[str, Any]) -> float:
    """Return a reward after one term (`with_quality` has the rule)."""
    if reward <= 0:
        return reward
    value = quality(text, row)
    if value is None:
        return reward
    if not 0 <= value <= 1:  # also true of NaN
        raise UsageError(f"The quality function gave {value!r}: it must give a number from 0 to 1, or None.")
    return reward * (1 - weight * (1 - value))
