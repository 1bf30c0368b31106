"""Conversions of objects and lists: what is meant is written where engines look for it."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from sobench_metrics.constrained.words import subschemas

if TYPE_CHECKING:
    from sobench_metrics.constrained.places import Schema

__all__ = ["close_plainly", "declare_required", "open_items", "plain_children"]

_APPLIED = ("$ref", "$dynamicRef", "$recursiveRef", "allOf", "anyOf", "oneOf", "if", "dependentSchemas", "not")


def declare_required(node: dict[str, Any], _keyword: str, _whole: Schema) -> dict[str, Any] | None:
    """Return the node with its required properties declared, as `additionalProperties` already has them."""
    further = node.get("additionalProperties", True)
    if further is False or "unevaluatedProperties" in node or not isinstance(further, (dict, bool)):
        return None
    declared = dict(node.get("properties") or {})
    patterns = node.get("patternProperties") or {}
    for name in node["required"]:
        if not isinstance(name, str) or any(_may_match(pattern, name) for pattern in patterns):
            return None
        declared.setdefault(name, json.loads(json.dumps(further)) if isinstance(further, dict) else {})
    return {**node, "properties": declared}


def _may_match(pattern: str, name: str) -> bool:
    """Return whether a pattern matches a name; True where the search could take long."""
    repeats = sum(map(pattern.count, "*+{?"))
    if len(pattern) >= 100 or "(" in pattern or repeats > 2 or len(name) > 200:
        return True
    try:
        return re.search(pattern, name) is not None
    except (re.error, OverflowError):
        return True


def close_plainly(node: dict[str, Any], keyword: str, _whole: Schema) -> dict[str, Any] | None:
    """Return the node with `additionalProperties` or `items` for `unevaluated...`, where nothing else evaluates."""
    plain = "additionalProperties" if keyword == "unevaluatedProperties" else "items"
    if plain in node or "contains" in node or any(word in node for word in _APPLIED):
        return None
    return {(plain if word == keyword else word): value for word, value in node.items()}


def open_items(node: dict[str, Any], _keyword: str, _whole: Schema) -> dict[str, Any] | None:
    """Return the node with items of any kind, which is what no word about them means."""
    if "items" in node or any(word in node for word in ("unevaluatedItems", *_APPLIED)):
        return None
    return {**node, "items": {}}


def plain_children(node: dict[str, Any], _keyword: str, _whole: Schema) -> dict[str, Any] | None:
    """Return the node with {} for a child that is `true`, and without properties that can never be there."""
    made = json.loads(json.dumps(node))
    closed = node.get("additionalProperties") is False and not node.get("patternProperties")
    for path, child in subschemas(node):
        if child is True and len(path) == 2:
            made[path[0]][path[1]] = {}
        elif child is False and path[0] == "properties" and closed and path[1] not in (node.get("required") or ()):
            del made["properties"][path[1]]
    return made if made != node else None
