"""When a leaf of an answer says what the leaf of the target says, as a careful reader sees it.

Kinds are content: a number is no text, a boolean no number, one value no list. Within a kind renderings are form. In
four ways this reader is stricter than the official rules (B4), under which other data match, too:

- what stands between, before and behind digits counts (`digits`): `12.5` is not `125`, `1/2` not `12`, `3-5` not
  `3/5`, `(5)` and `5-` not `5`; an address of mail or web is the same to the letter;
- a text under a fuzzy label may differ in words, not in its numbers;
- signs alone count: a dash is not an empty text;
- a year is exact also under a fuzzy label: the five percent are for measures.
"""

from __future__ import annotations

import re
from typing import Any, Final

from sobench_metrics.recovery.amounts import amount
from sobench_metrics.recovery.dates import date
from sobench_metrics.recovery.digits import forms, numbers
from sobench_metrics.recovery.plain_text import plainer
from sobench_metrics.sobench.text_rules import equal_texts, numbers_match, similar_texts

__all__ = ["same_leaf"]

_YEARS: Final = range(1800, 2101)
_LONGEST_ADDRESS: Final = 2_000
_ADDRESS = re.compile(r"\S+@\S+\.\w+\.?|(?:https?://|www\.)\S+|(?:[\w-]+\.)+[a-z]{2,}/\S*", re.IGNORECASE)


def same_leaf(answer: Any, target: Any, *, fuzzy: bool) -> tuple[str, ...] | None:
    """Return the codes of the renderings that had to be seen through, () for none; None for another value."""
    if isinstance(target, str):
        return _same_text(answer, target, fuzzy=fuzzy) if isinstance(answer, str) else None
    if isinstance(target, bool) or target is None or isinstance(answer, (bool, str, list, dict)) or answer is None:
        return () if type(answer) is type(target) and answer == target else None
    if not isinstance(target, (int, float)):  # an empty list or mapping
        return None
    return () if _same_number(answer, target, fuzzy=fuzzy) else None


def _same_number(answer: float, target: float, *, fuzzy: bool) -> bool:
    if answer == target:
        return True
    if isinstance(target, int) and target in _YEARS and answer in _YEARS:
        return False
    try:
        return numbers_match(answer, target, fuzzy=fuzzy)
    except OverflowError:
        return False


def _same_text(answer: str, target: str, *, fuzzy: bool) -> tuple[str, ...] | None:
    if answer == target:
        return ()
    for one, two, steps in plainer(answer, target):
        code = _same(one, two, fuzzy=fuzzy)
        if code is not None:
            return (*steps, *code)
    return None


def _same(one: str, two: str, *, fuzzy: bool) -> tuple[str, ...] | None:
    if not any(sign.isalnum() for sign in one + two):
        return () if one.strip() == two.strip() else None  # all of it would be dropped as punctuation
    days = date(one), date(two)
    if days[0] and days[1]:
        return (() if equal_texts(one, two) else ("value.date",)) if days[0] == days[1] else None
    amounts = amount(one), amount(two)
    if amounts[0] and amounts[1]:
        return (_rendering(one, two, fuzzy=fuzzy)) if amounts[0] == amounts[1] else None
    if _is_address(one) or _is_address(two):
        return () if _address(one) == _address(two) else None
    if any(equal_texts(a, b) for a, b in zip(forms(one), forms(two), strict=True)):
        return _rendering(one, two, fuzzy=fuzzy)
    similar = fuzzy and similar_texts(one.casefold(), two.casefold()) and numbers(one) == numbers(two)
    return () if similar else None


def _rendering(one: str, two: str, *, fuzzy: bool) -> tuple[str, ...]:
    """Return the code of what makes two equal texts differ, () where the official rules see through it."""
    if not equal_texts(one, two):
        return ("value.number",)
    return ("value.case",) if fuzzy and not similar_texts(one, two) else ()


def _is_address(text: str) -> bool:
    return len(text) <= _LONGEST_ADDRESS and _ADDRESS.fullmatch(text.strip()) is not None


def _address(text: str) -> str:
    return text.strip().rstrip("./").casefold()
