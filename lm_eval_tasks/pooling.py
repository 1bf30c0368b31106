"""Ratios that pool exactly: a micro average per task, the true micro average over a group, and its error.

lm-eval averages the members of a group as sum(value x size) / sum(size), and ignores every other aggregation
there; its pooled standard error is sqrt(sum((size - 1) x error^2 x size) / ...). For ratios of sums both formulas
are wrong. The floats below answer to exactly that arithmetic with sums of their own: whatever weights lm-eval
multiplies by, what comes out is computed from the pooled moments of all samples.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sobench_metrics.moments import Moments

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["UNDEFINED", "Ratio", "RatioError", "mean", "ratio", "ratio_stderr", "skip_none_mean", "skip_none_stderr"]

UNDEFINED = "N/A"  # lm-eval's own word; a NaN would make the results file unreadable to strict JSON parsers


@dataclass(frozen=True, slots=True)
class _Pool:
    """Adds moments and shrugs at weights; becomes a `Ratio` by division, a `RatioError` by square root."""

    moments: Moments
    of_errors: bool

    def __mul__(self, _weight: float) -> _Pool:
        return self

    __rmul__ = __mul__

    def __add__(self, other: _Pool | float) -> _Pool:
        return _Pool(self.moments + other.moments, self.of_errors) if isinstance(other, _Pool) else self

    __radd__ = __add__

    def __truediv__(self, _weight: float) -> _Pool | Ratio:
        return self if self.of_errors else Ratio(self.moments)

    def sqrt(self) -> RatioError:  # numpy.sqrt of an object calls this
        return RatioError(self.moments)


class Ratio(float):
    """A micro average that remembers its sums; `ratio x size` enters a pool instead of losing them."""

    moments: Moments

    def __new__(cls, moments: Moments) -> Ratio:  # noqa: PYI034 - Self needs Python 3.11
        self = super().__new__(cls, moments.value)
        self.moments = moments
        return self

    def __mul__(self, _weight: float) -> _Pool:  # type: ignore[override]
        return _Pool(self.moments, of_errors=False)


class RatioError(float):
    """The standard error of a `Ratio`; its square enters a pool of errors."""

    moments: Moments

    def __new__(cls, moments: Moments) -> RatioError:  # noqa: PYI034 - Self needs Python 3.11
        self = super().__new__(cls, moments.error)
        self.moments = moments
        return self

    def __pow__(self, _exponent: float) -> _Pool:  # type: ignore[override]
        return _Pool(self.moments, of_errors=True)


def ratio(pairs: Sequence[tuple[float, float]]) -> Ratio:
    """Aggregation: the micro average of (numerator, denominator) pairs."""
    return Ratio(Moments.of(pairs))


def ratio_stderr(pairs: Sequence[tuple[float, float]]) -> RatioError | str:
    """Aggregation: the standard error of that micro average; "N/A" for fewer than two samples or nothing to count."""
    moments = Moments.of(pairs)
    return UNDEFINED if math.isnan(moments.error) else RatioError(moments)


def mean(values: Sequence[float]) -> Ratio:
    """Aggregation: a mean over as many samples as there are, which a group pools by just these and not by its rows."""
    return ratio([(value, 1) for value in values])


def skip_none_mean(values: Sequence[float | None]) -> Ratio | str:
    """Aggregation of a slice: the mean over the samples inside it (None = outside); "N/A" when it is empty."""
    inside = _inside(values)
    return ratio(inside) if inside else UNDEFINED


def skip_none_stderr(values: Sequence[float | None]) -> RatioError | str:
    """Aggregation of a slice: the standard error of its mean."""
    return ratio_stderr(_inside(values))


def _inside(values: Sequence[float | None]) -> list[tuple[float, float]]:
    return [(value, 1) for value in values if value is not None]
