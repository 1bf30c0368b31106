"""One JSON object out of a file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from sobench_metrics.data.plain_words import reason
from sobench_metrics.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["read_json"]


def read_json(file: Path) -> dict[str, Any]:
    """Return the object in a file; raises UsageError when there is none."""
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise UsageError(f"cannot read {file} ({reason(error)}): repeat that run.") from error
    if not isinstance(found, dict):
        raise UsageError(f"{file} is no results file: name a run of lm-eval, lighteval or IFStruct's own runner.")
    return found
