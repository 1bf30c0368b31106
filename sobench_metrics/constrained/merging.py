"""One schema for what two schemas ask for together, where that can be said without changing a verdict."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from sobench_metrics.constrained.words import ANNOTATIONS, STRUCTURE, asserting

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["merged"]

_READS: Final[dict[str, frozenset[str]]] = {  # keywords that read their neighbours, and which
    "additionalProperties": frozenset(("properties", "patternProperties", "additionalProperties")),
    "patternProperties": frozenset(("additionalProperties", "patternProperties")),
    "items": frozenset(("prefixItems", "additionalItems", "items")),
    "prefixItems": frozenset(("items", "prefixItems")),
    "additionalItems": frozenset(("items", "additionalItems")),
    "contains": frozenset(("minContains", "maxContains", "contains")),
    "minContains": frozenset(("contains", "minContains")),
    "maxContains": frozenset(("contains", "maxContains")),
    "if": frozenset(("then", "else", "if")),
    "then": frozenset(("if", "else", "then")),
    "else": frozenset(("if", "then", "else")),
    "properties": frozenset(("additionalProperties",)),
}
_APART: Final = object()
_NEVER: Final = frozenset((
    "$ref", "$dynamicRef", "$recursiveRef", "unevaluatedProperties", "unevaluatedItems", "dependencies", "$id", "id",
))  # fmt: skip


def merged(one: Any, other: Any) -> dict[str, Any] | None:
    """Return a schema that holds exactly where both hold, or None where no plain one can be written."""
    if one is True or other is True:
        one, other = (one, other) if other is True else (other, one)
        return one if isinstance(one, dict) else {}
    if not isinstance(one, dict) or not isinstance(other, dict):
        return None
    if _stays_apart(one) or _stays_apart(other) or _read_each_other(one, other):
        return None
    made = dict(one)
    for word, value in other.items():
        if word in ANNOTATIONS and word in made:
            continue  # the outer words stay
        made[word] = value if word not in made else _together(word, made[word], value)
        if made[word] is _APART:
            return None
    return made


def _stays_apart(node: dict[str, Any]) -> bool:
    # draft 4's exclusive bounds are flags that read the bound beside them
    flags = any(isinstance(node.get(word), bool) for word in ("exclusiveMinimum", "exclusiveMaximum"))
    return flags or any(word in _NEVER for word in node)


def _together(word: str, one: Any, other: Any) -> Any:
    """Return one value of a keyword for two, or _APART where there is none."""
    if _same_text(one, other):
        return one
    if word in STRUCTURE or word not in _TOGETHER:
        return _APART
    together = _TOGETHER[word](one, other)
    return _APART if together is None else together


def _same_text(one: Any, other: Any) -> bool:
    return json.dumps(one) == json.dumps(other)  # 1 == True in Python, not in JSON


def _read_each_other(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return any(
        _READS[word] & set(asserting(second))
        for first, second in ((one, other), (other, one))
        for word in first
        if word in _READS and not (word in ("items", "properties") and _is_plain(first, second, word))
    )


def _is_plain(first: dict[str, Any], second: dict[str, Any], word: str) -> bool:
    """Return whether `items` or `properties` of both can be put together, since nothing of either reads them."""
    readers = {"items": ("prefixItems", "additionalItems"), "properties": ("additionalProperties",)}[word]
    return not any(reader in schema for reader in readers for schema in (first, second)) and not isinstance(
        first.get(word), list
    )


def _properties(one: Any, other: Any) -> Any:
    made = dict(one)
    for name, schema in other.items():
        together = merged(made[name], schema) if name in made else schema
        if together is None:
            return None
        made[name] = together
    return made


def _types(one: Any, other: Any) -> Any:
    first, second = ([named] if isinstance(named, str) else list(named) for named in (one, other))
    common = [name for name in first if name in second]
    common += ["integer"] * ("integer" not in common and _whole_in(first, second))
    if not common:
        return None
    return common[0] if len(common) == 1 else common


def _whole_in(first: list[str], second: list[str]) -> bool:
    return ("integer" in first and "number" in second) or ("number" in first and "integer" in second)


def _listed(one: Any, other: Any) -> Any:
    texts = {json.dumps(value) for value in other}
    # floats are left alone: 1 and 1.0 are one value and two texts
    plain = all(isinstance(value, (str, bool, type(None))) for value in (*one, *other))
    return [value for value in one if json.dumps(value) in texts] or None if plain else None


def _numbers(choose: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def chosen(one: Any, other: Any) -> Any:
        plain = all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in (one, other))
        return choose(one, other) if plain else None

    return chosen


_TOGETHER: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "type": _types,
    "enum": _listed,
    "required": lambda one, other: list(dict.fromkeys([*one, *other])),
    "properties": _properties,
    "items": merged,
    "allOf": lambda one, other: [*one, *other],
    "uniqueItems": lambda one, other: bool(one or other),
    **dict.fromkeys(("minimum", "minLength", "minItems", "minProperties"), _numbers(max)),
    **dict.fromkeys(("maximum", "maxLength", "maxItems", "maxProperties"), _numbers(min)),
}
