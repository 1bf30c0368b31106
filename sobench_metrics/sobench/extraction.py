"""From a model's text to the JSON value that is compared (reference rules B1.1 to B1.4)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final

from sobench_metrics.findings import Finding
from sobench_metrics.json_schema.stack import MAX_DEPTH, is_deeper_than
from sobench_metrics.response import decode_json

__all__ = ["Answer", "extract"]

_TAIL_CHARACTERS: Final = "<turn_end>"
_FENCE: Final = "```"
_LANGUAGE_TAG = re.compile(r"[A-Za-z]*\n")
_JSON_SPACE: Final = " \t\n\r"


@dataclass(frozen=True, slots=True)
class Answer:
    """The decoded answer, or the finding that says why there is none (then `value` is None).

    Codes: "answer.missing", "answer.not_text", "json.trailing", and those of `response.decode_json`: "json.decode",
    "json.too_deep", "json.int_digits", "json.too_long".
    """

    value: Any
    finding: Finding | None = None


def extract(generation: object) -> Answer:
    """Return the JSON value in a model's text; never raises. None stands for an answer that is missing (rule B1.1)."""
    if generation is None:
        return _refused("answer.missing", "the sample has no answer")
    if not isinstance(generation, str):
        return _refused("answer.not_text", f"the answer is not text but {type(generation).__name__}")
    text = _fenced(_without_tail(generation))
    decoded = decode_json(text)
    if decoded.finding:
        return Answer(None, decoded.finding)
    rest = text[decoded.end :].strip(_JSON_SPACE)
    if rest:
        return _refused("json.trailing", f"text after the JSON value: {rest[:60]!r}")
    if is_deeper_than(decoded.value, MAX_DEPTH):
        return _refused("json.too_deep", f"nested more than {MAX_DEPTH} levels deep, where the reference fails")
    return Answer(decoded.value)


def _refused(code: str, message: str) -> Answer:
    return Answer(None, Finding(code, "", message))


def _without_tail(text: str) -> str:
    """Strip, then take every character of `<turn_end>` from the right end: a set, not the marker (rule B1.2)."""
    return text.strip().rstrip(_TAIL_CHARACTERS)


def _fenced(text: str) -> str:
    """Return the content of the first pair of three backticks, wherever they stand; without one, the text (B1.3)."""
    opening = text.find(_FENCE)
    closing = text.find(_FENCE, opening + len(_FENCE)) if opening >= 0 else -1
    if closing < 0:
        return text
    start = opening + len(_FENCE)
    tag = _LANGUAGE_TAG.match(text, start, closing)
    return text[tag.end() if tag else start : closing].strip()
