"""The rows of the tasks `ifstruct_hard` and `ifstruct_hard_sample`: made in memory, or of a file of the user's."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from sobench_metrics.data.ifstruct_rows import RowSet, rows_of_file
from sobench_metrics.errors import UsageError
from sobench_metrics.ifstruct.hard import (
    DEFAULT_SEED,
    LEVELS,
    PER_LEVEL,
    SAMPLE_PER_LEVEL,
    SAMPLE_SEED,
    hard_set,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["OWN_FILE", "load_hard_rows"]

OWN_FILE = "SOBENCH_IFSTRUCT_HARD"
"""The variable that names a file for `ifstruct_hard`: of `sobench generate ifstruct-hard`, or of other rows."""

_MOST = 10_000  # of each level; some 750 MB
_SETTINGS = ("hard_seed", "hard_rows")
_FURTHER = ("level", "style", "content_rules", "oracle_answer")
_NO_SETTINGS: Mapping[str, Any] = {}


def load_hard_rows(*, sample: bool, settings: Mapping[str, Any] = _NO_SETTINGS) -> RowSet:
    """Return the rows of the task, or of its sample; the same arguments give the same rows on every machine.

    `settings` may name another `hard_seed`, and `hard_rows`, the number of rows of each level; the revision tells both
    apart. The rows of the task, not of its sample, come from the file that SOBENCH_IFSTRUCT_HARD names, if it does.
    Raises UsageError for settings that are no such numbers, and for a file that holds no such rows.
    """
    own = None if sample else os.environ.get(OWN_FILE)
    if own:
        if given := [name for name in _SETTINGS if name in settings]:
            raise UsageError(f"{given[0]} is of no use with the rows of {own}: drop it, or unset {OWN_FILE}.")
        return _of_file(own)
    seed = settings.get("hard_seed", SAMPLE_SEED if sample else DEFAULT_SEED)
    per_level = settings.get("hard_rows", SAMPLE_PER_LEVEL if sample else PER_LEVEL)
    if type(seed) is not int or type(per_level) is not int or not 1 <= per_level <= _MOST:
        raise UsageError(
            f"hard_seed {seed!r} and hard_rows {per_level!r} must be whole numbers, the latter from 1 to {_MOST:,}: "
            "correct them in --metadata."
        )
    made = hard_set(seed, per_level)
    return RowSet(made.rows, made.revision)


def _of_file(name: str) -> RowSet:
    found = rows_of_file(name, named_by=OWN_FILE, further=_FURTHER)
    known = {level.number for level in LEVELS}
    for number, row in enumerate(found.rows):
        if row["level"] is not None and (type(row["level"]) is not int or row["level"] not in known):
            raise UsageError(f"row {number} of {name} has the level {row['level']!r}: need 1 to 5, or none.")
    return found
