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
    from collections.abc import Callable

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


class _EndlessError(Exception):
    """A branch leads back into a reference that is still open."""


@dataclass(frozen=True, slots=True)
class _Builder:
    root: Any
    text: str
    complete: bool
    open_references: frozenset[str] = field(default_factory=frozenset)

    def build(self, schema: Any, turn: int = 0) -> Any:
        """Return an instance; another `turn` gives another one where the schema leaves a choice (uniqueItems)."""
        if not isinstance(schema, dict):
            return self.text  # `true` takes anything, and nothing follows `false`
        if "$ref" in schema:
            return self._referred(schema, turn)
        if schema.get("allOf"):
            return self.build(_merged(schema, "allOf", self._flat), turn)
        for keyword in ("anyOf", "oneOf"):
            if schema.get(keyword):
                return self._first_ending([_joined(_without(schema, keyword), part) for part in schema[keyword]], turn)
        return _listed(schema, turn) if "const" in schema or schema.get("enum") else self._of_type(schema, turn)

    def _of_type(self, schema: dict[str, Any], turn: int) -> Any:
        kind = schema.get("type", _meant(schema))
        if isinstance(kind, list):
            return self._first_ending([{**schema, "type": single} for single in kind], turn)
        if kind in ("object", "array"):
            return self._object(schema, turn) if kind == "object" else self._list(schema, turn)
        if kind in ("number", "integer"):
            return _number(schema, whole=kind == "integer", turn=turn)
        simple = {"boolean": bool(turn % 2), "null": None}
        return simple[kind] if kind in simple else _string(schema, self.text, turn)

    def _referred(self, schema: dict[str, Any], turn: int) -> Any:
        reference = schema["$ref"]
        if reference in self.open_references:
            raise _EndlessError(reference)
        inside = replace(self, open_references=self.open_references | {reference})
        return inside.build(_joined(_without(schema, "$ref"), _target(self.root, reference)), turn)

    def _first_ending(self, branches: list[Any], turn: int) -> Any:
        """Return an instance of the first branch that has a finite one."""
        fault = _EndlessError("no branch can be followed")
        for branch in branches:
            try:
                if branch is not False:
                    return self.build(branch, turn)
            except _EndlessError as endless:  # noqa: PERF203 - each branch is a try of its own
                fault = endless
        raise fault

    def _flat(self, schema: Any) -> Any:
        """Replace a reference by what it names, so that it can be merged with its neighbours."""
        if isinstance(schema, dict) and "$ref" in schema and schema["$ref"] not in self.open_references:
            return _joined(_without(schema, "$ref"), _target(self.root, schema["$ref"]))
        return schema

    def _object(self, schema: dict[str, Any], turn: int) -> dict[str, Any]:
        properties = schema.get("properties") or {}
        required = list(schema.get("required") or [])
        for name in required:
            required += [also for also in (schema.get("dependentRequired") or {}).get(name, []) if also not in required]
        optional = [name for name in properties if name not in required]
        short = max(0, (schema.get("minProperties") or 0) - len(required))
        wanted = {*required, *(optional if self.complete else optional[:short])}
        ordered = [name for name in properties if name in wanted]
        ordered += [name for name in required if name not in properties]
        made: dict[str, Any] = {}
        for name in ordered:
            part = properties.get(name, schema.get("additionalProperties", True))
            try:
                made[name] = self.build(part, turn)
            except _EndlessError:
                if name in required:
                    raise
        return made

    def _list(self, schema: dict[str, Any], turn: int) -> list[Any]:
        items = schema.get("items", True)
        first = schema.get("prefixItems") or (items if isinstance(items, list) else [])
        least = schema.get("minItems") or 0
        if self.complete and not least and first == [] and schema.get("maxItems") != 0:
            least = 1
        rest = True if isinstance(items, list) else items
        parts = [*first, *[rest] * max(0, least - len(first))][: schema.get("maxItems")]
        if "contains" in schema:
            parts = [schema["contains"], *parts[1:]]
        step = 1 if schema.get("uniqueItems") else 0
        try:
            return [self.build(part, turn + step * index) for index, part in enumerate(parts)]
        except _EndlessError:
            if (schema.get("minItems") or 0) > 0:
                raise
            return []


def instance_of(schema: Any, *, text: str = "", complete: bool = False) -> Any:
    """Return data that follows the schema; `text` stands in every string that nothing constrains.

    The smallest instance by default; `complete` adds optional properties and one element to every list. Returns
    None for a schema that no finite value follows. Never raises on a schema that JSON can hold.
    """
    try:
        return _Builder(schema, text, complete).build(schema)
    except (_EndlessError, RecursionError):
        return None


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
    low, high = _bound(schema, "minimum", "exclusiveMinimum"), _bound(schema, "maximum", "exclusiveMaximum")
    step = Decimal(str(schema.get("multipleOf") or 1))
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
    plain, exclusive = schema.get(name), schema.get(exclusive_name)
    found = [(Decimal(str(plain)), exclusive is True)] if plain is not None else []
    if exclusive is not None and not isinstance(exclusive, bool):
        found.append((Decimal(str(exclusive)), True))
    if not found:
        return None
    return max(found) if name == "minimum" else min(found, key=lambda bound: (bound[0], not bound[1]))


def _above(value: Decimal, low: tuple[Decimal, bool]) -> bool:
    return value > low[0] or (value == low[0] and not low[1])


def _below(value: Decimal, high: tuple[Decimal, bool]) -> bool:
    return value < high[0] or (value == high[0] and not high[1])


def _string(schema: dict[str, Any], text: str, turn: int) -> str:
    least, most = schema.get("minLength") or 0, schema.get("maxLength")
    if schema.get("format") in _FORMATS:
        return _FORMATS[schema["format"]]
    if isinstance(schema.get("pattern"), str):
        text = text_for_pattern(schema["pattern"]) or text
    elif turn:
        text = f"{text}{turn}"
    if len(text) < least:
        text += "a" * (least - len(text))
    return text if most is None or len(text) <= most else "a" * least


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
        elif isinstance(part, list) and key.isdecimal() and int(key) < len(part):
            part = part[int(key)]
        else:
            return True
    return part


def _without(schema: dict[str, Any], keyword: str) -> dict[str, Any]:
    return {name: value for name, value in schema.items() if name != keyword}


def _merged(schema: dict[str, Any], keyword: str, flat: Any) -> Any:
    joined: Any = _without(schema, keyword)
    for part in schema[keyword]:
        joined = _joined(joined, flat(part))
    return joined


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
        "required": lambda a, b: [*a, *(key for key in b if key not in a)],
        "type": _common_types,
        "enum": lambda a, b: [value for value in a if value in b] or a,
        "allOf": lambda a, b: [*a, *b],
        **dict.fromkeys(_LOWEST_WINS, min),
        **dict.fromkeys(_HIGHEST_WINS, max),
    }
    return rules[name](one, other) if name in rules else other


def _common_types(one: Any, other: Any) -> Any:
    first, second = ([kinds] if isinstance(kinds, str) else list(kinds) for kinds in (one, other))
    common = [kind for kind in first if kind in second or (kind == "integer" and "number" in second)]
    common += [kind for kind in second if kind == "integer" and "number" in first and kind not in common]
    return common[0] if len(common) == 1 else common or one
