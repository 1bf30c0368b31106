"""What a prompt's text must not contain by chance, and how prompts are named and written in every harness."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["IMAGE_PLACE", "escape", "merged", "text_hash"]

IMAGE_PLACE = "<image>"
"""The mark that most image processors, and lm-eval's multimodal backends, take for a picture."""


def escape(text: str, reserved: Iterable[str]) -> str:
    r"""Return the text with `<` of each reserved text written as `\u003c`: the same string inside a JSON schema.

    Backends and processors split the text at every such mark, so one in a schema or an intent would shift the picture
    or crash the run.
    """
    for mark in reserved:
        text = text.replace(mark, f"\\u{ord(mark[0]):04x}{mark[1:]}")
    return text


def merged(system: str, user: str) -> str:
    """Return both prompts as one user's message, for chat templates without a system role."""
    return f"{system}\n\n{user}" if system else user


def text_hash(text: str) -> str:
    """Return eight hex digits that name a text in a signature."""
    return hashlib.sha256(text.encode()).hexdigest()[:8]
