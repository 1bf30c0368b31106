"""No two rows of a split ask the same: prompts are compared without regard to case and white space."""

from __future__ import annotations

import hashlib

__all__ = ["Distinct"]


class Distinct:
    """The prompts so far, each as eight bytes: some 60 MB for a million rows.

    Two different prompts of a million share their eight bytes once in 36 million runs, and then a row is drawn anew.
    """

    def __init__(self) -> None:
        self._seen: set[int] = set()

    def is_new(self, prompt: str) -> bool:
        """Return whether nothing like it was seen; from now on it was."""
        mark = hashlib.sha256(" ".join(prompt.lower().split()).encode()).digest()[:8]
        number = int.from_bytes(mark, "big")
        if number in self._seen:
            return False
        self._seen.add(number)
        return True
