"""JSON values that stand somewhere in a text, fenced or not, sound or broken.

Nothing is repaired here, and no repairing library (json-repair, json5, demjson3, dirtyjson) is used: what is not JSON
has to be guessed at, and a guess is not an answer. A value that looks like one and cannot be decoded stays in the list
as broken, so that no part of it is taken for the whole.

Time and memory are linear in the text: each value is measured by its brackets, decoded once and passed over whole;
`MAX_VALUES` and `MAX_UNCLOSED` bound the rest.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from sobench_metrics.response import decode_json

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["FENCE_TAGS", "MAX_VALUES", "Found", "find_json", "not_finite"]

MAX_VALUES: Final = 1_000
"""Values looked at in one text."""

MAX_UNCLOSED: Final = 20
"""Values without an end looked at: each is followed to the end of the text."""

FENCE_TAGS: Final = frozenset({"json", "jsonc", "json5", "jsonl", "yaml", "yml"})
"""Tags that announce data."""

# Words in braces or brackets are prose; what has the beginning of an object or list is meant as one, sound or not.
_START = re.compile(
    r"""\{(?=\s*(?:["'\u201c\u2018}]|[\w-]{1,60}\s*:))"""
    r"""|\[(?=\s*(?:[\[{"'\u201c\u2018\]]|-?\d+(?:\.\d+)?\s*[,\]]|(?:true|false|null|True|False|None)\b))"""
)
_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?\Z)|[\[\]{}]', re.DOTALL)
_CONSTANT = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|(NaN|Infinity)', re.DOTALL)
_SPACE = r"\x0b\x0c\x1c-\x1e\x85\u00a0\u2000-\u200d\u2028\u2029\u202f\u205f\u2060\u3000\ufeff"
_UNUSUAL_SPACE = re.compile(f"[{_SPACE}]")
_STRING_OR_SPACE = re.compile(rf'"[^"\\]*(?:\\.[^"\\]*)*"|([{_SPACE}])', re.DOTALL)
_FENCE_BEFORE = re.compile(r"(`{3,}|~{3,})[ \t]*([\w+.#-]{0,30})[^\S\n]*\n?\s*\Z")
_STRAY = re.compile(r"\s*([\]}])")
_OPENER: Final = {"]": "[", "}": "{"}
_FENCE_LINE = re.compile(r"^[ \t]*(?:`{3,}|~{3,})", re.MULTILINE)
_INVISIBLE: Final = "\ufeff\u200b"


@dataclass(frozen=True, slots=True)
class Found:
    """One value: where it stands, its `fault` ("" when sound), and the tag of a fence opened just before it.

    `tag` is None without a fence, "" for a fence without a tag. `unusual_space`: characters that a reader sees as space
    or not at all, and JSON does not allow between its tokens, were read as spaces.
    """

    value: Any
    start: int
    end: int
    fault: str = ""
    tag: str | None = None
    unusual_space: bool = False


def find_json(text: str) -> list[Found]:
    """Return the values in the order of the text, none inside another one."""
    return list(_values(text))


def _values(text: str) -> Iterator[Found]:
    position = count = unclosed = 0
    while match := _START.search(text, position):
        start = match.start()
        end = _end(text, start)
        count += 1
        if end is None:
            unclosed += 1
            yield Found(None, start, len(text), "the JSON value has no end", _tag(text, start))
            fence = _FENCE_LINE.search(text, start + 1)
            if fence is None or unclosed >= MAX_UNCLOSED:
                return
            position = fence.end()
        else:
            stray = _STRAY.match(text, end)
            if stray and _OPENER[stray[1]] not in text[position:start]:
                yield Found(None, start, stray.end(), "not JSON: a bracket too many", _tag(text, start))
                end = stray.end()
            else:
                yield _decoded(text, start, end)
            position = end
        if count >= MAX_VALUES:
            if _START.search(text, position):
                yield Found(None, position, len(text), f"there are more than {MAX_VALUES} JSON values")
            return


def _end(text: str, start: int) -> int | None:
    """Return the index behind the bracket that closes the one at `start`; brackets in strings do not count."""
    depth = 0
    for token in _TOKEN.finditer(text, start):
        first = token[0][0]
        if first in "[{":
            depth += 1
        elif first in "]}":
            depth -= 1
            if not depth:
                return token.end()
    return None


def _decoded(text: str, start: int, end: int) -> Found:
    piece = text[start:end]
    tag = _tag(text, start)
    unusual = False
    decoded = decode_json(piece)
    if decoded.finding and _UNUSUAL_SPACE.search(piece):
        piece = _STRING_OR_SPACE.sub(_usual_space, piece)
        decoded, unusual = decode_json(piece), True
    if decoded.finding:
        return Found(None, start, end, f"not JSON: {decoded.finding.message:.80}", tag)
    if decoded.end != len(piece):
        return Found(None, start, end, "not JSON: brackets that do not belong together", tag)
    if any(match[1] for match in _CONSTANT.finditer(piece)) or not_finite(decoded.value):
        return Found(None, start, end, "not JSON: a number that is none or has no end", tag)
    return Found(decoded.value, start, end, "", tag, unusual)


def _usual_space(match: re.Match[str]) -> str:
    return " " if match[1] else match[0]


def _tag(text: str, start: int) -> str | None:
    fence = _FENCE_BEFORE.search(text[max(0, start - 80) : start].rstrip(_INVISIBLE))
    return fence[2].lower() if fence else None


def not_finite(value: Any) -> bool:
    """Return whether a number in the value is NaN or infinite."""
    waiting = [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, float):
            if not math.isfinite(part):
                return True
        elif isinstance(part, dict):
            waiting.extend(part.values())
        elif isinstance(part, list):
            waiting.extend(part)
    return False
