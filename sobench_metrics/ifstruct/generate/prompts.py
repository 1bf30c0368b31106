"""Put a request into words: a style for the fields, a layout around them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sobench_metrics.ifstruct.generate import targets
from sobench_metrics.ifstruct.generate.chance import happens, weighted
from sobench_metrics.ifstruct.generate.phrases import sample_dialect
from sobench_metrics.ifstruct.generate.presentation.annotated_example import annotated_example
from sobench_metrics.ifstruct.generate.presentation.bullets import bullets
from sobench_metrics.ifstruct.generate.presentation.chat import chat, raised, rule_clauses
from sobench_metrics.ifstruct.generate.presentation.path_list import path_list
from sobench_metrics.ifstruct.generate.presentation.raw_schema import raw_schema
from sobench_metrics.ifstruct.generate.presentation.table import table
from sobench_metrics.ifstruct.generate.prose.said import sample_speech
from sobench_metrics.ifstruct.generate.thinking.telling import thinking_out_loud
from sobench_metrics.ifstruct.generate.wording.layouts import LAYOUTS, Parts
from sobench_metrics.ifstruct.generate.wording.opening import ask, flavour
from sobench_metrics.ifstruct.generate.wording.rules import sentence
from sobench_metrics.ifstruct.generate.wording.typos import with_a_typo

if TYPE_CHECKING:
    from random import Random

    from sobench_metrics.ifstruct.generate.request import Request

__all__ = ["Prompt", "put_into_words", "sample_style"]

_MACHINE_READABLE = {
    "raw_schema": raw_schema,
    "annotated_example": annotated_example,
    "path_list": path_list,
    "table": table,
}


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt, the block of fields in it (empty where the whole text is prose), its style and hand.

    `hand` names the layout, or the voice of a request that thinks out loud; `turns` counts its changes of mind.
    """

    text: str
    block: str
    style: str
    hand: str
    turns: int = 0

    @property
    def outside(self) -> str:
        """The text without the block of fields."""
        return self.text.replace(self.block, "") if self.block else self.text


def sample_style(rng: Random) -> str:
    """Return one of the six styles, or `thinking`, which is drawn among the chats."""
    style = weighted(rng, targets.STYLES)
    return "thinking" if happens(rng, targets.THINKING_PERCENT) and style == "chat" else style


def put_into_words(request: Request, style: str, rng: Random) -> Prompt:
    """Return a prompt for the request in a style."""
    if style == "thinking":
        told = thinking_out_loud(request, sample_speech(rng), rng)
        return Prompt(told.text, "", style, told.voice, told.turns)
    if style == "chat":
        return Prompt(chat(request, sample_speech(rng), rng), "", style, "chat")
    if style == "bullets":
        block = bullets(request, sample_speech(rng), rng)
    else:
        block = _MACHINE_READABLE[style](request, sample_dialect(rng), rng)
    layout = rng.choice(LAYOUTS)
    said = [sentence(clauses) for clauses in rule_clauses(request, rng)]
    kept = len(said) - rng.randint(0, 1)
    opening = ask(request, rng, casual=rng.randrange(4) == 0)
    parts = Parts(with_a_typo(raised(opening), rng), flavour(request, rng), said[:kept], block, said[kept:])
    return Prompt(layout(parts, rng), block, style, layout.__name__.strip("_"))
