"""How opening, rules and fields are set out on the page: people write briefs, mails, tickets and lists."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

__all__ = ["LAYOUTS", "Parts"]

_SIGNATURES = ("Mirja", "Tom K.", "A. Osei", "Lene", "the data team", "R. Varga", "Joana")
_REASONS = (
    "Background: a script reads your answer, no human does.",
    "This is for a staging system, so invented content is welcome.",
    "Somebody will paste your reply into a form that is picky.",
    "I tried this by hand and gave up.",
    "It is sample material for a workshop.",
)


@dataclass(frozen=True, slots=True)
class Parts:
    """The pieces of a prompt in whole sentences: task, content, rules of form, the block of fields, a last word."""

    ask: str
    flavour: list[str]
    rules: list[str]
    block: str
    last: list[str]


def _brief(parts: Parts, _rng: Random) -> str:
    return _paragraphs([parts.ask, *parts.flavour], parts.rules, [parts.block], parts.last)


def _fields_first(parts: Parts, rng: Random) -> str:
    rules = " ".join([*parts.rules, *parts.last])
    return _paragraphs([parts.ask], [parts.block], *_shuffled(rng, [" ".join(parts.flavour)], [rules]))


def _labelled(parts: Parts, rng: Random) -> str:
    task, content, output = rng.choice((("Task", "Content", "Output"), ("WHAT", "HOW IT READS", "HOW IT LOOKS")))
    lines = [f"{task}: {parts.ask}"]
    lines += [f"{content}: {' '.join(parts.flavour)}"] if parts.flavour else []
    return _paragraphs([*lines, f"{output}: {' '.join(parts.rules)}"], [parts.block], parts.last)


def _mail(parts: Parts, rng: Random) -> str:
    hello = rng.choice(("Hello,", "Dear assistant,", "Good evening,", "Hi,"))
    thanks = rng.choice(("Many thanks", "Best", "Kind regards", "Thank you!"))
    return _paragraphs(
        [hello],
        [" ".join([parts.ask, *parts.flavour])],
        [parts.block],
        [" ".join([*parts.rules, *parts.last])],
        [thanks, rng.choice(_SIGNATURES)],
    )


def _terse(parts: Parts, _rng: Random) -> str:
    return _paragraphs([" ".join([parts.ask, *parts.rules, *parts.last])], parts.flavour, [parts.block])


def _numbered(parts: Parts, rng: Random) -> str:
    rules = [*parts.flavour, *parts.rules, *parts.last]
    rng.shuffle(rules)
    lead = rng.choice(("Requirements:", "Please observe:", "Conditions:"))
    lines = [lead, *(f"{number}. {rule}" for number, rule in enumerate(rules, 1))]
    return _paragraphs([parts.ask], *_shuffled(rng, lines, [parts.block]))


def _ticket(parts: Parts, rng: Random) -> str:
    what, how, fields = rng.choice((("What", "Format", "Fields"), ("Request", "Acceptance criteria", "Data model")))
    return _paragraphs(
        [f"## {what}", parts.ask, *parts.flavour],
        [f"## {fields}", parts.block],
        [f"## {how}", *(f"- {rule}" for rule in [*parts.rules, *parts.last])],
    )


def _with_a_reason(parts: Parts, rng: Random) -> str:
    return _paragraphs(
        [f"{rng.choice(_REASONS)} {parts.ask}"],
        [" ".join(parts.flavour)],
        [" ".join(parts.rules)],
        [parts.block],
        parts.last,
    )


def _paragraphs(*paragraphs: list[str]) -> str:
    return "\n\n".join(text for lines in paragraphs if (text := "\n".join(line for line in lines if line)))


def _shuffled(rng: Random, *paragraphs: list[str]) -> list[list[str]]:
    found = list(paragraphs)
    rng.shuffle(found)
    return found


LAYOUTS: tuple[Callable[[Parts, Random], str], ...] = (
    _brief, _fields_first, _labelled, _mail, _terse, _numbered, _ticket, _with_a_reason,
)  # fmt: skip
