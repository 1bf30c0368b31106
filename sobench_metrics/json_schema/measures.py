"""Measures of a schema, for slices: how deep the described data nests, how many fields it declares."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from sobench_metrics.json_schema.stack import run_nested
from sobench_metrics.response import decode_json

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

__all__ = ["depth", "field_count"]

# Keyword: how many levels further in the values stand that its subschemas describe.
_KEYWORDS: Final = {
    **dict.fromkeys(
        (
            "properties", "patternProperties", "items", "prefixItems", "additionalItems", "contains",
            "additionalProperties", "unevaluatedItems", "unevaluatedProperties",
        ),
        1,
    ),
    **dict.fromkeys(("allOf", "anyOf", "oneOf", "if", "then", "else", "dependentSchemas"), 0),
}  # fmt: skip
_ANYTHING: Final[dict[str, Any]] = {}
_MAPS: Final = frozenset({"properties", "patternProperties", "dependentSchemas"})


def depth(schema: Any) -> int:
    """Return the number of levels that a schema describes: 1 for a scalar, one more for each object or list around it.

    The schema is JSON text or decoded. Local references are followed; one that leads back to a schema that is still
    open ends there, so recursive schemas have a depth. References elsewhere and unknown ones count as a scalar. Never
    raises, linear in the schema.
    """
    root = _decoded(schema)
    return run_nested(_depth(root, root, {}))


def _depth(schema: Any, root: Any, known: dict[int, int]) -> Generator[Any, Any, int]:
    if id(schema) in known:
        return known[id(schema)]
    known[id(schema)] = 0  # open: a cycle adds nothing
    deepest = 1
    for inner, levels in _parts(schema, root):
        below = yield _depth(inner, root, known)
        deepest = max(deepest, below + levels)
    known[id(schema)] = deepest
    return deepest


def field_count(schema: Any) -> int:
    """Return how many named properties are declared in all parts of the schema that data can reach.

    The schema is JSON text or decoded. A definition counts once, however often it is referenced, and not at all when it
    is not. Never raises.
    """
    seen: set[int] = set()
    root = _decoded(schema)
    waiting = [root]
    count = 0
    while waiting:
        part = waiting.pop()
        if id(part) in seen:
            continue
        seen.add(id(part))
        if isinstance(part, dict) and isinstance(part.get("properties"), dict):
            count += len(part["properties"])
        waiting.extend(inner for inner, _ in _parts(part, root))
    return count


def _decoded(schema: Any) -> Any:
    return decode_json(schema).value if isinstance(schema, str) else schema


def _parts(schema: Any, root: Any) -> Iterator[tuple[dict[str, Any], int]]:
    """Yield the subschemas that are mappings and how many levels further in their values stand."""
    if not isinstance(schema, dict):
        return
    for keyword, levels in _KEYWORDS.items():
        value = schema.get(keyword)
        if keyword in _MAPS:
            # A property may be anything: `true`. (Of other keywords `true` says nothing about the depth.)
            parts = [_ANYTHING if part is True else part for part in value.values()] if isinstance(value, dict) else []
        else:
            parts = value if isinstance(value, list) else [value]
        yield from ((part, levels) for part in parts if isinstance(part, dict))
    target = _local_target(schema.get("$ref"), root)
    if isinstance(target, dict):
        yield target, 0


def _local_target(reference: Any, root: Any) -> Any:
    """Return the part of `root` that a reference like `#/$defs/x` names; None for any other reference."""
    if not isinstance(reference, str) or not reference.startswith("#"):
        return None
    part = root
    for name in reference[1:].split("/")[1:]:
        key = name.replace("~1", "/").replace("~0", "~")
        if isinstance(part, dict):
            part = part.get(key)
        elif isinstance(part, list) and key.isdecimal() and int(key) < len(part):
            part = part[int(key)]
        else:
            return None
    return part
