"""Ordinary words for right values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from random import Random

__all__ = ["WORDS", "of_length", "sentence", "some_words"]

WORDS: Final = (
    "amber", "basket", "calm", "copper", "distant", "early", "fallow", "gentle", "harbour", "iron", "jetty", "kindled",
    "lantern", "meadow", "narrow", "orchard", "paper", "quarry", "river", "silver", "tidal", "upper", "velvet",
    "willow", "yellow", "boat", "clay", "dust", "elm", "fern", "glass", "hill", "ink", "moss", "oak", "pine", "rope",
    "salt",
)  # fmt: skip


def some_words(rng: Random, number: int) -> str:
    """Return that many words, separated by single spaces."""
    return " ".join(rng.choice(WORDS) for _ in range(number))


def sentence(rng: Random, number: int = 6) -> str:
    """Return a sentence of that many words."""
    words = some_words(rng, number)
    return f"{words[0].upper()}{words[1:]}."


def of_length(rng: Random, low: int, high: int) -> str:
    """Return a text of at least `low` and at most `high` characters."""
    text = some_words(rng, 2)
    while len(text) < low:
        text += f" {rng.choice(WORDS)}"
    text = text[:high].rstrip()
    return text + "s" * (low - len(text))
