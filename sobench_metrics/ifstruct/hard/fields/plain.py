"""Fields without a trap: they make a row wide."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sobench_metrics.ifstruct.hard.fields.words import some_words
from sobench_metrics.ifstruct.hard.nodes import Leaf

if TYPE_CHECKING:
    from random import Random

__all__ = ["FLAGS", "amount", "flag", "plain_fields"]

_TEXTS: Final = (
    "owner",
    "location",
    "origin",
    "colour",
    "purpose",
    "supplier",
    "keeper",
    "district",
    "material",
    "maker",
)
_INTEGERS: Final = (
    ("quantity", 1, 40), ("priority", 1, 5), ("storey", -2, 30), ("year_built", 1950, 2020), ("visits", 0, 9999),
    ("temperature_c", -40, 45), ("crew", 2, 12), ("shelf_life_days", 3, 365),
)  # fmt: skip
_NUMBERS: Final = (("weight_kg", 1, 80), ("rating", 0, 5), ("length_m", 1, 250), ("slope_percent", -12, 12))
FLAGS: Final = ("approved", "fragile", "archived", "insured", "on_loan", "sealed")


def plain_fields(rng: Random, number: int) -> list[Leaf]:
    """Return that many fields of different names."""
    bank = [_text(name) for name in _TEXTS]
    bank += [_whole(*entry) for entry in _INTEGERS]
    bank += [_number(*entry) for entry in _NUMBERS]
    return rng.sample(bank, number)


def flag(name: str) -> Leaf:
    """Return a field that is true or false."""
    return Leaf(name, {"type": "boolean"}, lambda rng: rng.randrange(2) == 0)


def amount(name: str, most: int) -> Leaf:
    """Return a field that holds a whole number from 0."""
    return _whole(name, 0, most)


def _text(name: str) -> Leaf:
    return Leaf(name, {"type": "string"}, lambda rng: some_words(rng, 2))


def _whole(name: str, low: int, high: int) -> Leaf:
    return Leaf(name, {"type": "integer", "minimum": low, "maximum": high}, lambda rng: rng.randint(low, high))


def _number(name: str, low: int, high: int) -> Leaf:
    schema = {"type": "number", "minimum": low, "maximum": high}
    return Leaf(name, schema, lambda rng: rng.randint(low * 4, high * 4) / 4)
