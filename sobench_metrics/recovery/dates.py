"""Dates: the day or month that a text names, where only one can be meant."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["date"]

_MAX_CHARS: Final = 40
_MONTHS: Final = {
    name: number
    for number, names in enumerate(
        ("january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul", "august aug",
         "september sep sept", "october oct", "november nov", "december dec"), 1,
    )
    for name in names.split()
}  # fmt: skip
_WEEKDAY = re.compile(r"(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\.?,?\s+", re.IGNORECASE)
_YEAR_FIRST = re.compile(r"(\d{4})[-/.](\d{1,2})(?:[-/.](\d{1,2}))?")
_YEAR_LAST = re.compile(r"(\d{1,2})([-/.])(\d{1,2})\2(\d{4})")
_DAY_MONTH = re.compile(r"(\d{1,2})(?:st|nd|rd|th)?[\s-]+(?:of\s+)?([a-z]{3,9})\.?,?[\s-]+(\d{4})", re.IGNORECASE)
_MONTH_DAY = re.compile(r"([a-z]{3,9})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})", re.IGNORECASE)
_MONTH_YEAR = re.compile(r"([a-z]{3,9})\.?,?\s+(\d{4})", re.IGNORECASE)


def date(text: str) -> tuple[int, int, int] | None:
    """Return (year, month, day) of a text that is a date, day 0 for a whole month; None for any other text.

    None, too, where day and month could change places: `05/03/2024` is two days, and reading it as one is a guess.
    """
    text = text.strip().rstrip(".")
    if len(text) > _MAX_CHARS or not text.isascii():
        return None
    text = _WEEKDAY.sub("", text, count=1) if text[:1].isalpha() else text
    return _of_digits(text) or _of_words(text)


def _of_digits(text: str) -> tuple[int, int, int] | None:
    if match := _YEAR_FIRST.fullmatch(text):
        return _checked(int(match[1]), int(match[2]), int(match[3] or 0))
    match = _YEAR_LAST.fullmatch(text)
    if match is None:
        return None
    one, two, year = int(match[1]), int(match[3]), int(match[4])
    if one == two or two > 12:
        return _checked(year, one, two)
    return _checked(year, two, one) if one > 12 else None


def _of_words(text: str) -> tuple[int, int, int] | None:
    if match := _DAY_MONTH.fullmatch(text):
        return _named(match[3], match[2], match[1])
    if match := _MONTH_DAY.fullmatch(text):
        return _named(match[3], match[1], match[2])
    match = _MONTH_YEAR.fullmatch(text)
    return _named(match[2], match[1], "0") if match else None


def _named(year: str, month: str, day: str) -> tuple[int, int, int] | None:
    number = _MONTHS.get(month.lower())
    return _checked(int(year), number, int(day)) if number else None


def _checked(year: int, month: int, day: int) -> tuple[int, int, int] | None:
    return (year, month, day) if 1 <= month <= 12 and day <= 31 else None
