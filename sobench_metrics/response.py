"""From model text to payload: small pure steps that know no benchmark and no score.

Every step runs in time and memory linear in the text, needs no signal, thread or subprocess, and gives the same answer
on a deep or shallow caller stack and on a thread with a small one: no step recurses deeper than `FAST_DEPTH`.
Rule numbers are those of the reference behaviour.
"""

from __future__ import annotations

import json
import re
import sys
from dataclasses import dataclass
from itertools import accumulate
from json.decoder import scanstring  # type: ignore[attr-defined]  # missing in typeshed
from typing import Any, Final, Literal

from sobench_metrics.findings import Finding

__all__ = [
    "MAX_INT_DIGITS",
    "MAX_JSON_CHARS",
    "MAX_JSON_DEPTH",
    "Decoded",
    "Fence",
    "Reasoning",
    "bracket_depth",
    "decode_json",
    "find_fence",
    "looks_truncated",
    "remove_reasoning",
]

MAX_JSON_CHARS: Final = 8_000_000
"""Longest text handed to the JSON decoder; about a hundred times what 16,000 tokens can hold."""

MAX_JSON_DEPTH: Final = 995
"""Deepest nesting decoded: the reference was first seen to give up at 996 levels (rule A12)."""

MAX_INT_DIGITS: Final = 4300
"""Longest integer literal: Python's default, held here also where a process lifted or lacks that limit (rule A4.4)."""

FAST_DEPTH: Final = 64
"""Nesting up to which CPython's C decoder is used; its recursion is safe there on a 64 KiB stack."""

_JSON_SPACE: Final = " \t\n\r"


# --- reasoning -------------------------------------------------------------------------------------------------------

_TAG = re.compile(r"<(/?)think>|\[(/?)THINK\]", re.IGNORECASE)
_OPENING = re.compile(r"<think>|\[THINK\]", re.IGNORECASE)
_STRAY_CLOSINGS = (re.compile(r"</think>", re.IGNORECASE), re.compile(r"\[/THINK\]", re.IGNORECASE))
_FINAL_CHANNEL = re.compile(r"(?:<\|start\|>)?assistant(?:<\|channel\|>)?final(?:<\|message\|>)?")
_END_MARKERS = ("<|end|>", "<|return|>")

Removal = Literal["block", "stray_closing", "unclosed", "final_channel", "end_marker"]


@dataclass(frozen=True, slots=True)
class Reasoning:
    """A text without its reasoning wrappers.

    `removed` names the steps of rule A2 that took something away, in order; `unclosed` says that a reasoning tag
    without an end cut the text: the model was still thinking when it stopped, so an answer cannot be expected.
    """

    text: str
    removed: tuple[Removal, ...] = ()

    @property
    def unclosed(self) -> bool:
        """True when an opening tag without a closing one cut the text (rule A2.3)."""
        return "unclosed" in self.removed


def remove_reasoning(text: str) -> Reasoning:
    """Return the text without reasoning wrappers, stripped, and what was taken away (reference rule A2)."""
    removed: list[Removal] = []
    text = _without_blocks(text, removed)
    for closing in _STRAY_CLOSINGS:
        if match := closing.search(text):
            text = text[match.end() :]
            removed.append("stray_closing")
            break
    if match := _OPENING.search(text):
        text = text[: match.start()]
        removed.append("unclosed")
    if match := _FINAL_CHANNEL.search(text):
        text = text[match.end() :]
        removed.append("final_channel")
    text = text.rstrip()
    for marker in _END_MARKERS:
        if text.endswith(marker):
            text = text.removesuffix(marker)
            removed.append("end_marker")
            break
    return Reasoning(text.strip(), tuple(removed))


def _without_blocks(text: str, removed: list[Removal]) -> str:
    """Delete each shortest opening-to-closing stretch of one tag kind (rule A2.1), in one pass over the tags.

    The obvious pattern looks for a closing tag from every opening one and is quadratic when there is none.
    """
    tags = [(match.start(), match.end(), match[0][0], "/" in match[0]) for match in _TAG.finditer(text)]
    last_closing = {kind: start for start, _, kind, closes in tags if closes}
    kept: list[str] = []
    copied = 0
    inside: str | None = None
    for start, end, kind, closes in tags:
        if inside is None and not closes and last_closing.get(kind, -1) > start:
            kept.append(text[copied:start])
            inside = kind
        elif closes and inside == kind:
            copied = end
            inside = None
    if not kept:
        return text
    removed.append("block")
    return "".join(kept) + text[copied:]


