"""The shapes of one schema: names for what an engine may or may not be able to hold an answer to.

A shape is a keyword (`minItems`), or a keyword in the company that changes what engines make of it
(`minimum:number`, `pattern:length`). The experiment in benchmarks/grammar_keywords.py has one case a shape.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from sobench_metrics.constrained.disjoint import all_disjoint
from sobench_metrics.constrained.object_shapes import object_shapes
from sobench_metrics.constrained.places import older_than_2019
from sobench_metrics.constrained.scalar_shapes import number_shapes, string_shapes
from sobench_metrics.constrained.words import ANNOTATIONS, BY_TYPE, KNOWN, asserting, types_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sobench_metrics.constrained.places import Place, Schema

__all__ = ["is_of", "shapes"]

_APPLIED: Final = ("anyOf", "oneOf", "allOf", "$ref", "$dynamicRef", "$recursiveRef", "not", "if")


def shapes(place: Place, schema: Schema) -> Iterator[tuple[str, str]]:
    """Yield (shape, keyword it stands at) for the schema at a place; "" where the whole schema counts."""
    node = place.node
    if not isinstance(node, dict):
        yield f"schema:{str(bool(node)).lower()}", ""
        return
    if "$ref" in node and older_than_2019(schema):
        yield from _reference(node, schema)
        return  # nothing else counts beside a reference in these dialects
    if not place.trail:
        yield from _root(node, schema)
    yield from _types(node)
    yield from _values(node)
    yield from string_shapes(node)
    yield from number_shapes(node)
    yield from _arrays(node)
    yield from object_shapes(node)
    yield from _branches(node, schema)
    yield from _reference(node, schema)
    yield from _silent(node)


def _root(node: dict[str, Any], schema: Schema) -> Iterator[tuple[str, str]]:
    if schema.dialect:
        yield f"$schema:{schema.dialect}", "$schema"
    for word in ("anyOf", "oneOf", "allOf", "$ref"):
        if word in node:
            yield f"root:{word}", word
    kinds = types_of(node)
    if kinds is None:
        yield "root:any", ""
    elif kinds == {"array"}:
        yield "root:array", "type"
    elif kinds != {"object"}:
        yield "root:scalar", "type"


def _types(node: dict[str, Any]) -> Iterator[tuple[str, str]]:
    kinds = types_of(node)
    present = {kind for kind, words in BY_TYPE.items() if any(word in node for word in words)}
    if kinds is None:
        if "enum" not in node and "const" not in node:
            for kind in sorted(present):
                yield f"type:none:{kind}", next(word for word in node if word in BY_TYPE[kind])
            if not present:
                yield from _typeless(node)
        return
    yield "type", "type"
    if isinstance(node["type"], list):
        yield "type:list", "type"
        if kinds & {"array", "object"}:
            yield "type:list:containers", "type"
        if present & kinds & {"string", "number"} and len(node["type"]) > 1:
            yield "type:list:keywords", "type"
    if present - kinds:
        yield "idle", ""


def _typeless(node: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the shapes of a node with neither a type nor keywords for one."""
    applied = [word for word in _APPLIED if word in node]
    if applied and all(word in ("not", "if") for word in applied):
        yield "type:none:applied", applied[0]
    elif not applied:
        yield "type:none", ""
        if any(word in ANNOTATIONS for word in node):
            yield "type:none:annotated", ""


