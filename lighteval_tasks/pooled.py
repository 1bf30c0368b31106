"""Floats that stay exact when lighteval averages them.

lighteval adds the figures of several tasks and divides by their number, for its rows `sobench:_average` and `all`.
For ratios of sums that is another number than the ratio over all samples. These floats answer to that arithmetic with
their sums, so that both rows hold the micro average over all samples, as lm-eval's group `sobench` does.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sobench_metrics.moments import Moments

__all__ = ["Pooled", "figure", "stderr"]


class Pooled(float):
    """A ratio of sums, or its standard error, that remembers the sums."""

    moments: Moments
    is_error: bool

    def __new__(cls, moments: Moments, is_error: bool) -> Pooled:  # noqa: PYI034 - Self needs Python 3.11
        self = super().__new__(cls, moments.error if is_error else moments.value)
        self.moments, self.is_error = moments, is_error
        return self

    def __reduce__(self) -> tuple[type[Pooled], tuple[Moments, bool]]:
        return Pooled, (self.moments, self.is_error)

    def __add__(self, other: float | _Sum) -> _Sum:  # type: ignore[override]
        return _Sum(float(self), self.moments, self.is_error) + other

    __radd__ = __add__  # type: ignore[assignment]


@dataclass(frozen=True, slots=True)
class _Sum:
    """What an average is computed from; `moments` is None once a plain number of another benchmark joined it."""

    total: float
    moments: Moments | None
    is_error: bool

    def __add__(self, other: float | _Sum) -> _Sum:
        if isinstance(other, Pooled):
            other = _Sum(float(other), other.moments, other.is_error)
        if isinstance(other, _Sum):
            both = self.moments is not None and other.moments is not None and self.is_error == other.is_error
            moments = self.moments + other.moments if both else None  # type: ignore[operator]
            return _Sum(self.total + other.total, moments, self.is_error)
        if other == 0 and isinstance(other, int):  # where every sum starts
            return self
        return _Sum(self.total + other, None, self.is_error)

    __radd__ = __add__

    def __truediv__(self, count: float) -> float:
        return self.total / count if self.moments is None else Pooled(self.moments, self.is_error)


def figure(moments: Moments) -> Pooled:
    """Return the ratio sum(a) / max(1, sum(b))."""
    return Pooled(moments, is_error=False)


def stderr(moments: Moments) -> Pooled:
    """Return the ratio's standard error; NaN for fewer than two samples or nothing to count.

    lighteval needs the same names from each member of a group, so an error that is not defined is not left out.
    """
    return Pooled(moments, is_error=True)
