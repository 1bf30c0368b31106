"""What a user sets by environment variable, where lighteval has no option to pass it through."""

from __future__ import annotations

import os

from sobench_metrics.errors import UsageError

__all__ = ["DETAILS_WITH_LABELS", "MAX_TOKENS", "MERGE_SYSTEM", "labels_wanted", "max_tokens", "merge_system"]

DETAILS_WITH_LABELS = "SOBENCH_DETAILS_WITH_LABELS"
MAX_TOKENS = "SOBENCH_MAX_TOKENS"
MERGE_SYSTEM = "SOBENCH_MERGE_SYSTEM"

_YES, _NO = ("1", "true", "yes"), ("", "0", "false", "no")


def labels_wanted() -> bool:
    """Return whether details, which may be pushed to a hub, shall hold schemas, targets and labels."""
    return _switch(DETAILS_WITH_LABELS)


def merge_system() -> bool:
    """Return whether the system prompt shall stand in the user's message, for templates without a system role."""
    return _switch(MERGE_SYSTEM)


def max_tokens() -> int | None:
    """Return the most tokens of an answer that the user wants, or None for each task's own; raises UsageError.

    lighteval lets a task's size win over every setting of its text backend, and has no option for it.
    """
    asked = os.environ.get(MAX_TOKENS, "")
    if not asked:
        return None
    if not asked.isdecimal() or int(asked) < 1:
        raise UsageError(f"{MAX_TOKENS}={asked!r} is no number of tokens: give one, or unset it.")
    return int(asked)


def _switch(name: str) -> bool:
    asked = os.environ.get(name, "").lower()
    if asked not in _YES + _NO:
        raise UsageError(f"{name}={asked!r} is neither yes nor no: set it to 1, or unset it.")
    return asked in _YES
