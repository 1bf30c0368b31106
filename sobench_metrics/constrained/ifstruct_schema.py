"""IFStruct's checks as a JSON Schema: the walk's keywords as the walk reads them, the wrapper and the count."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from sobench_metrics.ifstruct.leaves import NO_TYPE, effective_type
from sobench_metrics.json_schema import run_nested

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping

    from sobench_metrics.ifstruct import Spec

__all__ = ["NothingPassesError", "list_answer", "object_answer"]

_NOT_NULL = ["string", "number", "boolean", "array", "object"]


class NothingPassesError(Exception):
    """The row's checks contradict each other."""


def list_answer(spec: Spec) -> dict[str, Any]:
    """Return the schema of the answer to a row that asks for a list; raises NothingPassesError."""
    items = _without_null(run_nested(_checked(spec.json_schema)))
    least, most = _count(spec.top_level_count)
    least, most = max(least, items.pop("minItems", 0)), min(most, items.pop("maxItems", math.inf))
    if least > most:
        raise NothingPassesError(f"at least {least} and at most {most} items are wanted")
    items |= ({"minItems": least} if least > 0 else {}) | ({"maxItems": int(most)} if most < math.inf else {})
    if not spec.require_wrapper_key:
        return items
    if spec.top_level_key is None:  # any one key will do
        return {"type": "object", "additionalProperties": items, "minProperties": 1, "maxProperties": 1}
    key = spec.top_level_key
    return {"type": "object", "properties": {key: items}, "required": [key], "additionalProperties": False}


def object_answer(spec: Spec) -> dict[str, Any]:
    """Return the schema of the answer to a row that asks for an object; raises NothingPassesError.

    A lone key that holds a list is taken for a wrapper by the validator, and then no object is left.
    """
    schema = _without_null(run_nested(_checked(spec.json_schema)))
    properties, required = schema["properties"], schema.get("required", [])
    if undeclared := [name for name in required if name not in properties]:
        raise NothingPassesError(f"'{undeclared[0]}' is required and not declared")
    if len(required) == 1 and properties[required[0]].get("type") == "array":
        if len(properties) == 1:
            raise NothingPassesError(f"an object with the one list '{required[0]}' counts as a wrapper")
        schema["minProperties"] = 2
    return schema


def _count(wanted: Any) -> tuple[int, float]:
    if isinstance(wanted, int):
        return int(wanted), int(wanted)
    if isinstance(wanted, list) and len(wanted) == 2 and all(isinstance(bound, (int, float)) for bound in wanted):
        least, most = wanted
        return max(0, math.ceil(least)), math.floor(most)
    return 0, math.inf


def _without_null(schema: dict[str, Any]) -> dict[str, Any]:
    return {**schema, "type": effective_type(schema)}


def _checked(node: Mapping[str, Any]) -> Generator[Any, Any, dict[str, Any]]:
    """Return what the validator checks of a node, in its reading, with the descriptions kept."""
    kind = effective_type(node)
    allows_null = isinstance(node.get("type"), list) and "null" in node["type"]
    if kind == "array":
        made = {"type": "array", **_sizes(node)}
        if node.get("items"):
            made["items"] = yield _checked(node["items"])
    elif kind == "object":
        made = yield _object(node)
    else:
        made = _scalar(kind, node, allows_null=allows_null)
    if allows_null and kind in ("array", "object"):
        made["type"] = [kind, "null"]
    return {"description": node["description"], **made} if isinstance(node.get("description"), str) else made


def _object(node: Mapping[str, Any]) -> Generator[Any, Any, dict[str, Any]]:
    properties = {}
    for name, below in (node.get("properties") or {}).items():
        properties[name] = yield _checked(below)
    made: dict[str, Any] = {"type": "object", "properties": properties}
    if node.get("required"):
        made["required"] = list(dict.fromkeys(node["required"]))
    return {**made, "additionalProperties": False}


def _sizes(node: Mapping[str, Any]) -> dict[str, int]:
    least, most = node.get("minItems"), node.get("maxItems")
    made = {"minItems": math.ceil(least)} if least is not None and least > 0 else {}
    return made | ({"maxItems": math.floor(most)} if most is not None else {})


def _scalar(kind: Any, node: Mapping[str, Any], *, allows_null: bool) -> dict[str, Any]:
    if kind == "null":
        made: dict[str, Any] = {}  # the validator takes any value where it reads "null"
    elif kind in ("string", "boolean", "integer", "number"):
        made = {"type": [kind, "null"] if allows_null else kind}
        if kind in ("integer", "number"):
            made |= {word: node[word] for word in ("minimum", "maximum") if node.get(word) is not None}
    elif kind is NO_TYPE and allows_null:
        made = {}
    else:
        made = {"type": _NOT_NULL}
    if node.get("enum") is not None:
        made["enum"] = [*node["enum"], None] if allows_null and None not in node["enum"] else list(node["enum"])
    return made
