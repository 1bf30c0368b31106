"""When two texts or two numbers match (reference rule B4)."""

from __future__ import annotations

import re

__all__ = ["equal_texts", "is_number", "numbers_match", "similar_texts", "texts_match"]

_DROPPED = re.compile(r"""[\s,./_*^!?:;()\[\]{}"'\\-]""")
_LEAST_SIMILARITY = 0.8
_GREATEST_ERROR = 0.05


def texts_match(one: str, two: str, *, fuzzy: bool) -> bool:
    """Return whether two texts match: similar word by word under `fuzzy`, else equal when normalised."""
    return similar_texts(one, two) if fuzzy else equal_texts(one, two)


def equal_texts(one: str, two: str) -> bool:
    """Return whether two texts are equal without white space, the listed punctuation and letter case."""
    return one == two or _normalised(one) == _normalised(two)


def _normalised(text: str) -> str:
    return _DROPPED.sub("", text).lower()


def similar_texts(one: str, two: str) -> bool:
    """Return whether the word similarity of two raw texts is strictly greater than 0.8.

    Similarity is 1 - (Levenshtein distance over words) / (larger word count); two texts without words have 1. Texts
    whose word counts differ too much are settled without a comparison, so a huge answer costs no more than reading it.
    """
    if one == two:
        return True
    words, other_words = one.split(), two.split()
    longest = max(len(words), len(other_words))
    if not longest:
        return True
    # 1 - distance / longest > 0.8 means 5 * distance < longest.
    most = (longest - 1) // 5
    if abs(len(words) - len(other_words)) > most:
        return False
    from rapidfuzz.distance import Levenshtein  # heavy, loads where used

    # Small integers instead of words: the library compares hashes, and these have no collisions.
    numbers: dict[str, int] = {}
    first = [numbers.setdefault(word, len(numbers)) for word in words]
    second = [numbers.setdefault(word, len(numbers)) for word in other_words]
    distance = Levenshtein.distance(first, second, score_cutoff=most)
    return 1 - distance / longest > _LEAST_SIMILARITY


def is_number(value: object) -> bool:
    """Return whether the reference compares the value as a number: booleans count as 1 and 0."""
    return isinstance(value, (int, float))


def numbers_match(one: float, two: float, *, fuzzy: bool) -> bool:
    """Return whether two numbers match as floats: relative error strictly below 0.05 under `fuzzy`, else equal.

    Raises OverflowError for an integer beyond the range of floats, where the reference fails too.
    """
    a, b = float(one), float(two)
    if a == b:
        return True
    return fuzzy and abs(a - b) / max(abs(a), abs(b)) < _GREATEST_ERROR
