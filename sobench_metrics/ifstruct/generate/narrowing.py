"""Variants of a field's limits, so that one entity type gives no end of schemas."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from sobench_metrics.ifstruct.generate.chance import some

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

__all__ = ["narrowed_choices", "narrowed_range"]

_FEWEST = 2  # choices
_STEPS = 8  # below this many whole numbers a range is left alone


def narrowed_choices(values: Sequence[str] | Sequence[float], rng: Random) -> list[str] | list[float]:
    """Return at least two of the values, in their order."""
    kept: list[str] | list[float] = some(rng, values, rng.randint(_FEWEST, len(values)))  # type: ignore[assignment]
    return kept


def narrowed_range(low: float, high: float, rng: Random) -> tuple[float, float]:
    """Return a range inside the given one, at least half as wide, with round bounds where it is wide."""
    least, most = math.ceil(low), math.floor(high)
    span = most - least
    if span < _STEPS:
        return low, high
    step = 10 ** max(0, len(str(span)) - 2)
    lower = least + rng.randint(0, span // 4)
    upper = most - rng.randint(0, span // 4)
    lower, upper = -(-lower // step) * step, upper // step * step
    return (lower, upper) if lower < upper else (low, high)
