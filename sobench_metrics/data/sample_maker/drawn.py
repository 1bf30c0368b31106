"""What every kind returns, and the small vocabulary in which its schema and labels are written."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from random import Random
from typing import Any

from PIL import Image

__all__ = [
    "Drawn", "Kind", "Record", "Schema",
    "arr", "boolean", "choice", "integer", "labels", "nullable", "number", "obj", "text",
]  # fmt: skip

Schema = dict[str, Any]
Record = dict[str, Any]  # a mapping of a target


@dataclass(frozen=True, slots=True)
class Drawn:
    """One document: the picture, what is asked of it, the right answer, and how each field is to be compared."""

    image: Image.Image
    schema: Schema
    user_intent: str
    target: Any
    labels: Any


Kind = Callable[[Random], Drawn]


def text(description: str | None = None, **keywords: Any) -> Schema:
    return _described({"type": "string", **keywords}, description)


def integer(minimum: int | None = None, maximum: int | None = None, description: str | None = None) -> Schema:
    return _described({"type": "integer", **_bounds(minimum, maximum)}, description)


def number(minimum: float | None = None, maximum: float | None = None, description: str | None = None) -> Schema:
    return _described({"type": "number", **_bounds(minimum, maximum)}, description)


def boolean(description: str | None = None) -> Schema:
    return _described({"type": "boolean"}, description)


def choice(*values: str, description: str | None = None) -> Schema:
    return _described({"type": "string", "enum": list(values)}, description)


def arr(items: Schema, **keywords: Any) -> Schema:
    return {"type": "array", "items": items, **keywords}


def obj(**properties: Schema) -> Schema:
    """Return a closed object schema in which every property is required."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def nullable(schema: Schema) -> Schema:
    """Allow null beside the schema's own type (and in its enum, which would forbid it otherwise)."""
    widened = {**schema, "type": [schema["type"], "null"]}
    if "enum" in schema:
        widened["enum"] = [*schema["enum"], None]
    return widened


def labels(target: Any, *, fuzzy: Collection[str] = (), ignore: Collection[str] = (), under: str = "exact") -> Any:
    """Return comparison labels of the target's own shape; a rule set for a key holds for every leaf under it."""
    if isinstance(target, dict):
        return {
            key: labels(value, fuzzy=fuzzy, ignore=ignore, under=_rule(key, fuzzy, ignore, under))
            for key, value in target.items()
        }
    if isinstance(target, list):
        return [labels(value, fuzzy=fuzzy, ignore=ignore, under=under) for value in target]
    return under


def _rule(key: str, fuzzy: Collection[str], ignore: Collection[str], otherwise: str) -> str:
    if key in ignore:
        return "ignore"
    return "fuzzy" if key in fuzzy else otherwise


def _bounds(minimum: float | None, maximum: float | None) -> Schema:
    return {key: value for key, value in (("minimum", minimum), ("maximum", maximum)) if value is not None}


def _described(schema: Schema, description: str | None) -> Schema:
    return schema if description is None else {**schema, "description": description}
