"""A short text for a simple regular expression: what a placeholder puts where a schema asks for a pattern."""

from __future__ import annotations

import string
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["text_for_pattern"]

_ESCAPES = {"d": "0", "w": "a", "s": " ", "D": "a", "W": "-", "S": "a", "n": "\n", "t": "\t", "r": "\r"}
_WIDTHLESS = frozenset("bBAZz")
_OUTSIDERS = "a0 -_" + string.ascii_letters + string.digits + string.punctuation.replace("\\", "")
_LONGEST = 10_000  # a pattern may ask for a{1000000}; no placeholder needs that


def text_for_pattern(pattern: str) -> str | None:
    """Return a text that matches, or None for constructs beyond literals, classes, groups, choices and repeats."""
    try:
        words, rest = _choice(pattern)
    except (IndexError, ValueError, RecursionError):
        return None
    return None if rest or len(words) > _LONGEST else words


def _choice(pattern: str) -> tuple[str, str]:
    """Take the first alternative and skip the others; stop at the end or before a closing bracket."""
    chosen, rest = _sequence(pattern)
    while rest.startswith("|"):
        _, rest = _sequence(rest[1:])
    return chosen, rest


def _sequence(pattern: str) -> tuple[str, str]:
    words = ""
    while pattern and pattern[0] not in "|)":
        piece, pattern = _piece(pattern)
        count, pattern = _repeats(pattern)
        if count * len(piece) > _LONGEST:
            raise ValueError("too long")
        words += piece * count
    return words, pattern


def _piece(pattern: str) -> tuple[str, str]:
    special: dict[str, Callable[[str], tuple[str, str]]] = {"(": _group, "[": _character_class, "\\": _escape}
    head, tail = pattern[0], pattern[1:]
    if head in special:
        return special[head](tail)
    if head in "^$":
        return "", tail
    if head in "*+?{":
        raise ValueError("nothing to repeat")
    return ("a" if head == "." else head), tail


def _group(pattern: str) -> tuple[str, str]:
    if pattern.startswith("?"):
        if not pattern.startswith("?:"):
            raise ValueError("look-around or named group")
        pattern = pattern[2:]
    words, rest = _choice(pattern)
    if not rest.startswith(")"):
        raise ValueError("unclosed group")
    return words, rest[1:]


def _character_class(pattern: str) -> tuple[str, str]:
    """Take a class's first member; of a negated class, the first character in ASCII that it does not name."""
    end = pattern.index("]", 2 if pattern.startswith("^") else 1)
    members, rest = pattern[:end], pattern[end + 1 :]
    if not members.startswith("^"):
        return (_escape(members[1:])[0] if members[0] == "\\" else members[0]), rest
    if "\\" in members or "-" in members[2:-1]:
        raise ValueError("negated range")
    others = [sign for sign in _OUTSIDERS if sign not in members]
    if not others:
        raise ValueError("every common character is excluded")
    return others[0], rest


def _escape(pattern: str) -> tuple[str, str]:
    head, tail = pattern[0], pattern[1:]
    if head in _WIDTHLESS:
        return "", tail
    if head in _ESCAPES:
        return _ESCAPES[head], tail
    if head.isalnum():
        raise ValueError("unknown escape or back reference")
    return head, tail


def _repeats(pattern: str) -> tuple[int, str]:
    """Return the least count that a quantifier allows, and what follows it (and its lazy mark)."""
    count, rest = 1, pattern
    if pattern[:1] in ("*", "?"):
        count, rest = 0, pattern[1:]
    elif pattern[:1] == "+":
        rest = pattern[1:]
    elif pattern[:1] == "{":
        inside, _, rest = pattern[1:].partition("}")
        count = int(inside.partition(",")[0] or 0)
    lazy = rest != pattern and rest[:1] == "?"
    return count, rest[1:] if lazy else rest
