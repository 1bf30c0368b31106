"""Label files as upstream writes them, with wording and values of our own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

__all__ = ["DOMAIN_OF", "label", "sentence", "word"]

DOMAIN_OF = {
    "hiertext": "natural",
    "rico": "ui",
    "screenspotpro": "ui",
    "webui": "ui",
    "omnidocbench": "document",
    "docvqa": "document",
    "infographicvqa": "document",
    "chartmuseum": "chart",
    "chartqapro": "chart",
    "vistext": "chart",
}
_ONSETS, _CORES, _ENDS = (
    ["b", "d", "f", "g", "k", "l", "m", "n", "p", "r", "s", "t", "v", "z", "br", "st"],
    ["a", "e", "i", "o", "u", "ai", "ou"],
    ["n", "r", "l", "s", "m", "th", "x"],
)
_INTENTS = (
    "List what the picture shows, with its number.",
    "I need the heading and every line below it.",
    'Fill the form {"from"} the picture; leave nothing out.',  # braces must survive the user prompt
    "Lies mir Überschrift und Zahl vor – bitte genau.",  # noqa: RUF001 - not ASCII on purpose
)


def word(rng: Random) -> str:
    """Return a word that no language has."""
    return "".join(rng.choice(part) for part in (_ONSETS, _CORES, _ONSETS, _CORES, _ENDS))


def sentence(rng: Random, words: int = 5) -> str:
    """Return such words in a row."""
    return " ".join(word(rng) for _ in range(words)).capitalize()


def label(rng: Random, image_url: str, *, heading: str | None = None, lines: Sequence[str] = ()) -> dict[str, Any]:
    """Return one label: an object or, for some, a list of objects; `heading` and `lines` replace invented words."""
    heading, lines = heading or sentence(rng, 3), list(lines) or [sentence(rng) for _ in range(rng.randint(1, 3))]
    schema, output, marks = _record(rng, heading, lines)
    if rng.random() < 0.3:
        again = {**output, "number": output["number"] + 1}
        schema = {"type": "array", "minItems": 1, "items": schema}
        output, marks = [output, again], [marks, {**marks, "number": "fuzzy"}]
    return {
        "image_url": image_url,
        "schema_json": schema,
        # no two ask the same of one picture: an answer is then known by what was asked
        "user_intent": f"{rng.choice(_INTENTS)} Wish {rng.randrange(10**6):06}.",
        "structured_output": output,
        "evaluation_labels": marks,
    }


def _record(rng: Random, heading: str, lines: list[str]) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """Schema, output, evaluation labels; keys stand in an order that sorting would destroy."""
    schema = {
        "type": "object",
        "title": "What is seen",
        "properties": {
            "heading": {"type": "string"},
            "number": {"type": "integer", "description": "≥ 0"},
            "lines": {"type": "array", "items": {"type": "string"}},
            "kind": {"type": "string", "enum": ["report", "screen", "sign"]},
            "more": {
                "type": "object",
                "properties": {"shown": {"type": "boolean"}, "aside": {"type": ["string", "null"]}},
                "required": ["shown"],
            },
        },
        "required": ["number", "heading", "lines"],
        "additionalProperties": False,
    }
    output = {
        "heading": heading,
        "number": rng.randrange(3000),
        "lines": lines,
        "kind": "report",
        "more": {"shown": rng.random() < 0.5, "aside": rng.choice((None, "né à Zürich", "none"))},
    }
    marks = {
        "heading": rng.choice(("exact", "fuzzy")),
        "number": "exact",
        "lines": [rng.choice(("fuzzy", "exact", None)) for _ in lines],
        "kind": None,
        "more": {"shown": "exact", "aside": "ignore"},
    }
    return schema, output, marks
