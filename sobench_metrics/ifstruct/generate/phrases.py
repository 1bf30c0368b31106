"""Kinds and limits of a field in words, and the way back: every form of writing has its form of reading."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from random import Random

    from sobench_metrics.ifstruct.generate.field_lines import FieldLine
    from sobench_metrics.ifstruct.generate.schema_sampling import Schema

__all__ = ["Dialect", "kind_of", "kind_word", "limit_words", "read_field", "sample_dialect"]

_N = r"(-?\d+(?:\.\d+)?)"

_KINDS: Final = (
    ("string", "integer", "number", "boolean", "object", "array of objects", "array of strings"),
    ("string", "integer", "number", "boolean", "object", "list of objects", "list of strings"),
    ("text", "whole number", "number", "true/false", "object", "list of objects", "list of texts"),
    ("str", "int", "float", "bool", "dict", "list of dicts", "list of str"),
    ("string", "int", "number", "bool", "object", "object[]", "string[]"),
)
_KIND_NAMES = ("string", "integer", "number", "boolean", "object", "object list", "string list")
_READ_KINDS = MappingProxyType({
    word: kind for words in _KINDS for word, kind in zip(words, _KIND_NAMES, strict=True)
})  # fmt: skip

_SPANS = (
    "between {low} and {high}", "{low} to {high}", "from {low} to {high}", "min {low}, max {high}",
    ">= {low} and <= {high}", "{low}..{high}",
)  # fmt: skip
_READ_SPANS = (
    rf"between {_N} and {_N}", rf"(?:from )?{_N} to {_N}", rf"min {_N}, max {_N}", rf">= {_N} and <= {_N}",
    rf"{_N}\.\.{_N}",
)  # fmt: skip
_FLOORS = ("at least {low}", "{low} or more", "at least {low}", "min {low}", ">= {low}", "at least {low}")
_READ_FLOORS = (rf"at least {_N}", rf"{_N} or more", rf"min {_N}", rf">= {_N}")

_CHOICES = (("one of: ", ", "), ("one of ", " / "), ("", " | "), ("allowed: ", ", "))
_AMOUNTS = (("{n} item{s}", "{low}-{high} items"), ("{n} entr{y}", "{low} to {high} entries"),
            ("exactly {n} element{s}", "between {low} and {high} elements"))  # fmt: skip
_READ_AMOUNTS = (
    r"(\d+)-(\d+) items", r"(\d+) to (\d+) entries", r"between (\d+) and (\d+) elements", r"(\d+) items?",
    r"(\d+) entr(?:y|ies)", r"exactly (\d+) elements?",
)  # fmt: skip
_LEAVES = ("optional", "may be left out", "not mandatory")


@dataclass(frozen=True, slots=True)
class Dialect:
    """One person's way of naming kinds and limits: which form of each is used throughout a prompt."""

    kinds: int
    span: int
    choices: int
    amount: int
    leave: int


def sample_dialect(rng: Random) -> Dialect:
    """Return a drawn dialect."""
    return Dialect(*(rng.randrange(len(forms)) for forms in (_KINDS, _SPANS, _CHOICES, _AMOUNTS, _LEAVES)))


def kind_word(line: FieldLine, dialect: Dialect) -> str:
    """Return the kind of a field in a word or two."""
    return _KINDS[dialect.kinds][_KIND_NAMES.index(line.kind)]


def limit_words(line: FieldLine, dialect: Dialect) -> list[str]:
    """Return what limits a field, one phrase a limit: choices, range, number of entries, may be left out."""
    schema, phrases = line.schema, []
    if "enum" in schema:
        lead, between = _CHOICES[dialect.choices]
        phrases.append(lead + between.join(_plain(value) for value in schema["enum"]))
    if "minimum" in schema:
        forms = _SPANS if "maximum" in schema else _FLOORS
        phrases.append(forms[dialect.span].format(low=_plain(schema["minimum"]), high=_plain(schema.get("maximum", 0))))
    if line.kind.endswith("list"):
        phrases.append(amount_words(schema["minItems"], schema["maxItems"], dialect))
    if line.optional:
        phrases.append(_LEAVES[dialect.leave])
    return phrases


def amount_words(low: int, high: int, dialect: Dialect) -> str:
    """Return how many entries a list has."""
    exact, span = _AMOUNTS[dialect.amount]
    if low != high:
        return span.format(low=low, high=high)
    return exact.format(n=low, s="" if low == 1 else "s", y="y" if low == 1 else "ies")


def kind_of(word: str) -> str | None:
    """Return the kind that a word names, None for a word that names none."""
    return _READ_KINDS.get(word.strip())


def read_field(kind_text: str, limits: list[str], remark: str) -> Schema:
    """Return the schema that kind, limits and remark describe; ValueError for words that cannot be read."""
    kind = kind_of(kind_text)
    if kind is None:
        raise ValueError(f"'{kind_text}' names no kind")
    made: Schema = {"type": kind}
    if kind == "object":
        made |= {"properties": {}, "required": []}
    elif kind.endswith("list"):
        items: Schema = {"type": "string"}
        if kind == "object list":
            items = {"type": "object", "properties": {}, "required": []}
        made = {"type": "array", "items": items}
    for limit in limits:
        made |= read_limit(limit, kind)
    if remark:
        made["description"] = remark
    return made


def read_limit(limit: str, kind: str) -> dict[str, Any]:
    """Return the keywords that one phrase means for a field of a kind; ValueError when it cannot be read."""
    limit = limit.strip()
    if limit in _LEAVES:
        return {"x-optional": True}
    if kind.endswith("list"):
        low, high = read_amount(limit)
        return {"minItems": low, "maxItems": high}
    if kind in ("integer", "number"):
        for pattern in _READ_SPANS:
            if found := re.fullmatch(pattern, limit):
                return {"minimum": json.loads(found[1]), "maximum": json.loads(found[2])}
        for pattern in _READ_FLOORS:
            if found := re.fullmatch(pattern, limit):
                return {"minimum": json.loads(found[1])}
    return {"enum": _read_choices(limit, kind)}


def read_amount(text: str) -> tuple[int, int]:
    """Return least and most entries that a phrase allows; ValueError when it cannot be read."""
    for pattern in _READ_AMOUNTS:
        if found := re.fullmatch(pattern, text.strip()):
            numbers = [int(number) for number in found.groups()]
            return numbers[0], numbers[-1]
    raise ValueError(f"'{text}' is no number of entries")


def _read_choices(limit: str, kind: str) -> list[Any]:
    for lead, between in sorted(_CHOICES, key=lambda form: -len(form[0])):
        if limit.startswith(lead) and (between in limit or lead):
            words = limit.removeprefix(lead).split(between)
            if len(words) > 1 or between == _CHOICES[-1][1]:
                return [json.loads(word) if kind in ("integer", "number") else word for word in words]
    raise ValueError(f"'{limit}' limits nothing")


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)
