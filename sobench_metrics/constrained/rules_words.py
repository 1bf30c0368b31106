"""Conversions that take away words which change no verdict, where an engine stumbles over them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from sobench_metrics.constrained.places import places
from sobench_metrics.constrained.words import ANNOTATIONS, BY_TYPE, types_of

if TYPE_CHECKING:
    from sobench_metrics.constrained.places import Schema

__all__ = [
    "drop_annotation",
    "drop_annotations",
    "drop_format",
    "drop_idle",
    "drop_lone_if",
    "drop_root_word",
    "drop_unknown",
]

_CORE: Final = frozenset((
    "type", "enum", "properties", "required", "additionalProperties", "patternProperties", "items", "minItems",
    "maxItems", "uniqueItems", "minLength", "maxLength", "pattern", "format", "minimum", "maximum", "multipleOf",
    "minProperties", "maxProperties", "anyOf", "oneOf", "allOf", "not", "$ref", "definitions", "$defs", "$schema",
))  # fmt: skip
"""Keywords that mean the same in every dialect from draft-06 on, as long as `items` is no list."""
_LATER: Final = frozenset(("const", "contains", "propertyNames", "exclusiveMinimum", "exclusiveMaximum", "$id"))


def drop_annotation(node: dict[str, Any], keyword: str, _whole: Schema) -> dict[str, Any] | None:
    """Return the node without a word that is for people, or that asks for what holds anyway."""
    if keyword in ANNOTATIONS or keyword.startswith("x-") or node.get(keyword) is False:
        return {word: value for word, value in node.items() if word != keyword}
    return None


def drop_annotations(node: dict[str, Any], _keyword: str, _whole: Schema) -> dict[str, Any] | None:
    """Return the node without any annotation."""
    return {word: value for word, value in node.items() if word not in ANNOTATIONS}


def drop_unknown(node: dict[str, Any], keyword: str, whole: Schema) -> dict[str, Any] | None:
    """Return the node without a keyword of no dialect, unless a reference may lead into it."""
    if whole.references.lead_through(keyword):
        return None
    return {word: value for word, value in node.items() if word != keyword}


def drop_format(node: dict[str, Any], keyword: str, _whole: Schema) -> dict[str, Any] | None:
    """Return the node without its format: JSON Schema lets formats say nothing, and the scorers do not assert them."""
    return {word: value for word, value in node.items() if word != keyword}


def drop_lone_if(node: dict[str, Any], _keyword: str, whole: Schema) -> dict[str, Any] | None:
    """Return the node without an `if` that nothing follows from; None where unevaluated properties may read it."""
    nodes = [place.node for place in places(whole) if isinstance(place.node, dict)]
    if any("unevaluatedProperties" in held or "unevaluatedItems" in held for held in nodes):
        return None
    return {word: value for word, value in node.items() if word != "if"}


def drop_idle(node: dict[str, Any], _keyword: str, _whole: Schema) -> dict[str, Any] | None:
    """Return the node without the keywords for types that it does not allow."""
    kinds = types_of(node)
    if kinds is None:
        return None
    idle = frozenset().union(*(words for kind, words in BY_TYPE.items() if kind not in kinds))
    return {word: value for word, value in node.items() if word not in idle}


def drop_root_word(node: dict[str, Any], keyword: str, whole: Schema) -> dict[str, Any] | None:
    """Return the root without `$schema` where all its keywords mean the same without, or without an unused `$id`."""
    if node is not whole.root:
        return None
    if keyword == "$schema" and not _means_the_same(whole):
        return None
    if keyword != "$schema" and not _only_pointers(whole):
        return None
    return {word: value for word, value in node.items() if word != keyword}


def _means_the_same(whole: Schema) -> bool:
    if whole.dialect in ("2020-12", "other"):  # a validator takes an unknown dialect for the newest
        return True
    if whole.dialect not in ("draft-06", "draft-07", "2019-09"):
        return False
    for place in places(whole):
        node = place.node
        if not isinstance(node, dict):
            continue
        used = set(node) - ANNOTATIONS
        if used - _CORE - _LATER or isinstance(node.get("items"), list):
            return False
        if "$ref" in used and used - {"$ref", "definitions", "$defs", "$schema"}:
            return False
    return True


def _only_pointers(whole: Schema) -> bool:
    named = [place.node["$ref"] for place in places(whole) if isinstance(place.node, dict) and "$ref" in place.node]
    return all(text == "#" or str(text).startswith("#/") for text in named)
