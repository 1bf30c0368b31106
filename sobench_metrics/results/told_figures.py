"""The final figures that a harness wrote into its results file, under plain names."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["numbers", "plain_row", "told_figures"]


def plain_row(task: str) -> str:
    """Return the name of a row of results without shots and colons: `sobench_sample__average` is lighteval's group."""
    return task.partition("|")[0].replace(":", "_")


def told_figures(content: Mapping[str, Any]) -> dict[str, dict[str, float]]:
    """Return the figures by task and group and name, standard errors as NAME_stderr; of several filters the first."""
    results = content.get("results")
    rows = results if isinstance(results, dict) else {}
    return {plain_row(task): numbers(row) for task, row in rows.items() if isinstance(row, dict)}


def numbers(row: Mapping[str, Any]) -> dict[str, float]:
    """Return what of a row is a finite number, names without the harness's filter."""
    found: dict[str, float] = {}
    for key, value in row.items():
        if isinstance(value, (int, float)) and not isinstance(value, bool) and _is_finite(value):
            found.setdefault(key.partition(",")[0], value)
    return found


def _is_finite(value: float) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:  # a whole number beyond every float
        return False