# --- fences ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Fence:
    """The first fenced block of a text: `kind` "none", "unclosed" or "block"; `opening` and `content` of a block."""

    kind: Literal["none", "unclosed", "block"]
    opening: str = ""
    content: str = ""


def find_fence(text: str) -> Fence:
    """Return the first block whose fences begin a line, lines split as `str.splitlines` does (reference rule A3)."""
    lines = text.strip().splitlines()
    fences = (number for number, line in enumerate(lines) if line.startswith("```"))
    opening, closing = next(fences, None), next(fences, None)
    if opening is None:
        return Fence("none")
    if closing is None:
        return Fence("unclosed", lines[opening])
    return Fence("block", lines[opening], "\n".join(lines[opening + 1 : closing]))


# --- JSON ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Decoded:
    """One decoded JSON value and the index behind it, or the finding that says why there is none (then value is None).

    Codes: "json.decode", "json.too_deep", "json.int_digits", "json.too_long". The message is the decoder's own, or the
    reference's for depth and digits (rule A4.4).
    """

    value: Any
    end: int
    finding: Finding | None = None


_LONG_INTEGER = re.compile(rf"(?<![0-9])[0-9]{{{MAX_INT_DIGITS + 1}}}")
_QUOTED = re.compile(r'"[^"]*"?')
_NOT_BRACKET = re.compile(r"[^\[\]{}]+")
_STEP = {"[": 1, "{": 1, "]": -1, "}": -1}
_PLAIN_DECODER = json.JSONDecoder()


class _TooDeepError(Exception):
    """Nesting beyond MAX_JSON_DEPTH."""


class _TooManyDigitsError(Exception):
    """An integer literal beyond MAX_INT_DIGITS."""


def decode_json(text: str) -> Decoded:
    """Decode the one JSON value at the start of `text` as Python's default decoder does (reference rule A4.4).

    Leading JSON white space is skipped; whatever follows the value is the caller's to judge. `NaN` and the infinities
    are accepted, the last of duplicate keys wins, raw control characters in strings are errors. Never raises.
    """
    if len(text) > MAX_JSON_CHARS:
        return _refused("json.too_long", f"text of {len(text)} characters exceeds the limit of {MAX_JSON_CHARS}")
    start = len(text) - len(text.lstrip(_JSON_SPACE))
    try:
        value, end = _raw_decode(text, start)
    except json.JSONDecodeError as error:
        return _refused("json.decode", str(error))
    except _TooDeepError:
        return _refused("json.too_deep", "structure nested too deeply to decode")
    except (_TooManyDigitsError, ValueError):
        # ValueError: a process that lowered Python's own limit.
        return _refused("json.int_digits", f"number literal exceeds the {MAX_INT_DIGITS}-digit int limit")
    return Decoded(value, end)


def _refused(code: str, message: str) -> Decoded:
    return Decoded(None, 0, Finding(code, "", message))


def _raw_decode(text: str, start: int) -> tuple[Any, int]:
    if bracket_depth(text) > FAST_DEPTH:
        return _decode_on_heap(text, start)
    decoder = json.JSONDecoder(parse_int=_bounded_int) if _LONG_INTEGER.search(text) else _PLAIN_DECODER
    try:
        return decoder.raw_decode(text, start)
    except RecursionError:
        # Only the caller's stack can be short at this depth: the verdict must not depend on it.
        return _decode_on_heap(text, start)


def bracket_depth(text: str) -> int:
    """Return an upper bound of the nesting the decoder can meet: brackets outside strings, also behind an error."""
    if text.count("[") + text.count("{") <= FAST_DEPTH:
        return 0
    unescaped = text.replace("\\\\", "").replace('\\"', "") if "\\" in text else text
    brackets = _NOT_BRACKET.sub("", _QUOTED.sub("", unescaped))
    return max(accumulate(map(_STEP.__getitem__, brackets)), default=0)


def _bounded_int(literal: str) -> int:
    if len(literal) - literal.startswith("-") > MAX_INT_DIGITS:
        raise _TooManyDigitsError
    return int(literal)


_CONSTANTS: Final = {
    "null": None, "true": True, "false": False,
    "NaN": json.decoder.NaN, "Infinity": json.decoder.PosInf, "-Infinity": json.decoder.NegInf,  # type: ignore[attr-defined]
}  # fmt: skip
_CONSTANT = re.compile("|".join(_CONSTANTS))
# ASCII digits only, as in C; `json.scanner.NUMBER_RE` takes any script's digits.
_NUMBER = re.compile(r"(-?(?:0|[1-9][0-9]*))(\.[0-9]+)?([eE][-+]?[0-9]+)?")
_SPACES = re.compile(r"[ \t\n\r]*")


