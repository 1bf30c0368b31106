"""The keywords of JSON Schema by what they do: say nothing, test one type of value, hold further schemas."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["ANNOTATIONS", "BY_TYPE", "CONTAINERS", "STRUCTURE", "asserting", "subschemas", "types_of"]

ANNOTATIONS: Final = frozenset((
    "title", "description", "default", "examples", "example", "$comment", "readOnly", "writeOnly", "deprecated",
    "contentMediaType", "contentEncoding", "contentSchema", "nullable", "discriminator", "externalDocs", "xml",
))  # fmt: skip
"""Keywords that change no verdict; the last four are OpenAPI's and mean nothing to JSON Schema."""

STRUCTURE: Final = frozenset((
    "$schema", "$id", "id", "$anchor", "$dynamicAnchor", "$recursiveAnchor", "$vocabulary", "$defs", "definitions",
))  # fmt: skip
"""Keywords that name or hold schemas but test nothing where they stand."""

BY_TYPE: Final[dict[str, frozenset[str]]] = {
    "string": frozenset(("minLength", "maxLength", "pattern", "format")),
    "number": frozenset(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")),
    "array": frozenset((
        "items", "prefixItems", "additionalItems", "minItems", "maxItems", "uniqueItems", "contains", "minContains",
        "maxContains", "unevaluatedItems",
    )),
    "object": frozenset((
        "properties", "required", "additionalProperties", "patternProperties", "propertyNames", "minProperties",
        "maxProperties", "dependentRequired", "dependentSchemas", "dependencies", "unevaluatedProperties",
    )),
}  # fmt: skip
"""Keywords that test values of one type only; integers are numbers."""

_ANY: Final = frozenset((
    "type", "enum", "const", "anyOf", "oneOf", "allOf", "not", "if", "then", "else", "$ref", "$dynamicRef",
    "$recursiveRef",
))  # fmt: skip
KNOWN: Final = frozenset().union(ANNOTATIONS, STRUCTURE, _ANY, *BY_TYPE.values())

_MAPS: Final = ("properties", "patternProperties", "dependentSchemas", "dependencies")
_LISTS: Final = ("allOf", "anyOf", "oneOf", "prefixItems")
_SINGLE: Final = (
    "items", "additionalItems", "additionalProperties", "contains", "propertyNames", "not", "if", "then", "else",
    "unevaluatedItems", "unevaluatedProperties",
)  # fmt: skip
_DEFINITIONS: Final = ("$defs", "definitions")
CONTAINERS: Final = frozenset((*_MAPS, *_LISTS, *_SINGLE, *_DEFINITIONS))
"""Keywords that hold further schemas."""


def types_of(node: dict[str, Any]) -> frozenset[str] | None:
    """Return the types that a node names, integers as numbers too; None where it names none."""
    named = node.get("type")
    if isinstance(named, str):
        names = {named}
    elif isinstance(named, list):
        names = {name for name in named if isinstance(name, str)}
    else:
        return None
    return frozenset(names | {"number"} if "integer" in names else names)


def asserting(node: dict[str, Any], *besides: str) -> list[str]:
    """Return the keywords of a node that test something, without the given ones; unknown ones test nothing."""
    silent = ANNOTATIONS | STRUCTURE
    return [word for word in node if word in KNOWN and word not in silent and word not in besides]


def subschemas(node: dict[str, Any], *, definitions: bool = False) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    """Yield the path below the node and the schema for every schema that it holds, booleans too.

    What `$defs` and `definitions` hold is used by references only, and comes with `definitions`.
    """
    for word in (*_MAPS, *(_DEFINITIONS if definitions else ())):
        held = node.get(word)
        if isinstance(held, dict):
            for name, child in held.items():
                if isinstance(child, (dict, bool)):  # `dependencies` may hold lists of names
                    yield (word, name), child
    for word in (*_LISTS, "items"):
        held = node.get(word)
        if isinstance(held, list):
            for index, child in enumerate(held):
                yield (word, index), child
    for word in _SINGLE:
        if isinstance(node.get(word), dict):
            yield (word,), node[word]
