"""Drawing by seed: equal on every interpreter, and row by row independent of how many rows are wanted.

Only whole numbers are drawn, so that no library of floating-point functions has a say.
"""

from __future__ import annotations

import hashlib
from random import Random
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["happens", "random_for", "some", "weighted"]

T = TypeVar("T")


def random_for(*names: str | int) -> Random:
    """Return a source of chance that the names alone decide (seed, split, number of the row, try)."""
    digest = hashlib.sha256("\x1f".join(map(str, names)).encode()).digest()
    return Random(int.from_bytes(digest[:16], "big"))  # noqa: S311 - data, no secret


def happens(rng: Random, percent: int) -> bool:
    """Return true in `percent` of 100 cases; draws in every case, so that a dial at 0 leaves the rest as it is."""
    return rng.randrange(100) < percent


def weighted(rng: Random, weights: Mapping[T, int]) -> T:
    """Return one key, each as often as its weight says."""
    mark = rng.randrange(sum(weights.values()))
    for key, weight in weights.items():
        mark -= weight
        if mark < 0:
            return key
    raise AssertionError("the mark lies below the sum of the weights")


def some(rng: Random, values: Sequence[T], number: int) -> list[T]:
    """Return `number` of the values (all, when there are fewer) in their own order."""
    chosen = set(rng.sample(range(len(values)), min(number, len(values))))
    return [value for index, value in enumerate(values) if index in chosen]
