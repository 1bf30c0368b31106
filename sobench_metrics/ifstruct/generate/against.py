"""The rows that generated ones keep away from: the user's own copy of the test set."""

from __future__ import annotations

import os
from pathlib import Path

from sobench_metrics.data.ifstruct_rows import RowSet, load_rows
from sobench_metrics.errors import UsageError
from sobench_metrics.ifstruct.generate.test_set import TEST_SET_NAMES

__all__ = ["prompts_to_avoid"]


def prompts_to_avoid(named: str | None) -> tuple[tuple[str, ...], str | None]:
    """Return prompts and revision of the named file, or of `SOBENCH_IFSTRUCT` where that is the test set.

    Returns nothing and None when neither names one: nothing is fetched for it. Raises UsageError for a file that
    cannot be read, whether it was named here or in the environment.
    """
    if named is not None:
        return _prompts(load_rows(named))
    from_environment = os.environ.get("SOBENCH_IFSTRUCT")
    if not from_environment:
        return (), None
    try:
        found = load_rows(Path(from_environment))
    except UsageError as error:
        raise UsageError(f"SOBENCH_IFSTRUCT is of no use as the rows to keep away from: {error}") from error
    return _prompts(found) if _is_test_set(found) else ((), None)


def _prompts(found: RowSet) -> tuple[tuple[str, ...], str]:
    return tuple(row["prompt"] for row in found.rows), found.revision


def _is_test_set(found: RowSet) -> bool:
    return any(row["entity_type"].rpartition("__")[2] in TEST_SET_NAMES for row in found.rows)
