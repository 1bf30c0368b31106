"""Content rules about the order of keys and items, and about items that must differ."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["ascending", "descending", "distinct", "key_order"]


def key_order(value: Any, wanted: Mapping[str, Any]) -> str | None:
    """The keys of an object stand in the given order; those that are missing or not named are passed over."""
    if not isinstance(value, dict):
        return None
    ranks = {name: rank for rank, name in enumerate(wanted["keys"])}
    found = [key for key in value if key in ranks]
    for one, other in pairwise(found):
        if ranks[one] > ranks[other]:
            return f"'{one:.60}' stands before '{other:.60}', the order asked for is the other way round"
    return None


def ascending(value: Any, wanted: Mapping[str, Any]) -> str | None:
    """The items of a list rise by a field, equal neighbours allowed: numbers by size, texts by code points."""
    return _unsorted(value, wanted["by"], falling=False)


def descending(value: Any, wanted: Mapping[str, Any]) -> str | None:
    """The items of a list fall by a field, equal neighbours allowed."""
    return _unsorted(value, wanted["by"], falling=True)


def _unsorted(value: Any, by: str, *, falling: bool) -> str | None:
    keys = _fields(value, by)
    if not all(isinstance(key, str) for key in keys) and not all(_is_number(key) for key in keys):
        return None
    for number, (one, other) in enumerate(pairwise(keys)):
        if one < other if falling else one > other:
            return f"items {number} and {number + 1} are not in {'falling' if falling else 'rising'} order of '{by}'"
    return None


def distinct(value: Any, wanted: Mapping[str, Any]) -> str | None:
    """No two items of a list have the same text or number in a field."""
    seen: set[Any] = set()
    for key in _fields(value, wanted["by"]):
        if isinstance(key, str) or _is_number(key):
            if key in seen:
                return f"'{key!s:.60}' stands in '{wanted['by']}' of more than one item"
            seen.add(key)
    return None


def _fields(value: Any, name: str) -> list[Any]:
    if not isinstance(value, list):
        return []
    return [item[name] for item in value if isinstance(item, dict) and name in item]


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
