"""Sums over samples from which a micro average and its standard error follow exactly, pooled in any order."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Moments"]


@dataclass(frozen=True, slots=True)
class Moments:
    """Sums over samples of numerator `a` and denominator `b`: all that a ratio and its error need."""

    n: int = 0
    a: float = 0
    b: float = 0
    aa: float = 0
    ab: float = 0
    bb: float = 0

    @classmethod
    def of(cls, pairs: Sequence[tuple[float, float]]) -> Moments:
        """Return the moments of (numerator, denominator) pairs."""
        return cls(
            len(pairs),
            sum(a for a, _ in pairs),
            sum(b for _, b in pairs),
            sum(a * a for a, _ in pairs),
            sum(a * b for a, b in pairs),
            sum(b * b for _, b in pairs),
        )

    def __add__(self, other: Moments) -> Moments:
        return Moments(
            self.n + other.n, self.a + other.a, self.b + other.b,
            self.aa + other.aa, self.ab + other.ab, self.bb + other.bb,
        )  # fmt: skip

    @property
    def value(self) -> float:
        """sum(a) / max(1, sum(b)): the references' guard against an empty denominator."""
        return self.a / max(1, self.b)

    @property
    def error(self) -> float:
        """Standard error of the ratio estimator, by linearisation: sqrt(n/(n-1) x sum((a - R b)^2)) / sum(b)."""
        if self.n < 2 or self.b <= 0:
            return float("nan")
        ratio_ = self.a / self.b
        squares = max(0.0, self.aa - 2 * ratio_ * self.ab + ratio_ * ratio_ * self.bb)
        return math.sqrt(squares * self.n / (self.n - 1)) / self.b
