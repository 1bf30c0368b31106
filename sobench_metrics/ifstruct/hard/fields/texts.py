"""Texts under rules that a program can check: lines, quotes, phrases, words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sobench_metrics.ifstruct.hard.fields.words import sentence, some_words
from sobench_metrics.ifstruct.hard.nodes import Leaf

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

__all__ = ["text_fields"]

_PHRASES: Final = (
    'the sign says "mind: the gap"', "C:\\new\\table", "50% off {all} [items]", "rock 'n' roll # 1", "a\tb", "€ 3 – 4",  # noqa: RUF001 - hard to copy
)  # fmt: skip
_BANNED: Final = ("the", "and", "was")


def text_fields(rng: Random, number: int, lines: int, window: int) -> list[Leaf]:
    """Return that many fields of different names; `lines` of a verse, `window` words between least and most."""
    makers: list[Callable[[Random, int, int], Leaf]] = [_verse, _dialogue, _with_phrase, _without]
    rng.shuffle(makers)
    return [make(rng, lines, window) for make in makers[:number]]


def _verse(_rng: Random, lines: int, _window: int) -> Leaf:
    return Leaf(
        "verse",
        {"type": "string"},
        lambda rng: "\n".join(some_words(rng, 4) for _ in range(lines)),
        ({"rule": "lines", "exactly": lines},),
    )


def _dialogue(_rng: Random, lines: int, _window: int) -> Leaf:
    quotes, turns = 2 * max(1, lines // 2), max(2, lines // 2)
    return Leaf(
        "dialogue",
        {"type": "string"},
        lambda rng: "\n".join(f'{rng.choice("AB")}: "{some_words(rng, 3)}"' for _ in range(turns)),
        ({"rule": "quotes", "least": quotes}, {"rule": "lines", "exactly": turns}),
    )


def _with_phrase(rng: Random, _lines: int, _window: int) -> Leaf:
    phrase = rng.choice(_PHRASES)
    return Leaf(
        "remark",
        {"type": "string"},
        lambda rng: f"{sentence(rng)} {phrase} {sentence(rng, 3)}",
        ({"rule": "phrase", "text": phrase},),
    )


def _without(rng: Random, _lines: int, window: int) -> Leaf:
    banned, least = rng.choice(_BANNED), rng.randint(20, 30)
    most = least + max(2, window // 2)
    return Leaf(
        "account",
        {"type": "string"},
        lambda rng: some_words(rng, rng.randint(least, most)),
        ({"rule": "words", "least": least, "most": most}, {"rule": "absent", "text": banned}),
    )
