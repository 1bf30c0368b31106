"""What stands between, before and behind digits, made visible to a comparison that drops punctuation.

`12.5` is not `125`, `3/4` is no `3-4`, `-5` and `5-` are no `5`. Alike are: a comma and a point inside a number
(`12,5`), a dash and a space (`A 12`), commas, semicolons and full stops before a space, and the separators of a date.
"""

from __future__ import annotations

import re
from typing import Final

__all__ = ["forms", "numbers"]

_SHOWN: Final = 0xE000
"""Separators are moved up to here, into a private area: no comparison drops these characters, no text has them."""

_SEPARATOR = re.compile(r"(?<=\d)[^\w+%]+(?=\d)")
_GROUPING = re.compile(r"(?<![\d.,])(\d{1,3})((?:[,' ]\d{3})+)(?![\d]|[,' ]\d)")
_DATE = re.compile(r"(?<!\d)(?:\d{4}([./-])\d{1,2}\1\d{1,2}|\d{1,2}([./-])\d{1,2}\2(?:\d{4}|\d{2}))(?![\d]|[./-]\d)")
_YEARS = re.compile(r"(?<!\d)(\d{4})[/-](\d{4}|\d{2})(?![\d]|[./-]\d)")
_LIST = re.compile(r"(?<![\d.])\d+(?:,\d+){2,}(?![\d.])")
_LONG = re.compile(r"\+?\(?\d(?:[ ()-]{0,3}\d){6,}")
_SIGN = re.compile(r"(?<![\w.,)-])-(?=\.?\d)|(?<=\d)-(?=\s*\Z)")
_MINUS: Final = "\u2212"
_NUMBERS = re.compile(rf"{_MINUS}?\d[\d{chr(_SHOWN)}-{chr(_SHOWN + 127)}]*")


def forms(text: str) -> tuple[str, str]:
    """Return the text with its separators shown, then with those of long numbers (telephone, card) left out first."""
    text = _SIGN.sub(_MINUS, _GROUPING.sub(_ungrouped, text))
    text = _YEARS.sub(r"\1/\2", _DATE.sub(_as_date, _LIST.sub(_as_list, text)))
    return _SEPARATOR.sub(_shown, text), _SEPARATOR.sub(_shown, _LONG.sub(_joined, text))


def numbers(text: str) -> list[str]:
    """Return the numbers of a text in their order, signs and separators shown."""
    return _NUMBERS.findall(forms(text)[0])


def _shown(match: re.Match[str]) -> str:
    kind = "".join(match[0].split())
    if not kind:
        kind = "-"
    elif kind in (",", ".", ";") and kind != match[0]:
        kind = ";"
    elif kind == ",":
        kind = "."
    return "".join(chr(_SHOWN + ord(sign)) if sign.isascii() else sign for sign in kind)


def _ungrouped(match: re.Match[str]) -> str:
    return match[1] + re.sub(r"\D", "", match[2])


def _as_list(match: re.Match[str]) -> str:
    return match[0].replace(",", "; ")


def _as_date(match: re.Match[str]) -> str:
    return re.sub(r"[./-]", "/", match[0])


def _joined(match: re.Match[str]) -> str:
    return re.sub(r"[ ()-]", "", match[0])
