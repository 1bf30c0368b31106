"""Which backend vLLM takes for a schema when none is named, since it takes another one where xgrammar falls short.

Read in vLLM 0.32: it looks at every object of the schema, used or not, and at neither `$ref` nor dialect.
"""

from __future__ import annotations

from typing import Any, Final

from sobench_metrics.constrained.places import Schema, places
from sobench_metrics.constrained.shapes import shapes
from sobench_metrics.constrained.tables.xgrammar import XGRAMMAR

__all__ = ["NESTING", "vllm_backend"]

NESTING: Final = {"json_nesting": 64}
_KNOWN_FORMATS: Final = frozenset((
    "email", "date", "time", "date-time", "duration", "ipv4", "ipv6", "hostname", "uuid", "uri", "uri-reference",
    "uri-template", "json-pointer", "relative-json-pointer",
))  # fmt: skip


def vllm_backend(schema: Any) -> str:
    """Return "xgrammar", or "guidance" where vLLM or xgrammar refuses, or "outlines" where guidance may not have it."""
    objects = _objects(schema)
    if not any(map(_is_passed_on, objects)) and not _refused_by_xgrammar(schema):
        return "xgrammar"
    return "outlines" if any("patternProperties" in node for node in objects) else "guidance"


def _objects(value: Any) -> list[dict[str, Any]]:
    """Return the root and every object that stands in an object, or in a list of an object."""
    found: list[dict[str, Any]] = []
    pending = [value]
    while pending:
        held = pending.pop()
        if not isinstance(held, dict):
            continue
        found.append(held)
        for child in held.values():
            pending.extend(child if isinstance(child, list) else [child])
    return found


def _is_passed_on(node: dict[str, Any]) -> bool:
    named = node.get("type")
    kinds = {kind for kind in (named if isinstance(named, list) else [named]) if isinstance(kind, str)}
    if kinds & {"integer", "number"} and "multipleOf" in node:
        return True
    if "array" in kinds and any(word in node for word in ("uniqueItems", "contains", "minContains", "maxContains")):
        return True
    if "string" in kinds and (_has_odd_format(node) or _is_shaped_and_bounded(node)):
        return True
    if "object" in kinds and (_has_odd_names(node) or _has_odd_patterns(node)):
        return True
    joined = node.get("allOf")
    return isinstance(joined, list) and len(joined) > 1


def _has_odd_format(node: dict[str, Any]) -> bool:
    return "format" in node and not (isinstance(node["format"], str) and node["format"] in _KNOWN_FORMATS)


def _is_shaped_and_bounded(node: dict[str, Any]) -> bool:
    return ("pattern" in node or "format" in node) and ("minLength" in node or "maxLength" in node)


def _has_odd_names(node: dict[str, Any]) -> bool:
    if "propertyNames" not in node:
        return False
    names = node["propertyNames"]
    company = "patternProperties" in node or "properties" in node or node.get("unevaluatedProperties", True) is not True
    return company or (isinstance(names, dict) and _is_shaped_and_bounded(names))


def _has_odd_patterns(node: dict[str, Any]) -> bool:
    patterned = node.get("patternProperties")
    return isinstance(patterned, dict) and ("properties" in node or len(patterned) > 1)


def _refused_by_xgrammar(schema: Any) -> bool:
    whole = Schema.of(schema)
    for place in places(whole, XGRAMMAR.skipped):
        skipped = XGRAMMAR.skipped(place.node) if isinstance(place.node, dict) else frozenset()
        if any(shape in XGRAMMAR.refused and word not in skipped for shape, word in shapes(place, whole)):
            return True
    return False
