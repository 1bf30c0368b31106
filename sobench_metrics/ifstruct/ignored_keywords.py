"""What is left of a schema when everything the reference looks at is taken out of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from sobench_metrics.ifstruct.leaves import NO_TYPE, effective_type

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["ignored_by_reference"]

_LOOKED_AT: Final = {
    "array": frozenset(("type", "minItems", "maxItems", "items")),
    "object": frozenset(("type", "required", "properties", "additionalProperties")),
    "string": frozenset(("type", "enum")),
    "boolean": frozenset(("type", "enum")),
    "integer": frozenset(("type", "enum", "minimum", "maximum")),
    "number": frozenset(("type", "enum", "minimum", "maximum")),
}
_SAY_NOTHING: Final = frozenset(
    ("$schema", "$comment", "title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly")
)
_ONLY_REFERRED_TO: Final = frozenset(("$defs", "definitions"))


def ignored_by_reference(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema with only those keywords that the walk of rule A8 ignores; empty when there are none.

    The walk covers a keyword only along `properties` and `items` and only under the type it belongs to: an `enum` of an
    object, bounds without a type or a list of several types stay. Whatever stands under other keywords stays whole.
    Undeclared keys are always errors of the reference, so `additionalProperties` has nothing to add.
    """
    left = _left(schema)
    if not set(left) - _ONLY_REFERRED_TO:
        return {}
    return {"$schema": schema["$schema"], **left} if "$schema" in schema else left


def _left(schema: Mapping[str, Any]) -> dict[str, Any]:
    kind = effective_type(schema)
    looked_at = _LOOKED_AT.get(kind, frozenset()) if isinstance(kind, str) else frozenset()
    if kind is NO_TYPE or any(keyword.startswith("unevaluated") for keyword in schema):
        return dict(schema)  # no type test, or a keyword that needs its neighbours
    left = {
        keyword: value
        for keyword, value in schema.items()
        if keyword not in looked_at and keyword not in _SAY_NOTHING and not keyword.startswith("x-")
    }
    if kind == "array" and schema.get("items") and (items := _left(schema["items"])):
        left["items"] = items
    if kind == "object":
        properties = {name: _left(below) for name, below in (schema.get("properties") or {}).items()}
        if properties := {name: below for name, below in properties.items() if below}:
            left["properties"] = properties
    return left
