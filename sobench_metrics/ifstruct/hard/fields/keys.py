"""Keys that look alike, and keys that need quotes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sobench_metrics.ifstruct.hard.fields.plain import amount, flag
from sobench_metrics.ifstruct.hard.fields.words import some_words
from sobench_metrics.ifstruct.hard.nodes import Leaf

if TYPE_CHECKING:
    from random import Random

__all__ = ["odd_fields", "twin_fields"]

_FAMILIES: Final = (
    ("item_id", "itemId", "item-id"),
    ("note", "notes", "Note"),
    ("date_from", "from_date", "dateFrom"),
    ("unit", "units", "unit_"),
    ("total", "totals", "sub_total"),
)
_ODD: Final = ("no", "on", "null", "1", "1.50", "a.b", "two words", "with: colon", "@type", "#tag", 'say "when"', "x/y")


def twin_fields(rng: Random, families: int) -> list[Leaf]:
    """Return the fields of that many families, of different types inside each."""
    found = []
    for names in rng.sample(_FAMILIES, families):
        kinds = [_text(names[0]), amount(names[1], 99), flag(names[2])]
        found += kinds
    return found


def odd_fields(rng: Random, number: int) -> list[Leaf]:
    """Return that many fields whose names must be quoted, or else are read as something else."""
    return [_text(name) if turn % 2 else amount(name, 9) for turn, name in enumerate(rng.sample(_ODD, number))]


def _text(name: str) -> Leaf:
    return Leaf(name, {"type": "string"}, lambda rng: some_words(rng, 1))
