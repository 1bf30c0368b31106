"""Build data that follows a schema, from the schema alone: the smallest, or one with every declared property.

Covers what schemas of both benchmarks use: types, enum, const, bounds, multipleOf, lengths, simple patterns, formats,
list and object sizes, local `$ref`, `allOf` (merged), `anyOf` and `oneOf` (first branch that can end). Recursive
schemas end, since a reference that is still open is never entered again.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from sobench_metrics.data.pattern_text import text_for_pattern

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

__all__ = ["instance_of"]

_FORMATS = {
    "date": "2000-01-01", "time": "00:00:00Z", "date-time": "2000-01-01T00:00:00Z", "duration": "P1D",
    "email": "a@example.org", "hostname": "example.org", "ipv4": "127.0.0.1", "ipv6": "::1",
    "uri": "https://example.org/", "uuid": "00000000-0000-4000-8000-000000000000",
}  # fmt: skip
_KEYWORD_TYPES = (  # the type that a schema without `type` must mean, by its keywords
    ("object", ("properties", "required", "minProperties", "additionalProperties", "patternProperties")),
    ("array", ("items", "prefixItems", "minItems", "maxItems", "contains")),
    ("number", ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")),
)
_LOWEST_WINS = frozenset(("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"))
_HIGHEST_WINS = frozenset(("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"))


_LONGEST_PATTERN = 2_000
_MOST_COMPARED = 1_000_000
_READ_WHOLE = frozenset(("properties", "required", "allOf", "anyOf", "oneOf", "prefixItems", "dependentRequired"))
_NUMERIC = _LOWEST_WINS | _HIGHEST_WINS


class _EndlessError(Exception):
    """A branch leads back into a reference that is still open."""


class _TooLargeError(Exception):
    """No room is left for the rest of the data."""


@dataclass(slots=True)
class _Room:
    """How many more keywords may be read, and how many more characters be written to fill texts up."""

    steps: int
    chars: int

    def read(self, schema: dict[str, Any]) -> None:
        held = (value for word, value in schema.items() if word in _READ_WHOLE and isinstance(value, (dict, list)))
        self.take(1 + len(schema) + sum(map(len, held)))

    def take(self, steps: int, chars: int = 0) -> None:
        self.steps -= steps
        self.chars -= chars
        if self.steps < 0 or self.chars < 0:
            raise _TooLargeError


@dataclass(frozen=True, slots=True)
class _Builder:
    root: Any
    text: str
    complete: bool
    room: _Room
    open_references: frozenset[str] = field(default_factory=frozenset)

    def build(self, schema: Any, turn: int = 0) -> Any:
        """Return an instance; another `turn` gives another one where the schema leaves a choice (uniqueItems)."""
        if not isinstance(schema, dict):
            self.room.take(1)
            return self.text  # `true` takes anything, and nothing follows `false`
        self.room.read(schema)
        if isinstance(schema.get("$ref"), str):
            return self._referred(schema, turn)
        if _list_in(schema, "allOf"):
            return self.build(self._merged(schema), turn)
        for keyword in ("anyOf", "oneOf"):
            if branches := _list_in(schema, keyword):
                beside = _without(schema, keyword)
                return self._first_ending((_joined(beside, part) for part in branches), turn)
        listed = "const" in schema or _list_in(schema, "enum")
        return _listed(schema, turn) if listed else self._of_type(schema, turn)

    def _of_type(self, schema: dict[str, Any], turn: int) -> Any:
        kind = schema.get("type", _meant(schema))
        if isinstance(kind, list):
            return self._first_ending(({**schema, "type": single} for single in kind), turn)
        if kind in ("object", "array"):
            return self._object(schema, turn) if kind == "object" else self._list(schema, turn)
        if kind in ("number", "integer"):
            return _number(schema, whole=kind == "integer", turn=turn)
        simple = {"boolean": bool(turn % 2), "null": None}
        if isinstance(kind, str) and kind in simple:
            return simple[kind]
        return _string(schema, self.text, turn, self.room)

    def _referred(self, schema: dict[str, Any], turn: int) -> Any:
        reference = schema["$ref"]
        if reference in self.open_references:
            raise _EndlessError(reference)
        inside = replace(self, open_references=self.open_references | {reference})
        return inside.build(_joined(_without(schema, "$ref"), _target(self.root, reference)), turn)

    def _first_ending(self, branches: Iterable[Any], turn: int) -> Any:
        """Return an instance of the first branch that has a finite one."""
        fault = _EndlessError("no branch can be followed")
        for branch in branches:
            try:
                if branch is not False:
                    return self.build(branch, turn)
            except _EndlessError as endless:  # noqa: PERF203 - each branch is a try of its own
                fault = endless
        raise fault

    def _merged(self, schema: dict[str, Any]) -> Any:
        joined: Any = _without(schema, "allOf")
        for part in schema["allOf"]:
            flat = self._flat(part)
            if isinstance(flat, dict):
                self.room.read(flat)
            joined = _joined(joined, flat)
        return joined

    def _flat(self, schema: Any) -> Any:
        """Replace a reference by what it names, so that it can be merged with its neighbours."""
        if (
            isinstance(schema, dict)
            and isinstance(schema.get("$ref"), str)
            and schema["$ref"] not in self.open_references
        ):
            return _joined(_without(schema, "$ref"), _target(self.root, schema["$ref"]))
        return schema

    def _object(self, schema: dict[str, Any], turn: int) -> dict[str, Any]:
        properties = _map_in(schema, "properties")
        required = [name for name in _list_in(schema, "required") if isinstance(name, str)]
        known = set(required)
        for name in required:
            for also in _list_in(_map_in(schema, "dependentRequired"), name):
                if isinstance(also, str) and also not in known:
                    known.add(also)
                    required.append(also)
        optional = [name for name in properties if name not in known]
        short = max(0, (_size(schema, "minProperties") or 0) - len(required))
        wanted = {*required, *(optional if self.complete else optional[:short])}
        ordered = [name for name in properties if name in wanted]
        ordered += [name for name in required if name not in properties]
        made: dict[str, Any] = {}
        for name in ordered:
            part = properties.get(name, schema.get("additionalProperties", True))
            try:
                made[name] = self.build(part, turn)
            except _EndlessError:
                if name in known:
                    raise
        return made

    def _list(self, schema: dict[str, Any], turn: int) -> list[Any]:
        items = schema.get("items", True)
        first = _list_in(schema, "prefixItems") or (items if isinstance(items, list) else [])
        least, most = _size(schema, "minItems") or 0, _size(schema, "maxItems")
        if self.complete and not least and first == [] and most != 0:
            least = 1
        rest = True if isinstance(items, list) else items
        wanted = max(len(first), least) if most is None else min(max(len(first), least), most)
        if wanted > self.room.steps:
            raise _TooLargeError  # each item takes a step at least
        parts = [*first[:wanted], *[rest] * (wanted - len(first))]
        if "contains" in schema:
            parts = [schema["contains"], *parts[1:]]
        step = 1 if schema.get("uniqueItems") else 0
        try:
            return [self.build(part, turn + step * index) for index, part in enumerate(parts)]
        except _EndlessError:
            if _size(schema, "minItems"):
                raise
            return []


def instance_of(
    schema: Any, *, text: str = "", complete: bool = False, steps: int = 2_000_000, chars: int = 10_000_000
) -> Any:
    """Return data that follows the schema; `text` stands in every string that nothing constrains.

    The smallest instance by default; `complete` adds optional properties and one element to every list. Returns
    None for a schema that no finite value follows, and where more than `steps` keywords would be read or more than
    `chars` characters be written. Never raises on a schema that JSON can hold: a keyword of the wrong kind says
    nothing, and 2.0 is the integer 2.
    """
    try:
        return _Builder(schema, text, complete, _Room(steps, chars)).build(schema)
    except (_EndlessError, _TooLargeError, RecursionError):
        return None


def _size(schema: dict[str, Any], name: str) -> int | None:
    """Return a count that the schema asks for; None where it asks for none, or for what is no count."""
    value = schema.get(name)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < math.inf or value % 1:
        return None
    return int(value)


def _list_in(schema: dict[str, Any], name: str) -> list[Any]:
    value = schema.get(name)
    return value if isinstance(value, list) else []


def _map_in(schema: dict[str, Any], name: str) -> dict[str, Any]:
    value = schema.get(name)
    return value if isinstance(value, dict) else {}


def _listed(schema: dict[str, Any], turn: int) -> Any:
    if "const" in schema:
        return schema["const"]
    values: list[Any] = schema["enum"]
    kinds = schema.get("type", [])
    allowed = [value for value in values if _is_of(value, kinds if isinstance(kinds, list) else [kinds])]
    return (allowed or values)[turn % len(allowed or values)]


def _is_of(value: Any, kinds: list[str]) -> bool:
    if not kinds:
        return True
    if isinstance(value, bool):
        return "boolean" in kinds
    names: dict[type, tuple[str, ...]] = {
        str: ("string",), int: ("integer", "number"), float: ("number",), type(None): ("null",),
        dict: ("object",), list: ("array",),
    }  # fmt: skip
    return any(name in kinds for name in names[type(value)])


def _number(schema: dict[str, Any], *, whole: bool, turn: int) -> int | float:
    """Return zero where the bounds allow it, else the multiple of the step (1 by default) nearest to it."""
    try:
        return _nearest(schema, whole=whole, turn=turn)
    except ArithmeticError:  # sizes beyond what numbers are reckoned with
        return turn


def _nearest(schema: dict[str, Any], *, whole: bool, turn: int) -> int | float:
    low, high = _bound(schema, "minimum", "exclusiveMinimum"), _bound(schema, "maximum", "exclusiveMaximum")
    step = _exact(schema.get("multipleOf")) or Decimal(1)
    if whole and step % 1:
        step *= step.as_integer_ratio()[1]
    made = Decimal(0)
    if low and not _above(made, low):
        made = step * math.ceil(low[0] / step)
        made += step if not _above(made, low) else 0
    elif high and not _below(made, high):
        made = step * math.floor(high[0] / step)
        made -= step if not _below(made, high) else 0
    if not whole and "multipleOf" not in schema and low and high and not (_above(made, low) and _below(made, high)):
        made = (low[0] + high[0]) / 2  # no whole number lies between the bounds
    made += step * turn
    return int(made) if whole or made == made.to_integral_value() else float(made)


def _bound(schema: dict[str, Any], name: str, exclusive_name: str) -> tuple[Decimal, bool] | None:
    """Return a bound and whether it is excluded; draft 4 writes the latter as a boolean beside the bound."""
    plain, exclusive = _exact(schema.get(name)), schema.get(exclusive_name)
    found = [(plain, exclusive is True)] if plain is not None else []
    if (bound := _exact(exclusive)) is not None:
        found.append((bound, True))
    if not found:
        return None
    return max(found) if name == "minimum" else min(found, key=lambda bound: (bound[0], not bound[1]))


def _exact(value: Any) -> Decimal | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not -math.inf < value < math.inf:
        return None
    return Decimal(str(value)) if isinstance(value, float) else Decimal(value)


def _above(value: Decimal, low: tuple[Decimal, bool]) -> bool:
    return value > low[0] or (value == low[0] and not low[1])


def _below(value: Decimal, high: tuple[Decimal, bool]) -> bool:
    return value < high[0] or (value == high[0] and not high[1])


def _string(schema: dict[str, Any], text: str, turn: int, room: _Room) -> str:
    least, most = _size(schema, "minLength") or 0, _size(schema, "maxLength")
    named = schema.get("format")
    if isinstance(named, str) and named in _FORMATS:
        return _FORMATS[named]
    if isinstance(schema.get("pattern"), str):
        text = _pattern_text(schema["pattern"]) or text
    elif turn:
        text = f"{text}{turn}"
    room.take(0, max(len(text), least))
    if len(text) < least:
        text += "a" * (least - len(text))
    return text if most is None or len(text) <= most else "a" * least


def _pattern_text(pattern: str) -> str | None:
    return text_for_pattern(pattern) if len(pattern) <= _LONGEST_PATTERN else None


def _meant(schema: dict[str, Any]) -> str:
    return next((kind for kind, keywords in _KEYWORD_TYPES if any(word in schema for word in keywords)), "string")


def _target(root: Any, reference: Any) -> Any:
    """Return the part of the root that a local reference names; `true` (anything) where it cannot be found."""
    if not isinstance(reference, str) or not reference.startswith("#"):
        return True
    part = root
    for name in reference[1:].split("/")[1:]:
        key = name.replace("~1", "/").replace("~0", "~")
        if isinstance(part, dict) and key in part:
            part = part[key]
        elif isinstance(part, list) and key.isdecimal() and len(key) <= 20 and int(key) < len(part):
            part = part[int(key)]
        else:
            return True
    return part


def _without(schema: dict[str, Any], keyword: str) -> dict[str, Any]:
    return {name: value for name, value in schema.items() if name != keyword}


def _joined(one: Any, other: Any) -> Any:
    """Return a schema that asks for what both ask for, as far as the keywords can say it."""
    if not isinstance(one, dict):
        return other
    if not isinstance(other, dict):
        return False if other is False else one
    joined = dict(one)
    for name, value in other.items():
        joined[name] = _joined_keyword(name, joined[name], value) if name in joined else value
    return joined


def _joined_keyword(name: str, one: Any, other: Any) -> Any:
    rules: dict[str, Callable[[Any, Any], Any]] = {
        "properties": lambda a, b: {key: _joined(a.get(key, True), b.get(key, True)) for key in {**a, **b}},
        "items": _joined,
        "required": lambda a, b: list(dict.fromkeys(key for key in (*a, *b) if isinstance(key, str))),
        "type": _common_types,
        "enum": _common_values,
        "allOf": lambda a, b: [*a, *b],
        **dict.fromkeys(_LOWEST_WINS, min),
        **dict.fromkeys(_HIGHEST_WINS, max),
    }
    return rules[name](one, other) if name in rules and _fit(name, one, other) else other


def _fit(name: str, *values: Any) -> bool:
    """Return whether both values are what the keyword takes, so that they can be put together."""
    kinds: dict[str, tuple[type, ...]] = {"properties": (dict,), "type": (str, list), "items": (object,)}
    return all(isinstance(value, (int, float) if name in _NUMERIC else kinds.get(name, (list,))) for value in values)


def _common_values(one: list[Any], other: list[Any]) -> list[Any]:
    plain = {value for value in other if not isinstance(value, (list, dict))}
    nested = [value for value in other if isinstance(value, (list, dict))]
    if len(one) * len(nested) > _MOST_COMPARED:
        return one
    return [value for value in one if (value in nested if isinstance(value, (list, dict)) else value in plain)] or one


def _common_types(one: Any, other: Any) -> Any:
    first, second = ([kinds] if isinstance(kinds, str) else list(kinds) for kinds in (one, other))
    common = [kind for kind in first if kind in second or (kind == "integer" and "number" in second)]
    common += [kind for kind in second if kind == "integer" and "number" in first and kind not in common]
    return common[0] if len(common) == 1 else common or one
