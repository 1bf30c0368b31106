"""Rare slips of the pen, in words that carry no rule."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from random import Random

__all__ = ["with_a_typo"]

_PERCENT: Final = 6
_SLIPS: Final = MappingProxyType({
    "should": "shoud", "about": "abuot", "please": "pleae", "Please": "Pelase", "values": "vlaues", "sound": "soudn",
    "together": "togehter", "believable": "beleivable", "consistent": "consistant", "Imagine": "Imagin",
    "wording": "wordign", "theme": "thme", "would": "woudl", "something": "somethign", "subject": "subejct",
})  # fmt: skip


def with_a_typo(text: str, rng: Random) -> str:
    """Return the text, in a few of 100 cases with one word misspelt."""
    if rng.randrange(100) >= _PERCENT:
        return text
    places = [match for word in _SLIPS for match in re.finditer(rf"\b{word}\b", text)]
    if not places:
        return text
    slip = rng.choice(places)
    return text[: slip.start()] + _SLIPS[slip[0]] + text[slip.end() :]
