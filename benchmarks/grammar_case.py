"""The form of a case: a schema, what follows it, and what breaks one rule of it only."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final

__all__ = ["DRAFT_07", "XY", "Case", "in_object", "of_object", "of_text"]


@dataclass(frozen=True, slots=True)
class Case:
    """A schema, values that follow it and values that do not; `broken` are texts that are no JSON at all."""

    schema: Any
    good: tuple[Any, ...]
    bad: tuple[Any, ...] = ()
    broken: tuple[str, ...] = ()


def in_object(schema: Any, good: tuple[Any, ...], bad: tuple[Any, ...] = (), **root: Any) -> Case:
    """Put the schema under a required property: the usual place, and one that every engine accepts at the root."""
    whole = {
        "type": "object",
        "properties": {"a": schema},
        "required": ["a"],
        "additionalProperties": False,
        **root,
    }
    return Case(whole, tuple({"a": value} for value in good), tuple({"a": value} for value in bad))


def of_text(*good: Any, bad: tuple[Any, ...] = (), raw: str = "", **keywords: Any) -> Case:
    """Return a case for strings; `raw` stands unescaped between the quotes of a broken text."""
    case = in_object({"type": "string", **keywords}, good, bad)
    return replace(case, broken=('{"a": "' + raw + '"}',)) if raw else case


def of_object(schema: dict[str, Any], good: tuple[Any, ...], bad: tuple[Any, ...] = ()) -> Case:
    """Keep the object schema itself under test."""
    return in_object({"type": "object", **schema}, good, bad)


DRAFT_07: Final = "http://json-schema.org/draft-07/schema#"
XY: Final = {"x": {"type": "integer"}, "y": {"type": "string"}}
