"""The sizes of a schema that engines and APIs bound."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from sobench_metrics.constrained.places import MAX_PLACES, places

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sobench_metrics.constrained.places import Schema

__all__ = ["exceeded", "measured"]

_LARGE_ENUM: Final = 250
_DEEPEST: Final = 10_000


def measured(schema: Schema) -> dict[str, int]:
    """Return the measures of a schema: properties, levels, name_chars, enum_values, large_enum_chars, json_nesting,
    schema_chars.

    `levels` counts the values around the innermost one, a reference to itself once; `name_chars` adds up property and
    definition names, enum and const texts; `large_enum_chars` is the longest enum of more than 250 texts;
    `schema_chars` counts the schema's text as it is sent, written by `json.dumps`.
    """
    found = dict.fromkeys(("properties", "levels", "name_chars", "enum_values", "large_enum_chars", "places"), 0)
    for place in places(schema):
        found["places"] += 1
        found["levels"] = max(found["levels"], place.level)
        if isinstance(place.node, dict):
            _add(found, place.node)
    for word in ("$defs", "definitions"):
        held = schema.root.get(word) if isinstance(schema.root, dict) else None
        found["name_chars"] += sum(map(len, held)) if isinstance(held, dict) else 0
    found["json_nesting"] = _nesting(schema.root)
    found["schema_chars"] = len(json.dumps(schema.root))
    return found


def exceeded(schema: Schema, limits: Mapping[str, int]) -> Iterator[str]:
    """Yield one sentence for every limit that the schema exceeds; a schema too large to walk exceeds them all."""
    if not limits:
        return
    sizes = measured(schema)
    if sizes["places"] >= MAX_PLACES:
        yield f"the schema has more than {MAX_PLACES} places"
    for name, most in limits.items():
        if sizes[name] > most:
            yield f"{name} is {sizes[name]}, the limit is {most}"


def _add(found: dict[str, int], node: dict[str, Any]) -> None:
    declared = node.get("properties")
    if isinstance(declared, dict):
        found["properties"] += len(declared)
        found["name_chars"] += sum(map(len, declared))
    listed = node.get("enum")
    if isinstance(listed, list):
        chars = sum(len(value) for value in listed if isinstance(value, str))
        found["enum_values"] += len(listed)
        found["name_chars"] += chars
        if len(listed) > _LARGE_ENUM:
            found["large_enum_chars"] = max(found["large_enum_chars"], chars)
    if isinstance(node.get("const"), str):
        found["name_chars"] += len(node["const"])


def _nesting(value: Any) -> int:
    deepest = 0
    pending = [(value, 1)]
    while pending:
        held, depth = pending.pop()
        if isinstance(held, (dict, list)):
            deepest = max(deepest, depth)
            if depth >= _DEEPEST:
                break
            pending.extend((child, depth + 1) for child in (held.values() if isinstance(held, dict) else held))
    return deepest
