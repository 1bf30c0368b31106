"""Amounts: a number with its sign, currency, percent sign or unit, whatever its grouping and final zeros."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

__all__ = ["Amount", "amount"]

_MAX_CHARS: Final = 60
_NUMBER = r"\d{1,3}(?:[,' ]\d{3})+(?:\.\d+)?|\d{1,3}(?:\.\d{3})+,\d+|\d+(?:[.,]\d+)?|\.\d+"
_AMOUNT = re.compile(
    rf"(?P<sign>[-+]?)\s*(?P<before>[^\d\s.,+-]{{0,4}})\s*(?P<sign2>[-+]?)(?P<number>{_NUMBER})\s*(?P<after>[^\d\s,+-][^\d]{{0,15}})?"
)
_NAMING: Final = frozenset({"v", "ver", "rev", "no", "nr", "art", "fig", "sec", "ch", "p", "pp", "id", "#", "\u00a7"})
_GROUPED = re.compile(r"\d{1,3}(?:[,' ]\d{3})+(?:\.\d+)?")
_CONTINENTAL = re.compile(r"\d{1,3}(?:\.\d{3})+,\d+")


@dataclass(frozen=True, slots=True)
class Amount:
    """A value and what stands beside it (currency, unit, percent sign), in small letters, wherever it stands."""

    value: Decimal
    beside: str


def amount(text: str) -> Amount | None:
    """Return the amount that a text is, None where it is none or could be something else.

    A comma before just three last digits groups, a point never does: `1.250` is one and a quarter. A number with a
    leading zero is a name (`007`), not an amount, and so is one behind a word for names (`v1.20`). Brackets around the
    whole, which may mean a debt, stand beside the value.
    """
    text = text.strip().rstrip(".")
    if text.startswith("(") and text.endswith(")"):
        inner = amount(text[1:-1]) if len(text) <= _MAX_CHARS else None
        return inner and Amount(inner.value, f"({inner.beside})")
    match = _AMOUNT.fullmatch(text) if len(text) <= _MAX_CHARS else None
    if match is None or any(sign.isdigit() and not sign.isascii() for sign in text):
        return None
    if match["sign2"] and (match["sign"] or match["before"].strip().isalpha()):
        return None  # `INV-2041` is a name
    before, after = match["before"].strip(), (match["after"] or "").strip()
    number = _plain(match["number"])
    if (before and after) or before.casefold() in _NAMING or re.match(r"0\d", number):
        return None
    negative = "-" in (match["sign"], match["sign2"])
    return Amount(-Decimal(number) if negative else Decimal(number), (before or after).casefold())


def _plain(number: str) -> str:
    if _GROUPED.fullmatch(number):
        return re.sub(r"[,' ]", "", number)
    if _CONTINENTAL.fullmatch(number):
        return number.replace(".", "").replace(",", ".")
    return number.replace(",", ".")
