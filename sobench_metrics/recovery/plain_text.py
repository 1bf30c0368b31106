"""Renderings of a text that say the same: each step takes a text and returns a plainer one."""

from __future__ import annotations

import html
import re
import unicodedata
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["MAX_TEXT", "plainer"]

MAX_TEXT: Final = 20_000
"""Longest value looked at for renderings; a longer one is taken as it is written."""

_MAX_LINK: Final = 600
"""Characters that a link may add; no rendering makes a text longer than four times and this."""

_LINK = re.compile(r"!?\[([^\[\]]{1,500})\]\([^()\s]{1,500}\)")
_STRONG = re.compile(r"(?<!\w)(\*{1,3}|_{1,3}|~~|`{1,2})(?=\S)([^*_~`]{1,500})(?<=\S)\1(?!\w)")
_HEADING = re.compile(r"\A#{1,6}[ \t]+|\A>[ \t]+")
_POWER = re.compile(r"(?<=[0-9])\u207b?[\u2070\u00b9\u00b2\u00b3\u2074-\u2079]+")
_BESIDE_DIGIT = re.compile(r"(?<=[0-9])(?=[\u00bc-\u00be\u2150-\u215e\u2080-\u2089])")
_DOUBLE_QUOTES: Final = "\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033"
_SINGLE_QUOTES: Final = "\u2018\u2019\u201a\u201b\u2039\u203a\u2032\u00b4`"
_DASHES: Final = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"
_SPACES: Final = "\u00a0\u2007\u2009\u200a\u202f"
_INVISIBLE: Final = "\u200b\u2060\ufeff\u00ad"
_ALIKE: Final = ((_DOUBLE_QUOTES, '"'), (_SINGLE_QUOTES, "'"), (_DASHES, "-"), (_SPACES, " "), (_INVISIBLE, ""))
_PLAIN: Final = str.maketrans({sign: plain for signs, plain in _ALIKE for sign in signs} | {"\u2026": "..."})


def without_marks(text: str) -> str:
    """Return the text without Markdown emphasis, code marks, links, and a heading or quote mark in front."""
    text = _LINK.sub(r"\1", _HEADING.sub("", text.strip()))
    return _STRONG.sub(r"\2", _STRONG.sub(r"\2", text))


def without_entities(text: str) -> str:
    """Return the text with HTML entities resolved."""
    return html.unescape(text) if "&" in text else text


def usual_width(text: str) -> str:
    """Return the text in Unicode's compatibility composition: full-width letters, ligatures, combining accents.

    A power or fraction behind a digit stays apart from it: `10\u00b2` is no `102`, `1\u00bd` no `11/2`. A text that
    would grow more than threefold is left alone: single characters stand for whole phrases there.
    """
    apart = _POWER.sub(lambda power: "^" + power[0].replace("\u207b", "-"), _BESIDE_DIGIT.sub(" ", text))
    plain = unicodedata.normalize("NFKC", apart).replace("\u2044", "/")
    return plain if len(plain) <= 3 * len(text) else text


def plain_quotes(text: str) -> str:
    """Return the text with ASCII quotes, dashes and spaces, and without quotes around the whole of it."""
    text = text.translate(_PLAIN).strip()
    for quote in "\"'":
        if len(text) > 2 and text[0] == text[-1] == quote and quote not in text[1:-1]:
            return text[1:-1].strip()
    return text


_STEPS: Final[tuple[tuple[str, Callable[[str], str]], ...]] = (
    ("value.marks", without_marks),
    ("value.entities", without_entities),
    ("value.quotes", plain_quotes),
    ("value.width", usual_width),
)


def plainer(one: str, two: str) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Yield two texts as written, then each time one step plainer, with the codes of the steps that changed one."""
    yield one, two, ()
    longer, shorter = max(len(one), len(two)), min(len(one), len(two))
    if longer > MAX_TEXT or longer > 4 * shorter + _MAX_LINK:
        return
    steps: tuple[str, ...] = ()
    for code, step in _STEPS:
        plain = step(one), step(two)
        if plain != (one, two):
            one, two = plain
            steps = (*steps, code)
            yield one, two, steps
