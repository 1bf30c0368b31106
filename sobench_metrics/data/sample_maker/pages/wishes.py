"""Requests that go with a page: what somebody wants from it, in many people's words."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

__all__ = ["wish"]

_ONE = (
    "Put this {noun} into the schema.", "I have only a picture of this {noun}; turn it into data.",
    "Enter the {noun} shown here into our system.", "What does the {noun} say? Every field, please.",
    "Digitise this {noun} for me.", "copy the {noun} as data, nothing added",
    "Read the {noun} and fill each field from what is printed.", "We archive every {noun} as JSON. Here is the next.",
    "Could you type up this {noun}? I cannot read it aloud in here.", "Take down all values of this {noun}.",
    "This {noun} has to go into a spreadsheet today.", "Transcribe the {noun}, field by field.",
    "I need this {noun} in a form that a program can read.", "record what this {noun} holds, as it is printed",
    "Here's a {noun}. Pull the values out.", "Somebody photographed our {noun}; recover the record.",
)  # fmt: skip
_SEVERAL = (
    "List all {noun} in the picture, in the order in which they stand.", "One record for each of these {noun}, please.",
    "How do these {noun} compare? I want them as a list first.", "Turn the {noun} shown here into an array.",
    "type up these {noun} one by one", "Read out all of these {noun}, top to bottom.",
    "Each frame is one of our {noun}; make an entry of each.", "All {noun} on this page as data, none left out.",
)  # fmt: skip
_MORE = (
    "Mind the {part}.", "I care most about the {part}.", "Do not forget the {part}.",
    "For the {part} keep the printed order.", "I'll check the {part} against the original.",
)  # fmt: skip


def wish(noun: str, inner: Sequence[str], rng: Random, *, several: bool) -> str:
    """Return a request for one or several things; now and then it stresses a part that has values of its own."""
    said = rng.choice(_SEVERAL if several else _ONE).format(noun=noun)
    if inner and rng.randrange(2):
        said += (" " if said[-1] in ".?!" else ". ") + rng.choice(_MORE).format(part=rng.choice(inner))
    return said
