"""`multipleOf` by exact fractions: `jsonschema` divides floats, so that 19.99 would be no multiple of 0.01."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sobench_metrics.findings import Finding
from sobench_metrics.ifstruct.walk import path_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sobench_metrics.ifstruct.strict.answer import Answer
    from sobench_metrics.ifstruct.walk import Place

__all__ = ["not_multiples"]


def not_multiples(answer: Answer) -> Iterator[Finding]:
    """Yield "strict.number" for each number that is no multiple of its schema's `multipleOf`."""
    for value, step, place in _stepped(answer):
        if not _is_number(step) or not _is_finite(step) or step <= 0:
            yield Finding("strict.skipped", "", f"multipleOf must be a number above 0, got {step!r:.60}")
            return
        if not _is_multiple(value, step):
            yield Finding("strict.number", path_of(place), f"{value!r:.60} is not a multiple of {step!r:.60}")


def _stepped(answer: Answer) -> Iterator[tuple[Any, Any, Place]]:
    """Yield every number whose schema, along `properties` and `items`, has the keyword."""
    pending: list[tuple[Any, Mapping[str, Any], Place]] = [(answer.payload.data, answer.spec.json_schema, answer.place)]
    while pending:
        value, schema, place = pending.pop()
        if "multipleOf" in schema and _is_number(value):
            yield value, schema["multipleOf"], place
        elif isinstance(value, list) and (items := schema.get("items")):
            pending += [(item, items, (place, index)) for index, item in reversed(list(enumerate(value)))]
        elif isinstance(value, dict) and (properties := schema.get("properties")):
            pending += [
                (value[name], properties[name], (place, name)) for name in reversed(value) if name in properties
            ]


def _is_multiple(value: float, step: float) -> bool:
    # repr is the shortest text that reads back as the float: the number that was written
    return _is_finite(value) and (Fraction(repr(value)) / Fraction(repr(step))).denominator == 1


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_finite(value: float) -> bool:
    return isinstance(value, int) or math.isfinite(value)
