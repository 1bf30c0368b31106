"""How much text is looked at, so that no answer takes longer than about a second."""

from __future__ import annotations

from typing import Final

__all__ = ["MAX_CHARS", "too_long"]

MAX_CHARS: Final = 1_000_000
"""Characters of an answer without white space at its ends; a quarter of a million tokens."""


def too_long(text: object) -> str:
    """Return the sentence that says why a text is not looked at, "" for one that is."""
    if not isinstance(text, str):
        return "There is no answer." if text is None else f"The answer is not text but {type(text).__name__}."
    length = len(text.strip())
    return f"The answer has {length} characters, more than the {MAX_CHARS} looked at." if length > MAX_CHARS else ""
