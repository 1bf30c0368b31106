"""Content rules that tie a field of an object to what stands below the same object."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from sobench_metrics.ifstruct.strict.places import at

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["count", "reference", "total"]

_CLOSE = 1e-6  # decimal amounts have no exact sums, nor is 0.1 + 0.2 - 0.3 exactly 0


def total(value: Any, wanted: Mapping[str, Any]) -> str | None:
    """A number is the sum of the numbers at `over`."""
    stated = _field(value, wanted)
    if not _is_number(stated):
        return None
    parts = [part for part, _ in at(value, wanted["over"]) if _is_number(part)]
    try:
        found = sum(parts)
        right = found == stated or math.isclose(found, stated, rel_tol=_CLOSE, abs_tol=_CLOSE)
    except OverflowError:  # integers beyond any float
        return f"'{wanted['field']}' cannot be compared with the sum"
    return None if right else f"'{wanted['field']}' is not the sum of the {len(parts)} numbers at {wanted['over']}"


def count(value: Any, wanted: Mapping[str, Any]) -> str | None:
    """A number says how many items the list at `over` has."""
    stated = _field(value, wanted)
    lists = [found for found, _ in at(value, wanted["over"]) if isinstance(found, list)]
    if not _is_number(stated) or not lists:
        return None
    found = sum(map(len, lists))
    return None if stated == found else f"'{wanted['field']}' does not say {found}, the number of items"


def reference(value: Any, wanted: Mapping[str, Any]) -> str | None:
    """A value is one of those at `among`."""
    stated = _field(value, wanted)
    if not isinstance(stated, str) and not _is_number(stated):
        return None
    if any(stated == other and not isinstance(other, bool) for other, _ in at(value, wanted["among"])):
        return None
    return f"'{wanted['field']}' is none of the values at {wanted['among']}"


def _field(value: Any, wanted: Mapping[str, Any]) -> Any:
    return value.get(wanted["field"]) if isinstance(value, dict) else None


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
