"""The first sentences: what is wanted, about what, in which tone."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from random import Random

    from sobench_metrics.ifstruct.generate.request import Request

__all__ = ["amount", "ask", "flavour"]

_ASKS = (
    "Write {amount} {noun} about {topic}.",
    "What I would like to have: {amount} {noun}. Think of {topic}.",
    "Please make up {amount} {noun} ({topic}).",
    "Next batch: {amount} {noun}, context: {topic}.",
    "Please produce {amount} {noun}. The subject: {topic}.",
    "We need {amount} {noun} on {topic}.",
    "Draft {amount} {noun}; the setting is {topic}.",
    "I'm filling a demo database and need {amount} {noun}, theme: {topic}.",
    "Could you come up with {amount} {noun}? The theme is {topic}.",
    "Give me {amount} {noun} (topic: {topic}).",
    "For a test of our importer I want {amount} {noun}. Let the theme be {topic}.",
    "Invent {amount} {noun} around {topic}.",
    "My task for you: {amount} {noun}. Subject matter: {topic}.",
)
_CASUAL_ASKS = (
    "can you make me {amount} {noun}? it's about {topic}.",
    "need {amount} {noun}, think {topic}.",
    "hey, {amount} {noun} please, something with {topic}.",
    "so i'm after {amount} {noun}. theme is {topic}.",
    "quick favour, {amount} {noun} on {topic}?",
    "hi there! would love {amount} {noun} about {topic}.",
    "morning, i have to hand in {amount} {noun} today on the subject of {topic}.",
)
_FLAVOURS = (
    "The values should read as if copied from {source}.",
    "Aim for the tone of {source}.",
    "Imagine that {source} was the origin of every value.",
    "What you fill in should sound like {source}.",
    "Take {source} as the model for the wording.",
    "Write the values as one would find them in {source}.",
    "Readers should believe that this comes from {source}.",
)
_AMOUNTS = ("exactly {low}", "{low}")
_RANGES = ("{low} to {high}", "between {low} and {high}", "{low}-{high}")
_UNSAID_PERCENT = 15  # a flavour or a remark on coherence that is left away


def amount(request: Request, rng: Random) -> str:
    """Return how many items are wanted, in words that stand before the noun."""
    form = request.form
    return rng.choice(_AMOUNTS if form.low == form.high else _RANGES).format(low=form.low, high=form.high)


def ask(request: Request, rng: Random, *, casual: bool = False) -> str:
    """Return the sentence that says what is wanted."""
    return rng.choice(_CASUAL_ASKS if casual else _ASKS).format(
        amount=amount(request, rng), noun=request.noun, topic=request.topic
    )


def flavour(request: Request, rng: Random) -> list[str]:
    """Return sentences about tone and content; what texts under escaping stress must hold is always said."""
    entity = request.entity
    kept = [
        text
        for text in (rng.choice(_FLAVOURS).format(source=request.source), entity.coherence)
        if rng.randrange(100) >= _UNSAID_PERCENT
    ]
    if rng.randrange(3) == 0:
        kept.reverse()
    return [*kept, *(f"{demand}." for demand in entity.demands)]
