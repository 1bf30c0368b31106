"""The text of a completion, in whatever form a trainer holds it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["text_of"]


def text_of(completion: Any) -> str | None:
    """Return the text the model answered with, None when there is none; never raises.

    A completion is a text, or a list of messages, of which the last one by the assistant counts (tool calls and their
    results may stand before it). A message is a mapping or an object with `role` and `content`; its content is a text,
    a list of parts of which those of type "text" are joined, or null.
    """
    if completion is None or isinstance(completion, str):
        return completion
    messages = completion if isinstance(completion, (list, tuple)) else [completion]
    answers = [message for message in messages if _part(message, "role") in {None, "assistant"}]
    return _content(_part(answers[-1], "content")) if answers else None


def _content(content: Any) -> str | None:
    if not isinstance(content, (list, tuple)):
        return content if isinstance(content, str) else None
    texts = [part if isinstance(part, str) else _part(part, "text") for part in content]
    found = [text for text in texts if isinstance(text, str)]
    return "".join(found) if found else None


def _part(message: Any, name: str) -> Any:
    if isinstance(message, Mapping):
        return message.get(name)
    return getattr(message, name, None)
