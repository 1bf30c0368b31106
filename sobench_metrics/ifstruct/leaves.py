"""How many leaf checks a schema stands for, and the ratio of passed ones (reference rule A10)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from sobench_metrics.ifstruct.display import ReferenceCrashError

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["NO_TYPE", "as_bound", "effective_type", "expected_checks", "leaf_count"]

NO_TYPE: Final = object()
"""Stands for a type list that leaves no single type to test."""


def effective_type(schema: Mapping[str, Any]) -> Any:
    """Return `type`, or of a type list its one entry besides "null", or NO_TYPE if there is not exactly one."""
    kind = schema.get("type")
    if not isinstance(kind, list):
        return kind
    others = [entry for entry in kind if entry != "null"]
    return others[0] if len(others) == 1 else NO_TYPE


def leaf_count(schema: Mapping[str, Any]) -> int:
    """Return the leaf count: required members of objects, `items` once, an enum counts beside its value.

    A loop, because the count only adds up: no schema is too deep for it.
    """
    count = 0
    pending: list[Mapping[str, Any]] = [schema]
    while pending:
        node = pending.pop()
        kind = effective_type(node)
        if kind == "object":
            below = _counted_properties(node)
        elif kind == "array":
            below = [node["items"]] if node.get("items") else []
        else:
            count += 1 + ("enum" in node)
            continue
        pending.extend(below)
        count += not below
    return count


def _counted_properties(node: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    properties = node.get("properties") or {}
    if "required" not in node:
        return list(properties.values())
    return [properties[name] for name in node["required"] or () if name in properties]


def as_bound(value: Any) -> float:
    """Return a bound of `top_level_count`; raises ReferenceCrashError where it is no number, as comparing it would."""
    if not isinstance(value, int | float):
        raise ReferenceCrashError("TypeError", f"a bound of top_level_count is no number but {type(value).__name__}")
    return value


def expected_checks(schema: Mapping[str, Any], top_level_count: Any) -> float:
    """Return how many checks a complete answer should have; only the plain root type "array" multiplies.

    Raises ReferenceCrashError for a bound that is no number.
    """
    if schema.get("type") != "array":
        return leaf_count(schema)
    if not schema.get("items"):
        return 0
    if isinstance(top_level_count, int):
        return leaf_count(schema["items"]) * top_level_count
    if isinstance(top_level_count, list) and len(top_level_count) == 2:
        return leaf_count(schema["items"]) * as_bound(top_level_count[0])
    return 0
