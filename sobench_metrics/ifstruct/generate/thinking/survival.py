"""Did everything survive a rewriting? What the readers of our own prompts prove, and what only a model can break.

A model may also nest a field in another one, or add a wish without a name in backticks, which no reader of our own
prompts has to expect.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from sobench_metrics.ifstruct.generate.prose.claims import prose_faults
from sobench_metrics.ifstruct.generate.prose.said import tokens
from sobench_metrics.ifstruct.generate.wording.rules import rule_faults

if TYPE_CHECKING:
    from sobench_metrics.ifstruct.generate.request import Request

__all__ = ["losses", "nest_words"]

_SHORTEST, _LONGEST = 200, 12_000  # characters
_NAME = re.compile(r"`[^`\n]*`")
_SENTENCE_END = re.compile(r"[.!?](?=\s|$)|\n")
_HEAD = re.compile(
    r"\b(?:for|contains?|about|into|inside|entry of|holds|has|what)\b[^`.\n]*`([\w.\[\]]+)`"
    r"(?: (?:contains?|has|holds|consists of|is made of))?:",
    re.IGNORECASE,
)
_WISH = re.compile(
    r"\b(?:(?:also|plus|please|then) (?:add|include|put in|append|mention|give me|want)|and (?:include|append|mention)"
    r"|(?:add|include) (?:an?|the|some|another|one)"
    r"|as (?:an?|another) (?:extra |additional |further )?(?:field|key|column))\b",
    re.IGNORECASE,
)
_KIND: Final = re.compile(
    r"\b(?:an? (?:string|integer|boolean|whole number|object|array|list of (?:strings|objects))|true or false)\b",
    re.IGNORECASE,
)


def nest_words(parent: str) -> str:
    """Return how it is said that a field stands inside another one."""
    return f"inside `{parent}`"


def losses(text: str, request: Request) -> dict[str, list[str]]:
    """Return what was lost or came in, in words, by proof (size, fields, nesting, additions, rules)."""
    if not _SHORTEST <= len(text) <= _LONGEST or "<think" in text.lower():
        return {"size": [f"{len(text)} characters, or thoughts that do not end"]}
    found = {
        "fields": prose_faults(text, request),
        "nesting": _nest_faults(text, request),
        "additions": _additions(text, request),
        "rules": rule_faults(text, request),
    }
    return {proof: faults for proof, faults in found.items() if faults}


def _nest_faults(text: str, request: Request) -> list[str]:
    """Each nested field must be said to stand inside its container, behind its name or in the head above it."""
    faults = []
    for token, line in tokens(request.item).items():
        if not line.prefix or token == line.path:  # a path says where it stands
            continue
        parent = _parent_of(line.prefix, request)
        said = set(re.findall(rf"`{re.escape(token)}`[^\n`]*inside `([^`\n]+)`", text))
        if (said or _heads(text, token)) != {parent}:
            faults.append(f"`{token}` is not said to stand inside `{parent}` and nowhere else")
    return faults


def _heads(text: str, token: str) -> set[str]:
    """Return the names in the heads (`now for each entry of NAME:`) of the paragraphs that describe a field.

    A paragraph without a head that comes back to a field says nothing of where it stands.
    """
    found = set()
    for paragraph in re.split(r"\n\s*\n", text):
        for match in re.finditer(rf"`{re.escape(token)}`, [^\n`]", paragraph):
            found.update(_HEAD.findall(paragraph[: match.start()])[-1:])
    return found


def _parent_of(prefix: str, request: Request) -> str:
    path = prefix.rstrip(".").removesuffix("[]")
    return next(token for token, line in tokens(request.item).items() if line.path == path)


def _additions(text: str, request: Request) -> list[str]:
    """Return wishes for a field that has no name in backticks: no reader could hold them against the schema."""
    said = text
    for known in (*request.entity.demands, request.entity.coherence, request.topic, request.source):
        said = said.replace(known, "")
    faults = []
    start = 0
    for end in [found.end() for found in _SENTENCE_END.finditer(said)] + [len(said)]:
        sentence = said[start:end]
        start = end
        if not _NAME.search(sentence) and (_WISH.search(sentence) or _KIND.search(sentence)):
            faults.append(f"'{sentence.strip()[:80]}' asks for something without a name")
    return faults
