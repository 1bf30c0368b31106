"""Fill a sampled schema with values that can be printed: what a field is called decides what its texts are."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sobench_metrics.data.sample_maker.drawn import text
from sobench_metrics.data.sample_maker.pages.parts import Bullets, Group, Leaf, Part, Table
from sobench_metrics.data.sample_maker.pages.phrases import SENTENCES, title_words
from sobench_metrics.data.sample_maker.words import CITIES, clock, company, date, month_date, person

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from sobench_metrics.data.sample_maker.drawn import Schema

__all__ = ["Manner", "filled", "label_of", "sample_manner"]

_LISTED = "array"
_COUNTED = frozenset(("year", "serial", "number", "id", "built"))  # numbers that nobody sets off by thousands
_OPEN_END = 50  # how far above its floor a number without a ceiling may lie
_ABBREVIATIONS = {"id": "ID", "url": "URL", "eur": "EUR", "usd": "USD", "kg": "kg", "km": "km", "ms": "ms", "m": "m"}


@dataclass(frozen=True, slots=True)
class Manner:
    """How one page prints: thousands set off or not, words of flags, choices with blanks, small or large labels."""

    thousands: bool
    flags: tuple[str, str]
    blanks: bool
    labels: str
    dash: str


def sample_manner(rng: Random) -> Manner:
    """Return a drawn manner."""
    return Manner(
        thousands=rng.randrange(3) == 0,
        flags=rng.choice((("yes", "no"), ("Yes", "No"), ("on", "off"), ("true", "false"), ("Y", "N"))),
        blanks=rng.randrange(3) > 0,
        labels=rng.choice(("sentence", "sentence", "title", "upper", "raw")),
        dash=rng.choice(("-", "--", "n/a")),  # never a word that a field may hold
    )


def filled(item: Schema, manner: Manner, rng: Random) -> tuple[Part, ...]:
    """Return the parts of one item, in the schema's order; nothing in it is nested deeper than one level."""
    return tuple(_part(name, schema, manner, rng) for name, schema in item["properties"].items())


def label_of(name: str, manner: Manner) -> str:
    """Return a field's name as a page prints it."""
    words = [_ABBREVIATIONS.get(word, word) for word in name.split("_")]
    if manner.labels == "raw":
        return name
    if manner.labels == "title":
        return " ".join(word[0].upper() + word[1:] for word in words)
    said = " ".join(words)
    return said.upper() if manner.labels == "upper" else said[0].upper() + said[1:]


def _part(name: str, schema: Schema, manner: Manner, rng: Random) -> Part:
    label = label_of(name, manner)
    if schema["type"] == "object":
        leaves = tuple(_leaf(key, value, manner, rng) for key, value in schema["properties"].items())
        return Group(name, label, leaves)
    if schema["type"] != _LISTED:
        return _leaf(name, schema, manner, rng)
    number = rng.randint(max(1, schema["minItems"]), max(1, schema["maxItems"]))
    items = schema["items"]
    if items["type"] == "string":
        return Bullets(name, label, _different(number, lambda: _words(name, rng)))
    rows = tuple(
        tuple(_leaf(key, value, manner, rng) for key, value in items["properties"].items()) for _ in range(number)
    )
    return Table(name, label, rows)


def _leaf(name: str, schema: Schema, manner: Manner, rng: Random) -> Leaf:
    kind, shown, value, plain = _value(name, schema, manner, rng)
    if schema.get("x-optional") and rng.randrange(2):
        shown, value = manner.dash, None
        plain = {**plain, "description": f"null where the picture has '{manner.dash}'"}
    return Leaf(name, label_of(name, manner), kind, shown, value, plain)


def _value(name: str, schema: Schema, manner: Manner, rng: Random) -> tuple[str, str, Any, Schema]:
    """Return kind, what is printed, what is answered, and the schema of it."""
    if "enum" in schema:
        value = rng.choice(schema["enum"])
        shown = str(value).replace("_", " ") if manner.blanks else str(value)
        return "choice", shown, value, {"type": schema["type"], "enum": schema["enum"]}
    if schema["type"] == "boolean":
        value = bool(rng.randrange(2))
        return "flag", manner.flags[not value], value, {"type": "boolean"}
    if schema["type"] == "string":
        if _is_long(name):
            said = " ".join(rng.sample(SENTENCES, rng.randint(1, 2)))
            return "long", said, said, text("word for word")
        words = _words(name, rng)
        return "text", words, words, text()
    low = schema["minimum"]
    high = schema.get("maximum", low + _OPEN_END)
    bounds: Schema = {word: schema[word] for word in ("minimum", "maximum") if word in schema}
    if schema["type"] == "integer":
        whole = rng.randint(round(low), round(high))
        shown = f"{whole:,}" if manner.thousands and _COUNTED.isdisjoint(name.split("_")) else str(whole)
        return "number", shown, whole, {"type": "integer", **bounds}
    places = 2 if high - low <= 2 or name.endswith(("eur", "usd")) else 1
    scaled = rng.randint(round(low * 10**places), round(high * 10**places))
    value = scaled / 10**places
    return "number", f"{value:.{places}f}", value, {"type": "number", **bounds}


def _is_long(name: str) -> bool:
    return not _LONG.isdisjoint(name.split("_"))


def _words(name: str, rng: Random) -> str:
    """Return a text; the last word of a name says the most about it: a `station_code` is a code."""
    for word in reversed(name.split("_")):
        for words, make in _TEXTS:
            if word in words:
                return make(rng)
    return title_words(rng)


_LONG = frozenset(("text", "notes", "note", "body", "comment", "summary", "remark", "reason"))
_PERSONS = "owner leader author alias reviewer contact teacher coach captain sender person member keeper"
_PLACES = "city town place location region district port station village site depot"
_FIRMS = "firm company supplier vendor operator client carrier agency publisher manufacturer"


def _place(rng: Random) -> str:
    return rng.choice(CITIES)


def _date(rng: Random) -> str:
    return date(rng) if rng.randrange(2) else month_date(rng)


def _code(rng: Random) -> str:
    form = rng.choice(("@@-####", "@###", "####-##", "@@@/###", "@-#####"))
    return re.sub(
        "[@#]", lambda sign: rng.choice("ABCDEFGHKLMNPRSTUVWXYZ") if sign[0] == "@" else rng.choice("23456789"), form
    )


_TEXTS: tuple[tuple[frozenset[str], Callable[[Random], str]], ...] = (
    (frozenset(_PERSONS.split()), person),
    (frozenset(_PLACES.split()), _place),
    (frozenset(_FIRMS.split()), company),
    (frozenset(("date", "day", "until", "since", "issued", "expires")), _date),
    (frozenset(("time", "clock", "starts", "ends")), clock),
    (frozenset(("code", "number", "id", "ref", "reference", "key", "serial", "tag")), _code),
)


def _different(number: int, make: Callable[[], str]) -> tuple[str, ...]:
    found: dict[str, None] = {}
    while len(found) < number:
        found[make()] = None
    return tuple(found)
