"""The schema walk: one rule, one small function, each yielding the checks it makes (reference rule A8).

Only `type`, `enum`, `minimum`, `maximum`, `minItems`, `maxItems`, `items`, `properties` and `required` are looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from sobench_metrics.findings import Finding, pointer
from sobench_metrics.ifstruct.display import shown, text_of
from sobench_metrics.ifstruct.leaves import effective_type, leaf_count

__all__ = ["MAX_CHARS", "MAX_CHECKS", "MAX_FINDINGS", "Place", "Walked", "path_of", "walk"]

MAX_CHECKS: Final = 10_000_000
"""More checks than a right answer within the text limits can need; only missing fields get there. The walk stops."""

MAX_FINDINGS: Final = 100_000
"""Failed checks listed one by one; further ones are counted and told in one last finding."""

MAX_CHARS: Final = 20_000_000
"""Characters of all listed messages and paths; beyond it failed checks are only counted."""

Place = tuple[Any, object] | None
"""Where a value stands: (place of its parent, key or index); None is the root. Paths are written only on failure."""


@dataclass(frozen=True, slots=True)
class _Failed:
    code: str
    place: Place
    message: str
    stands_for: Mapping[str, Any] | None = None
    """The schema of a missing field: one failed check for each of its leaves."""


@dataclass(frozen=True, slots=True)
class _Visit:
    schema: Mapping[str, Any]
    data: Any
    place: Place


_PASSED: Final = object()
_Steps = Iterator[Any]  # of _PASSED, _Failed and _Visit


@dataclass(slots=True)
class Walked:
    """What the walk found: checks made and passed, the failed ones in order, and how many of those are not listed."""

    checks: int = 0
    passed: int = 0
    findings: list[Finding] = field(default_factory=list)
    unlisted: int = 0
    _chars: int = 0
    _leaves: dict[int, int] = field(default_factory=dict)

    def add_failed(self, failed: _Failed) -> None:
        """Count a failed check as often as it stands for leaves, and list it while there is room."""
        times = self._times(failed.stands_for)
        listed = 0
        if len(self.findings) < MAX_FINDINGS and self._chars < MAX_CHARS:
            finding = Finding(failed.code, path_of(failed.place), failed.message)
            listed = min(times, MAX_FINDINGS - len(self.findings))
            self.findings += [finding] * listed
            self._chars += len(finding.path) + len(finding.message)
        self.checks += times
        self.unlisted += times - listed

    def _times(self, schema: Mapping[str, Any] | None) -> int:
        if schema is None:
            return 1
        if id(schema) not in self._leaves:  # the same schema is missed in every item
            self._leaves[id(schema)] = leaf_count(schema)
        return self._leaves[id(schema)]


def path_of(place: Place) -> str:
    """Return the JSON Pointer of a place."""
    parts: list[object] = []
    while place is not None:
        place, part = place
        parts.append("(long integer)" if isinstance(part, int) and part.bit_length() > 10_000 else part)
    return pointer(tuple(reversed(parts)))


def walk(schema: Mapping[str, Any], data: Any, place: Place = None) -> Walked:
    """Check the data against the schema in the reference's order; `place` is where the data stands in the answer.

    Open generators are kept on a list, so that neither schema nor data can be too deep for the caller's stack.
    Raises ReferenceCrashError where the reference cannot print a value.
    """
    result = Walked()
    running = [_node(schema, data, place)]
    while running:
        for step in running[-1]:
            if step is _PASSED:
                result.checks += 1
                result.passed += 1
            elif isinstance(step, _Visit):
                running.append(_node(step.schema, step.data, step.place))
                break
            else:
                result.add_failed(step)
            if result.checks > MAX_CHECKS:
                result.unlisted += 1
                return result
        else:
            running.pop()
    return result


def _node(schema: Mapping[str, Any], data: Any, place: Place) -> _Steps:
    declared = schema.get("type")
    if data is None and isinstance(declared, list):
        yield _PASSED if "null" in declared else _wrong_type(declared, data, place)
        return
    kind = effective_type(schema)
    if data is None and kind != "null":
        yield _wrong_type(kind, data, place)
    elif kind == "array":
        yield from _array(schema, data, place)
    elif kind == "object":
        yield from _object(schema, data, place)
    else:
        yield from _scalar(kind, schema, data, place)
        yield from _enum(schema, data, place)


def _wrong_type(kind: Any, data: Any, place: Place) -> _Failed:
    return _Failed("schema.type", place, f"expected {kind}, got {type(data).__name__}")


def _array(schema: Mapping[str, Any], data: Any, place: Place) -> _Steps:
    if not isinstance(data, list):
        yield _wrong_type("array", data, place)
        return
    least, most = schema.get("minItems"), schema.get("maxItems")
    if least is not None and len(data) < least:
        yield _Failed("schema.min_items", place, f"array has {len(data)} items, minimum is {least}")
    elif most is not None and len(data) > most:
        yield _Failed("schema.max_items", place, f"array has {len(data)} items, maximum is {most}")
    if items := schema.get("items"):
        for index, item in enumerate(data):
            yield _Visit(items, item, (place, index))


def _object(schema: Mapping[str, Any], data: Any, place: Place) -> _Steps:
    if not isinstance(data, dict):
        yield _wrong_type("object", data, place)
        return
    properties: Mapping[str, Any] = schema.get("properties") or {}
    for name in schema.get("required") or ():
        if name not in data:
            yield _Failed("schema.required", (place, name), "required field missing", properties.get(name))
    for name, below in properties.items():
        if name in data:
            yield _Visit(below, data[name], (place, name))
    for name, key in sorted(((text_of(key), key) for key in data if key not in properties), key=lambda pair: pair[0]):
        yield _Failed("schema.extraneous", (place, key), f"extraneous field '{name}'")


def _scalar(kind: Any, schema: Mapping[str, Any], data: Any, place: Place) -> _Steps:
    right_type = _RIGHT_TYPE.get(kind) if isinstance(kind, str) else None
    if right_type is None:
        return  # the type "null", none, or one that nobody knows: anything passes silently
    if not right_type(data):
        yield _wrong_type(kind, data, place)
    elif kind in ("integer", "number"):
        yield _bounds(schema, data, place)
    else:
        yield _PASSED


_RIGHT_TYPE: Final[dict[str, Callable[[Any], bool]]] = {
    "string": lambda data: isinstance(data, str),
    "boolean": lambda data: isinstance(data, bool),
    "integer": lambda data: isinstance(data, int) and not isinstance(data, bool),
    "number": lambda data: isinstance(data, int | float) and not isinstance(data, bool),
}


def _bounds(schema: Mapping[str, Any], data: float, place: Place) -> Any:
    least, most = schema.get("minimum"), schema.get("maximum")
    if least is not None and data < least:
        return _Failed("schema.minimum", place, f"{text_of(data)} is less than minimum {least}")
    if most is not None and data > most:
        return _Failed("schema.maximum", place, f"{text_of(data)} is greater than maximum {most}")
    return _PASSED


def _enum(schema: Mapping[str, Any], data: Any, place: Place) -> _Steps:
    allowed = schema.get("enum")
    if allowed is None:
        return
    # Not `in`, which would take the decoder's one shared NaN for equal to itself.
    if any(data == value for value in allowed):
        yield _PASSED
    else:
        yield _Failed("schema.enum", place, f"{shown(data)} not in allowed values {allowed!r}")
