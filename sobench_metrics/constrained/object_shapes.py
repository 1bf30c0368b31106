"""Shapes of schemas for objects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sobench_metrics.constrained.pattern_shapes import pattern_shapes
from sobench_metrics.constrained.words import types_of

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["object_shapes"]


def object_shapes(node: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the shapes of the keywords that test objects."""
    kinds = types_of(node)
    if kinds is not None and "object" not in kinds:
        return
    declared = node.get("properties") if isinstance(node.get("properties"), dict) else None
    if declared is not None:
        yield "properties", "properties"
        if any(sign in name for name in declared for sign in '"\\\n\r\t'):
            yield "properties:names", "properties"
    yield from _required(node, declared or {})
    yield from _open(node, declared, typed=kinds is not None)
    yield from _patterned(node, declared)
    for word in ("dependentRequired", "dependentSchemas", "dependencies"):
        if node.get(word):
            yield word, word
    for word in ("minProperties", "maxProperties"):
        if word in node:
            yield f"{word}:properties" if declared else word, word
            if _leaves_open(node, declared or {}, node[word]):
                yield "minProperties:optional", word
    if "unevaluatedProperties" in node:
        plain = isinstance(node["unevaluatedProperties"], bool)
        yield "unevaluatedProperties" if plain else "unevaluatedProperties:schema", "unevaluatedProperties"


def _leaves_open(node: dict[str, Any], declared: dict[str, Any], bound: Any) -> bool:
    """Return whether a number of properties is asked for among optional ones, or more than one of them."""
    names = node.get("required") or ()
    some_optional = any(name not in names for name in declared)
    return some_optional and (node.get("additionalProperties") is not False or bound not in (0, 1))


def _required(node: dict[str, Any], declared: dict[str, Any]) -> Iterator[tuple[str, str]]:
    required = node.get("required")
    names = required if isinstance(required, list) else []
    if names:
        yield "required", "required"
    if any(name not in declared for name in names):
        yield "required:undeclared" if declared else "required:only", "required"
    if any(name not in names for name in declared):
        yield "required:optional", "required" if names else "properties"


def _open(node: dict[str, Any], declared: dict[str, Any] | None, *, typed: bool) -> Iterator[tuple[str, str]]:
    further = node.get("additionalProperties")
    if isinstance(further, dict):
        yield "additionalProperties:schema" if declared else "additionalProperties:map", "additionalProperties"
    elif further is False and declared is None:
        yield "object:closed", "additionalProperties"
    elif further is True:
        yield "additionalProperties:true", "additionalProperties"
    elif further is None and declared is not None and "unevaluatedProperties" not in node:
        yield "additionalProperties:open", "properties"
    elif further is None and typed and "patternProperties" not in node:
        yield "object:free", ""


def _patterned(node: dict[str, Any], declared: dict[str, Any] | None) -> Iterator[tuple[str, str]]:
    patterned = node.get("patternProperties")
    if isinstance(patterned, dict) and patterned:
        yield "patternProperties", "patternProperties"
        if len(patterned) > 1:
            yield "patternProperties:several", "patternProperties"
        if declared:
            yield "patternProperties:properties", "patternProperties"
        if node.get("additionalProperties") is not False:
            yield "patternProperties:open", "patternProperties"
        for name in patterned:
            found = set(pattern_shapes(name)) - {"pattern"}
            if found & {"pattern:half", "pattern:unanchored"}:
                yield "patternProperties:half", "patternProperties"
            yield from (
                (shape, "patternProperties") for shape in sorted(found - {"pattern:half", "pattern:unanchored"})
            )
    if "propertyNames" in node:
        enumerated = isinstance(node["propertyNames"], dict) and "enum" in node["propertyNames"]
        yield "propertyNames:enum" if enumerated else "propertyNames", "propertyNames"
        if declared:
            yield "propertyNames:properties", "propertyNames"