def _values(node: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for word in ("enum", "const"):
        if word not in node:
            continue
        listed = node[word] if word == "enum" else [node[word]]
        if not isinstance(listed, list):
            continue
        yield word, word
        if any(isinstance(value, (dict, list)) for value in listed):
            yield f"{word}:containers", word
        if word == "enum":
            yield from _enum(node, listed)
        elif node[word] is None:
            yield "const:null", word
        if "type" in node:
            yield f"{word}:type", word
            if any(not is_of(value, node["type"]) for value in listed):
                yield "enum:type:other", word
        if any(kind in node for kind in asserting(node, "type", "enum", "const")):
            yield "enum:keywords", word


def _enum(node: dict[str, Any], listed: list[Any]) -> Iterator[tuple[str, str]]:
    if not listed:
        yield "enum:empty", "enum"
    if len(listed) == 1:
        yield "enum:single", "enum"
    if len({type(value) for value in listed}) > 1:
        yield "enum:mixed", "enum"
    if "const" in node:
        yield "enum:keywords", "enum"


def is_of(value: Any, named: Any) -> bool:
    """Return whether a value is of a type, or of one of a list, as JSON Schema counts: 3.0 is an integer, true none."""
    names = named if isinstance(named, list) else [named]
    if isinstance(value, bool):
        return "boolean" in names
    if isinstance(value, (int, float)):
        return "number" in names or ("integer" in names and (isinstance(value, int) or value.is_integer()))
    return {str: "string", list: "array", dict: "object", type(None): "null"}[type(value)] in names


def _arrays(node: dict[str, Any]) -> Iterator[tuple[str, str]]:
    kinds = types_of(node)
    if kinds is not None and "array" not in kinds:
        return
    for word in ("minItems", "maxItems", "contains", "minContains", "maxContains"):
        if word in node:
            yield word, word
    if "uniqueItems" in node:
        yield "uniqueItems" if node["uniqueItems"] else "uniqueItems:false", "uniqueItems"
    yield from _items(node, typed=kinds is not None)
    if "unevaluatedItems" in node:
        yield "unevaluatedItems" if "prefixItems" in node else "unevaluatedItems:alone", "unevaluatedItems"


def _items(node: dict[str, Any], *, typed: bool) -> Iterator[tuple[str, str]]:
    items = node.get("items")
    if isinstance(items, list):
        yield "items:tuple", "items"
        if "additionalItems" in node:
            yield "additionalItems", "additionalItems"
    elif "prefixItems" in node:
        yield from _prefixed(node)
    elif "items" in node:
        yield "items:false" if items is False else "items", "items"
    elif typed:
        yield "items:none", ""
        if node.get("minItems"):
            yield "items:none:minItems", "minItems"
        elif any(word in node for word in ("maxItems", "uniqueItems", "contains")):
            yield "items:none:keywords", ""


def _prefixed(node: dict[str, Any]) -> Iterator[tuple[str, str]]:
    yield "prefixItems", "prefixItems"
    if node.get("items") is False:
        yield "prefixItems:closed", "items"
    if isinstance(node["prefixItems"], list) and (node.get("minItems") or 0) < len(node["prefixItems"]):
        yield "prefixItems:short", "prefixItems"
    elif "items" not in node and (node.get("minItems") or 0) > len(node["prefixItems"]):
        yield "prefixItems:minItems", "prefixItems"


def _branches(node: dict[str, Any], schema: Schema) -> Iterator[tuple[str, str]]:
    for word in ("anyOf", "oneOf", "allOf"):
        branches = node.get(word)
        if not isinstance(branches, list):
            continue
        beside = bool(asserting(node, word))
        if word == "oneOf" and not all_disjoint(branches, schema.references):
            yield "oneOf:overlap", word
        elif word != "allOf" or len(branches) > 1:
            yield word, word
        if word == "allOf" and len(branches) == 1:
            yield "allOf:single:siblings" if beside else "allOf:single", word
        elif beside:
            yield f"{word}:siblings", word
    if "not" in node:
        yield "not", "not"
    if "if" in node:
        yield "if" if "then" in node or "else" in node else "if:alone", "if"


def _reference(node: dict[str, Any], schema: Schema) -> Iterator[tuple[str, str]]:
    for word in ("$dynamicRef", "$recursiveRef"):
        if word in node:
            yield word, word
    if "$ref" not in node:
        return
    yield "$ref", "$ref"
    reference = schema.references.find(node["$ref"])
    yield reference.kind, "$ref"
    if schema.references.is_circular(reference):
        yield "$ref:recursive", "$ref"
    if asserting(node, "$ref"):
        yield "$ref:siblings:draft-07" if older_than_2019(schema) else "$ref:siblings", "$ref"
    elif len(node) > 1 and any(word in ANNOTATIONS for word in node):
        yield "$ref:annotated", "$ref"


def _silent(node: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for word in node:
        if word in ANNOTATIONS or word in ("$id", "id"):
            yield word, word
        elif word.startswith("x-"):
            yield "x-other", word
        elif word not in KNOWN:
            yield "unknown", word
