"""Whether two schemas can hold of one value: then `oneOf` says more than `anyOf`, and most engines do not know it."""

from __future__ import annotations

import json
from itertools import combinations
from typing import TYPE_CHECKING, Any, Final

from sobench_metrics.constrained.words import types_of

if TYPE_CHECKING:
    from sobench_metrics.constrained.references import References

__all__ = ["all_disjoint", "disjoint"]

_DEEPEST: Final = 4
_MAX_BRANCHES: Final = 60  # pairs are compared


def all_disjoint(branches: list[Any], references: References) -> bool:
    """Return whether no value can follow two of the branches; False where that is not plain to see."""
    if len(branches) > _MAX_BRANCHES:
        return False
    return all(disjoint(one, other, references) for one, other in combinations(branches, 2))


def disjoint(one: Any, other: Any, references: References, depth: int = 0) -> bool:
    """Return whether no value follows both, by their types, their listed values or a required property of both."""
    one, other = _followed(one, references), _followed(other, references)
    if one is False or other is False:
        return True
    if not isinstance(one, dict) or not isinstance(other, dict) or depth > _DEEPEST:
        return False
    values = (_values(one), _values(other))
    if values[0] is not None and values[1] is not None:
        return not values[0] & values[1]
    if _types_differ(one, other):
        return True
    return _property_differs(one, other, references, depth)


def _followed(node: Any, references: References) -> Any:
    for _ in range(_DEEPEST):
        if not isinstance(node, dict) or "$ref" not in node:
            return node
        target = references.find(node["$ref"])
        if not target.found:
            return node
        node = target.target
    return node


def _values(node: dict[str, Any]) -> frozenset[str] | None:
    listed = [node["const"]] if "const" in node else node.get("enum")
    if not isinstance(listed, list) or any(isinstance(value, (list, dict)) for value in listed):
        return None  # 1 and 1.0 deep inside are equal too; not worth the search
    return frozenset(map(_equal_text, listed))


def _equal_text(value: Any) -> str:
    # 1 and 1.0 are one value in JSON Schema
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return json.dumps(value)


def _types_differ(one: dict[str, Any], other: dict[str, Any]) -> bool:
    first, second = _kinds(one), _kinds(other)
    return first is not None and second is not None and not first & second


def _kinds(node: dict[str, Any]) -> frozenset[str] | None:
    named = types_of(node)
    if named is not None:
        return frozenset(named)
    listed = [node["const"]] if "const" in node else node.get("enum")
    if not isinstance(listed, list):
        return None
    names = {bool: "boolean", int: "number", float: "number", str: "string", list: "array", dict: "object"}
    return frozenset(names.get(type(value), "null") for value in listed)


def _property_differs(one: dict[str, Any], other: dict[str, Any], references: References, depth: int) -> bool:
    if _kinds(one) != frozenset(("object",)) and _kinds(other) != frozenset(("object",)):
        return False  # a value that is no object would follow both
    first, second = one.get("properties"), other.get("properties")
    if not isinstance(first, dict) or not isinstance(second, dict):
        return False
    needed = [
        name
        for name in one.get("required") or ()
        if isinstance(name, str) and name in (other.get("required") or ()) and name in first and name in second
    ]
    return any(disjoint(first[name], second[name], references, depth + 1) for name in needed) or _closed_out(one, other)


def _closed_out(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Return whether one asks for a property that the other forbids."""
    return any(
        wanting is not closed
        and closed.get("additionalProperties") is False
        and not closed.get("patternProperties")
        and any(name not in (closed.get("properties") or {}) for name in wanting.get("required") or ())
        for wanting, closed in ((one, other), (other, one))
    )