@dataclass(slots=True)
class _Open:
    """A container whose closing bracket is still to come, and for an object the key whose value is due."""

    container: Any
    closing: str
    key: str = ""


def _decode_on_heap(text: str, start: int) -> tuple[Any, int]:
    """Decode like `JSONDecoder.raw_decode`, same values and messages, with the open containers on a list of our own."""
    stack: list[_Open] = []
    position = start
    while True:
        opening = text[position : position + 1]
        if opening and opening in "[{":
            if len(stack) >= MAX_JSON_DEPTH:
                raise _TooDeepError
            opened = _Open({}, "}") if opening == "{" else _Open([], "]")
            position = _skip(text, position + 1)
            if not text.startswith(opened.closing, position):
                if opening == "{":
                    opened.key, position = _key(text, position)
                stack.append(opened)
                continue
            value, position = opened.container, position + 1
        else:
            value, position = _scalar(text, position)
        while stack:
            position, another_value_is_due = _add(stack[-1], value, text, position)
            if another_value_is_due:
                break
            value = stack.pop().container
        else:
            return value, position


def _add(parent: _Open, value: Any, text: str, position: int) -> tuple[int, bool]:
    """Put a finished value into its container; return where to go on and whether the container wants another one."""
    if parent.closing == "}":
        parent.container[parent.key] = value
    else:
        parent.container.append(value)
    position = _skip(text, position)
    if text.startswith(parent.closing, position):
        return position + 1, False
    if not text.startswith(",", position):
        raise json.JSONDecodeError("Expecting ',' delimiter", text, position)
    comma, position = position, _skip(text, position + 1)
    if sys.version_info >= (3, 13) and text.startswith(parent.closing, position):
        kind = "object" if parent.closing == "}" else "array"
        raise json.JSONDecodeError(f"Illegal trailing comma before end of {kind}", text, comma)
    if parent.closing == "}":
        parent.key, position = _key(text, position)
    return position, True


def _skip(text: str, position: int) -> int:
    match = _SPACES.match(text, position)
    return match.end() if match else position


def _key(text: str, position: int) -> tuple[str, int]:
    """Read `"key" :` at `position`; return the key and the index at which its value is due."""
    if not text.startswith('"', position):
        raise json.JSONDecodeError("Expecting property name enclosed in double quotes", text, position)
    key, position = scanstring(text, position + 1, True)
    position = _skip(text, position)
    if not text.startswith(":", position):
        raise json.JSONDecodeError("Expecting ':' delimiter", text, position)
    return key, _skip(text, position + 1)


def _scalar(text: str, position: int) -> tuple[Any, int]:
    if text.startswith('"', position):
        string: tuple[str, int] = scanstring(text, position + 1, True)
        return string
    if match := _CONSTANT.match(text, position):
        return _CONSTANTS[match[0]], match.end()
    if match := _NUMBER.match(text, position):
        integer, fraction, exponent = match.groups()
        if fraction or exponent:
            return float(match[0]), match.end()
        return _bounded_int(integer), match.end()
    raise json.JSONDecodeError("Expecting value", text, position)


# --- truncation ------------------------------------------------------------------------------------------------------

_OPEN_QUOTE_AT_END = re.compile(r"""(?:^|[:\-\[,{])[ \t]*(?:"[^"\n]*|'[^'\n]*)\Z""", re.MULTILINE)


def looks_truncated(text: str) -> bool:
    """Return whether the text stops inside an open JSON or YAML structure, string or fenced block.

    A hint to tell a cut answer from a wrong one; no verdict depends on it. Reasoning should be removed before.
    """
    body = text.strip()
    fence = find_fence(body)
    if fence.kind == "block":
        return False
    if fence.kind == "unclosed":
        # Both fences may be there, only not each on its own line.
        return not (body.endswith("```") and body.count("```") > 1)
    if body.startswith(("[", "{")):
        return _ends_inside_json(body)
    return _OPEN_QUOTE_AT_END.search(body[body.rfind("\n") + 1 :].replace('\\"', "")) is not None


def _ends_inside_json(body: str) -> bool:
    unescaped = body.replace("\\\\", "").replace('\\"', "")
    if unescaped.count('"') % 2:
        return True
    brackets = _NOT_BRACKET.sub("", _QUOTED.sub("", unescaped))
    # Text behind a finished value cannot reopen it: only the first value counts.
    return 0 not in accumulate(map(_STEP.__getitem__, brackets))
