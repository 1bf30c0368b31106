"""Conversions of listed values, types and bounds."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from sobench_metrics.constrained.words import ANNOTATIONS, BY_TYPE, asserting, subschemas
from sobench_metrics.json_schema import follows

if TYPE_CHECKING:
    from sobench_metrics.constrained.places import Schema

__all__ = ["const_as_enum", "enum_filtered", "exclusive_as_inclusive", "split_types", "whole_bounds"]


def const_as_enum(node: dict[str, Any], _keyword: str, _whole: Schema) -> dict[str, Any] | None:
    """Return the node with `const` written as an enum of one value."""
    if "enum" in node:
        return None
    return {"enum": [node["const"]], **{word: value for word, value in node.items() if word != "const"}}


def enum_filtered(node: dict[str, Any], _keyword: str, whole: Schema) -> dict[str, Any] | None:
    """Return the node with only those listed values that its other keywords allow, and without these keywords."""
    if not isinstance(node.get("enum"), list) or whole.dialect not in ("", "2020-12") or _refers(node):
        return None
    rest = {word: value for word, value in node.items() if word not in ("enum", "$defs", "definitions")}
    left = [value for value in node["enum"] if follows(value, rest)]
    if not left:
        return None  # nothing follows such a schema, and an empty list is refused
    kept = {word: value for word, value in node.items() if word not in asserting(node, "enum", "type")}
    return {**kept, "enum": left}


def _refers(node: Any) -> bool:
    pending = [node]
    while pending:
        held = pending.pop()
        if isinstance(held, dict):
            if any(word in held for word in ("$ref", "$dynamicRef", "$recursiveRef")):
                return True
            pending.extend(child for _, child in subschemas(held))
    return False


def split_types(node: dict[str, Any], _keyword: str, _whole: Schema) -> dict[str, Any] | None:
    """Return the node with one branch a type, each with the keywords for its type."""
    kinds = node["type"]
    by_type = frozenset().union(*BY_TYPE.values())
    others = [word for word in asserting(node, "type") if word not in by_type]
    if not isinstance(kinds, list) or len(kinds) < 2 or others or {"integer", "number"} <= set(kinds):
        return None
    if any(word.startswith("unevaluated") for word in node):
        return None
    kept = {word: value for word, value in node.items() if word not in by_type and word != "type"}
    return {**kept, "anyOf": [_branch(node, kind) for kind in kinds]}


def _branch(node: dict[str, Any], kind: str) -> dict[str, Any]:
    words = BY_TYPE.get("number" if kind == "integer" else kind, frozenset())
    return {"type": kind, **{word: value for word, value in node.items() if word in words and word not in ANNOTATIONS}}


def exclusive_as_inclusive(node: dict[str, Any], keyword: str, _whole: Schema) -> dict[str, Any] | None:
    """Return the node with an excluded bound of an integer as the next one that is allowed."""
    bound = node.get(keyword)
    if node.get("type") != "integer" or isinstance(bound, bool) or not isinstance(bound, (int, float)):
        return None
    low = keyword == "exclusiveMinimum"
    allowed = math.floor(bound) + 1 if low else math.ceil(bound) - 1
    plain = "minimum" if low else "maximum"
    if isinstance(node.get(plain), (int, float)):
        allowed = max(allowed, math.ceil(node[plain])) if low else min(allowed, math.floor(node[plain]))
    return {**{word: value for word, value in node.items() if word != keyword}, plain: allowed}


def whole_bounds(node: dict[str, Any], keyword: str, _whole: Schema) -> dict[str, Any] | None:
    """Return the node with a bound of an integer that lies between two of them moved to the nearer allowed one."""
    bound = node.get(keyword)
    if node.get("type") != "integer" or not isinstance(bound, float) or bound.is_integer():
        return None
    if keyword not in ("minimum", "maximum"):
        return exclusive_as_inclusive(node, keyword, _whole)
    return {**node, keyword: math.ceil(bound) if keyword == "minimum" else math.floor(bound)}
