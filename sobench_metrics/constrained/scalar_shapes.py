"""Shapes of schemas for texts and numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from sobench_metrics.constrained.pattern_shapes import pattern_shapes
from sobench_metrics.constrained.words import types_of

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["FORMATS", "number_shapes", "string_shapes"]

FORMATS: Final = frozenset((
    "date", "time", "date-time", "duration", "email", "idn-email", "hostname", "idn-hostname", "ipv4", "ipv6", "uri",
    "uri-reference", "iri", "iri-reference", "uri-template", "uuid", "json-pointer", "relative-json-pointer", "regex",
))  # fmt: skip
"""Formats that JSON Schema defines; any other name says nothing."""

_INT64: Final = 2**63


def string_shapes(node: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the shapes of the keywords that test texts."""
    kinds = types_of(node)
    if kinds is not None and "string" not in kinds:
        return
    bounded = [word for word in ("minLength", "maxLength") if node.get(word) is not None]
    for word in bounded:
        yield word, word
    pattern = node.get("pattern")
    if isinstance(pattern, str):
        yield from ((shape, "pattern") for shape in pattern_shapes(pattern))
        if bounded:
            yield "pattern:length", "pattern"
    name = node.get("format")
    if isinstance(name, str):
        yield f"format:{name}" if name in FORMATS else "format:other", "format"
        if bounded:
            yield "format:length", "format"
        if pattern is not None:
            yield "format:pattern", "format"


def number_shapes(node: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the shapes of the keywords that test numbers."""
    kinds = types_of(node)
    if kinds is not None and "number" not in kinds:
        return
    named = node.get("type")
    whole = named == "integer" or (isinstance(named, list) and "integer" in named and "number" not in named)
    tail = "" if whole else ":number"
    bounds = [word for word in ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum") if word in node]
    for word in bounds:
        yield from ((shape, word) for shape in _bound(word, node[word], whole=whole, tail=tail))
    if _is_empty(node):
        yield "minimum:empty", "minimum"
    if "multipleOf" in node:
        yield "multipleOf" + tail, "multipleOf"
        if bounds:
            yield "multipleOf:bounds", "multipleOf"


def _bound(word: str, value: Any, *, whole: bool, tail: str) -> Iterator[str]:
    if isinstance(value, bool):
        yield "exclusiveMinimum:boolean"
    elif isinstance(value, (int, float)):
        yield word + tail
        if whole and isinstance(value, float) and not value.is_integer():
            yield "minimum:fraction"
        if not -_INT64 <= value < _INT64:
            yield "minimum:large" if whole else "minimum:large:number"


def _is_empty(node: dict[str, Any]) -> bool:
    least = [node[word] for word in ("minimum", "exclusiveMinimum") if _is_number(node.get(word))]
    most = [node[word] for word in ("maximum", "exclusiveMaximum") if _is_number(node.get(word))]
    if not least or not most:
        return False
    if max(least) != min(most):
        return bool(max(least) > min(most))
    excluded = (node.get("exclusiveMinimum"), node.get("exclusiveMaximum"))
    return any(_is_number(bound) and bound == max(least) for bound in excluded)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
