"""Fields under keywords that the reference ignores: pattern, format, length, step, uniqueness."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from sobench_metrics.ifstruct.hard.fields.words import WORDS, of_length
from sobench_metrics.ifstruct.hard.nodes import Leaf

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

__all__ = ["code_field", "keyword_fields", "unique_fields"]


def _date(rng: Random) -> str:
    return f"{rng.randint(1990, 2025)}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}"


def _clock(rng: Random) -> str:
    return f"{rng.randint(0, 23):02}:{rng.randint(0, 59):02}:{rng.randint(0, 59):02}"


# A template draws a text for its pattern: # a digit, @ a capital, % a hexadecimal digit; all else stands for itself.
_PATTERNS: Final = (
    ("batch_code", "^[A-Z]{3}-[0-9]{4}$", "@@@-####"),
    ("postal_code", "^0[0-9]{4}$", "0####"),
    ("shelf_mark", r"^[A-Z][0-9]{2}\.[0-9]{3}$", "@##.###"),
    ("phone", r"^\+[0-9]{2} [0-9]{3} [0-9]{4}$", "+## ### ####"),
    ("checksum", "^[0-9a-f]{8}$", "%%%%%%%%"),
    ("key_path", r"^HK\\[A-Z]{2}\\[0-9]{3}$", "HK\\@@\\###"),
    ("scale", "^1:[0-9]{3}$", "1:###"),
    ("release", r"^v[0-9]\.[0-9]{2}\.[0-9]$", "v#.##.#"),
    ("seat", "^[1-9][0-9]?[A-F]$", "1#C"),
    ("width_mark", '^[0-9]{2}"$', '##"'),
)
_FORMATS: Final[dict[str, tuple[str, Callable[[Random], str]]]] = {
    "opened_on": ("date", _date),
    "created_at": ("date-time", lambda rng: f"{_date(rng)}T{_clock(rng)}+02:00"),
    "daily_at": ("time", lambda rng: f"{_clock(rng)}Z"),
    "contact_mail": ("email", lambda rng: f"{rng.choice(WORDS)}.{rng.choice(WORDS)}@example.org"),
    "host": ("hostname", lambda rng: f"{rng.choice(WORDS)}-{rng.randint(1, 99)}.example.net"),
    "ip_address": ("ipv4", lambda rng: f"192.0.2.{rng.randint(1, 254)}"),
    "ip6_address": ("ipv6", lambda rng: f"2001:db8::{rng.randint(1, 9999)}"),
    "record_uuid": ("uuid", lambda rng: _of_template("%%%%%%%%-%%%%-4%%%-a%%%-%%%%%%%%%%%%", rng)),
    "home_page": ("uri", lambda rng: f"https://example.org/{rng.choice(WORDS)}?page={rng.randint(1, 9)}"),
    "lasts": ("duration", lambda rng: f"P{rng.randint(1, 9)}DT{rng.randint(1, 23)}H"),
}
_LENGTHS: Final = (("short_name", 6), ("callsign", 10), ("headline", 40), ("summary_line", 70), ("caption", 110))
_STEPS: Final = (("lot_size", 12, 240), ("angle", 15, 345), ("price_cents", 25, 9975), ("pages", 16, 480))
_UNIQUE: Final[dict[str, tuple[Any, ...]]] = {
    "weekdays": ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"),
    "winning_numbers": tuple(range(1, 10)),
    "wards": ("north", "south", "east", "west", "centre", "docks"),
    "stages": ("draft", "proof", "press", "bound", "sold", "pulped"),
}


def keyword_fields(rng: Random, number: int, window: int) -> list[Leaf]:
    """Return that many fields of different names; the kinds take turns, lengths have that window of characters."""
    banks = [
        [_pattern(*entry) for entry in _PATTERNS],
        [Leaf(name, {"type": "string", "format": kind}, draw) for name, (kind, draw) in _FORMATS.items()],
        [_length(name, low, window) for name, low in _LENGTHS],
        [_step(*entry) for entry in _STEPS],
    ]
    rng.shuffle(banks)
    for bank in banks:
        rng.shuffle(bank)
    return [banks[turn % len(banks)].pop() for turn in range(number)]


def code_field(name: str) -> Leaf:
    """Return a field whose values hardly ever repeat."""
    return _pattern(name, "^[A-Z]{2}[0-9]{3}$", "@@###")


def unique_fields(rng: Random, number: int) -> list[Leaf]:
    """Return that many lists of choices in which no value may stand twice."""
    return [_unique(name, list(_UNIQUE[name]), rng.randint(3, 5)) for name in rng.sample(sorted(_UNIQUE), number)]


def _pattern(name: str, pattern: str, template: str) -> Leaf:
    return Leaf(name, {"type": "string", "pattern": pattern}, lambda rng: _of_template(template, rng))


def _length(name: str, low: int, window: int) -> Leaf:
    schema = {"type": "string", "minLength": low, "maxLength": low + window}
    return Leaf(name, schema, lambda rng: of_length(rng, low, low + window))


def _step(name: str, step: int, high: int) -> Leaf:
    schema = {"type": "integer", "minimum": step, "maximum": high, "multipleOf": step}
    return Leaf(name, schema, lambda rng: step * rng.randint(1, high // step))


def _unique(name: str, values: list[Any], length: int) -> Leaf:
    item = {"type": "integer" if isinstance(values[0], int) else "string", "enum": values}
    schema = {"type": "array", "items": item, "minItems": length, "maxItems": length, "uniqueItems": True}
    return Leaf(name, schema, lambda rng: rng.sample(values, length))


def _of_template(template: str, rng: Random) -> str:
    signs = {"#": "0123456789", "@": "ABCDEFGHKLMNPRSTUVWXYZ", "%": "0123456789abcdef"}
    return "".join(rng.choice(signs[sign]) if sign in signs else sign for sign in template)
