"""Content rules about one text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["absent", "lines", "phrase", "quotes", "words"]


def lines(value: Any, wanted: Mapping[str, Any]) -> str | None:
    """A text has exactly so many lines; a line break at its very end begins no new one."""
    if not isinstance(value, str):
        return None
    found = value.removesuffix("\n").count("\n") + 1 if value else 0
    return None if found == wanted["exactly"] else f"{found} lines, exactly {wanted['exactly']} are wanted"


def words(value: Any, wanted: Mapping[str, Any]) -> str | None:
    """A text has at least and at most so many words, which white space separates."""
    if not isinstance(value, str):
        return None
    found, least, most = len(value.split()), wanted["least"], wanted["most"]
    return None if least <= found <= most else f"{found} words, {least} to {most} are wanted"


def quotes(value: Any, wanted: Mapping[str, Any]) -> str | None:
    """A text holds at least so many straight double quotation marks."""
    if not isinstance(value, str):
        return None
    found, least = value.count('"'), wanted["least"]
    return None if found >= least else f"{found} double quotation marks, at least {least} are wanted"


def phrase(value: Any, wanted: Mapping[str, Any]) -> str | None:
    """A text holds the phrase, letter by letter."""
    if not isinstance(value, str) or wanted["text"] in value:
        return None
    return f"the phrase {wanted['text']!r:.80} is not there"


def absent(value: Any, wanted: Mapping[str, Any]) -> str | None:
    """A text does not hold the phrase, in capital or small letters."""
    if not isinstance(value, str) or wanted["text"].casefold() not in value.casefold():
        return None
    return f"{wanted['text']!r:.80} is there and must not be"
