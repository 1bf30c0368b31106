"""Standard errors that are not defined are left out of lighteval's results once its averages are made.

While it averages, lighteval wants the same names from all members of a group, so they are NaN until then. A NaN in the
file would make it unreadable to strict JSON parsers.
"""

from __future__ import annotations

import math
from functools import wraps
from typing import TYPE_CHECKING, Any

from lighteval.logging.info_loggers import MetricsLogger

from lighteval_tasks.pooled import Pooled

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["install"]


def install() -> None:
    """Remove our own undefined errors behind the aggregation."""
    MetricsLogger.aggregate = _without_undefined(MetricsLogger.aggregate)


def _without_undefined(original: Callable[..., None]) -> Callable[..., None]:
    @wraps(original)
    def aggregate(self: MetricsLogger, *args: Any, **kwargs: Any) -> None:
        original(self, *args, **kwargs)
        for numbers in self.metric_aggregated.values():
            for name in [name for name, value in numbers.items() if isinstance(value, Pooled) and math.isnan(value)]:
                del numbers[name]

    return aggregate
