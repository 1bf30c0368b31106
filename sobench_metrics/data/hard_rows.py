"""The rows of the tasks `ifstruct_hard` and `ifstruct_hard_sample`: made in memory, nothing is fetched or read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sobench_metrics.data.ifstruct_rows import RowSet
from sobench_metrics.errors import UsageError
from sobench_metrics.ifstruct.hard import DEFAULT_SEED, PER_LEVEL, SAMPLE_PER_LEVEL, SAMPLE_SEED, hard_set

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["load_hard_rows"]

_MOST = 100_000
_NO_SETTINGS: Mapping[str, Any] = {}


def load_hard_rows(*, sample: bool, settings: Mapping[str, Any] = _NO_SETTINGS) -> RowSet:
    """Return the rows of the task, or of its sample; the same arguments give the same rows on every machine.

    `settings` may name another `hard_seed`, and `hard_rows`, the number of rows of each level; the revision tells both
    apart. Raises UsageError for settings that are no such numbers.
    """
    seed = settings.get("hard_seed", SAMPLE_SEED if sample else DEFAULT_SEED)
    per_level = settings.get("hard_rows", SAMPLE_PER_LEVEL if sample else PER_LEVEL)
    if type(seed) is not int or type(per_level) is not int or not 1 <= per_level <= _MOST:
        raise UsageError(
            f"hard_seed {seed!r} and hard_rows {per_level!r} must be whole numbers, the latter from 1 to {_MOST:,}: "
            "correct them in --metadata."
        )
    made = hard_set(seed, per_level)
    return RowSet(made.rows, made.revision)
