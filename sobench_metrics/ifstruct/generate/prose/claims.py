"""What sentences claim about fields: for each field the last kind, limits and choices that follow its name.

A claim reaches from a name in backticks to the end of its sentence or to the next name. What stands in parentheses is
a remark and claims nothing.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final

from sobench_metrics.ifstruct.generate.prose.said import tokens

if TYPE_CHECKING:
    from sobench_metrics.ifstruct.generate.request import Request

__all__ = ["RETRACTIONS", "prose_faults"]

_N = r"(-?\d+(?:\.\d+)?)"
_NOT_AMOUNT = r"(?! (?:items?|entr|elements?))"
_VALUES = (
    r"((?:'[^']*'|-?\d+(?:\.\d+)?)(?:(?:, or |, | or )(?:'[^']*'|-?\d+(?:\.\d+)?(?!\d* (?:items?|entr|elements?))))*)"
)
_AMOUNTS = (
    r"\d+-\d+ items|\d+ to \d+ entries|between \d+ and \d+ elements"
    r"|\d+ items?\b|\d+ entr(?:y|ies)\b|exactly \d+ elements?\b"
)
_KINDS: Final = {
    "list of objects": "object list", "array of objects": "object list", "list of strings": "string list",
    "array of strings": "string list", "whole number": "integer", "integer": "integer", "number": "number",
    "true or false": "boolean", "boolean": "boolean", "object": "object", "string": "string", "text": "string",
}  # fmt: skip
_CLAIM = re.compile(
    "|".join([
        rf"\b(?P<kind>{'|'.join(_KINDS)})\b",
        rf"one of (?P<choices>{_VALUES})",
        rf"(?P<amount>{_AMOUNTS})",
        rf"(?P<span>between {_N} and {_N}{_NOT_AMOUNT}|from {_N} to {_N}{_NOT_AMOUNT}|min {_N}, max {_N})",
        rf"(?P<floor>at least {_N}|min {_N}|{_N} or more)",
        r"(?P<leave>\boptional\b|may be left out)",
        r"(?P<must>\brequired\b|always there)",
    ]),
    re.IGNORECASE,
)  # fmt: skip
_DENIED = re.compile(r"\b(?:not|never|no longer|isn't|don't|without|neither|nor)(?: (?:an?|be|being|to be|any|the))* $")
_TOKEN = re.compile(r"`([\w.\[\]]+)`")
_REMARK = re.compile(r"\([^()]*\)")
_END = re.compile(r"[.!?;]+(?=\s|$)|\n")
RETRACTIONS: Final = re.compile(
    r"\b(?:no|nope|nah|not|drop|leave it out|scrap|instead|forget|skip|rather|never mind)\b", re.IGNORECASE
)
"""Words that take back a name which is no field."""


def prose_faults(text: str, request: Request) -> list[str]:
    """Return what the sentences of a prompt say otherwise than it was asked, in words."""
    plain = _REMARK.sub("", text)
    known = tokens(request.item)
    called = {line.path: name for name, line in known.items()} | {name: name for name in known}
    claims: dict[str, dict[str, Any]] = {}
    faults = []
    for match in _TOKEN.finditer(plain):
        name = match[1]
        if name in called:
            _take(claims.setdefault(called[name], {}), _clause(plain, match.end()))
        elif name != request.key and not _retracted(plain, match):
            faults.append(f"`{name}` is no field and is never taken back")
    for name, line in known.items():
        wanted = _truth(line.kind, line.schema)
        if claims.get(name, {}) != wanted:
            faults.append(f"`{name}` is last said to be {claims.get(name)}, and should be {wanted}")
        remark = line.schema.get("description", "")
        if remark[1:] not in text:
            faults.append(f"the remark on `{name}` is missing")
    return faults


def _clause(text: str, start: int) -> str:
    ends = [found.start() for pattern in (_END, _TOKEN) if (found := pattern.search(text, start))]
    return text[start : min(ends, default=len(text))]


def _take(known: dict[str, Any], clause: str) -> None:
    """Overwrite what is known of a field by what a clause says; another kind takes all limits back.

    What is denied (`not an integer`, `never between 1 and 4`) says nothing.
    """
    for match in _CLAIM.finditer(clause):
        if _DENIED.search(clause, 0, match.start()):
            continue
        numbers = [json.loads(number) for number in re.findall(_N, match[0])]
        if match["kind"]:
            optional = known.get("optional", False)
            known.clear()
            known |= {"kind": _KINDS[match["kind"].lower()], "optional": optional}
        elif match["choices"]:
            known["enum"] = [_value(word) for word in re.findall(r"'[^']*'|-?\d+(?:\.\d+)?", match["choices"])]
        elif match["amount"]:
            known["amount"] = (abs(numbers[0]), abs(numbers[-1]))
        elif match["span"]:
            known["minimum"], known["maximum"] = numbers
        elif match["floor"]:
            known["minimum"] = numbers[0]
            known.pop("maximum", None)
        else:
            known["optional"] = bool(match["leave"])


def _value(word: str) -> str | float:
    if word.startswith("'"):
        return word[1:-1]
    number: float = json.loads(word)
    return number


def _truth(kind: str, schema: dict[str, Any]) -> dict[str, Any]:
    wanted = {"kind": kind, "optional": bool(schema.get("x-optional"))}
    wanted |= {word: schema[word] for word in ("enum", "minimum", "maximum") if word in schema}
    return wanted | ({"amount": (schema["minItems"], schema["maxItems"])} if schema["type"] == "array" else {})


def _retracted(text: str, match: re.Match[str]) -> bool:
    """Return whether a name is taken back in its sentence or the next one, and nothing is claimed of it."""
    if _CLAIM.search(_clause(text, match.end())):
        return False
    end = _END.search(text, match.end())
    after = _END.search(text, end.end()) if end else None
    start = max((found.end() for found in _END.finditer(text, 0, match.start())), default=0)
    return bool(RETRACTIONS.search(text[start : after.start() if after else len(text)]))
