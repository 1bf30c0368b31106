"""Which of the values in a text is the answer: decided by its place and fence alone, never by how well it fits.

The last of the best announced: a block tagged as data before any other block, a block before bare text, anything
before what may be a footnote mark (`[1]`, `{}`). A broken value takes part: if it is the one meant, there is none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final

from sobench_metrics.recovery.json_values import FENCE_TAGS, Found, find_json, not_finite
from sobench_metrics.recovery.marks import remove_marks, without_bom
from sobench_metrics.response import decode_json, find_fence

__all__ = ["Chosen", "choose_json", "same_value"]

_BETWEEN = re.compile(r"[\s,;]*")
_CLOSING = re.compile(r"[\s\ufeff\u200b]*(?:`{3,}|~{3,})")
_OPENING = re.compile(r"(?:`{3,}|~{3,})[ \t]*[\w+.#-]{0,30}[\s\ufeff\u200b]*\Z")


@dataclass(frozen=True, slots=True)
class Chosen:
    """The value that is the answer and the steps that led to it, or the fault that leaves none.

    `fenced` says whether it stood in a fence; `seen` whether the text held anything like a value, sound or broken.
    """

    value: Any = None
    steps: tuple[str, ...] = ()
    fault: str = ""
    fenced: bool = False
    seen: bool = True


def choose_json(text: str) -> Chosen:
    """Return the JSON value that the text gives as its answer."""
    plain = without_bom(text)
    bom = ("marks.bom",) if plain != text.strip() else ()
    if plain.startswith(("{", "[", "`", "~")):
        found = find_json(plain)
        if len(found) == 1 and not found[0].fault and not _outside(plain, found[0]):
            # Nothing but the value and its fence: no mark can be anything else than data.
            return _sole(plain, found[0], bom)
    cleaned, steps = remove_marks(text)
    chosen = _choose(cleaned)
    return Chosen(chosen.value, steps + chosen.steps, chosen.fault, chosen.fenced, chosen.seen)


def _sole(text: str, found: Found, bom: tuple[str, ...]) -> Chosen:
    space = ("space.unusual",) if found.unusual_space else ()
    return Chosen(found.value, bom + space + _fence_steps(text, found), fenced=found.tag is not None)


def _scalar(text: str) -> Chosen:
    """Return the text, word or number that is the whole answer, alone or in one block; nothing is read out of prose."""
    fence = find_fence(text)
    content = fence.content.strip() if fence.kind == "block" and text.count("```") == 2 else text
    decoded = decode_json(content)
    if decoded.finding or decoded.end != len(content) or not_finite(decoded.value):
        return Chosen(fault="there is no JSON value in the answer", seen=False)
    return Chosen(decoded.value, fenced=fence.kind == "block")


def _choose(text: str) -> Chosen:
    runs = _runs(text, find_json(text))
    if not runs:
        return _scalar(text)
    best = max(_rank(run[0]) for run in runs)
    run = [run for run in runs if _rank(run[0]) == best][-1]
    faults = [found.fault for found in run if found.fault]
    if faults:
        return Chosen(fault=faults[0])
    if not all(same_value(run[0].value, other.value) for other in run[1:]):
        return Chosen(fault="several different values in a row are not one answer")
    first, last = run[0], run[-1]
    steps: list[str] = ["space.unusual"] if any(found.unusual_space for found in run) else []
    if len(run) > 1:
        steps.append("blocks.repeated")
    whole = Found(first.value, first.start, last.end, tag=first.tag)
    if len(runs) > 1:
        steps.append("blocks.several")
    elif _outside(text, whole):
        steps.append("prose.around")
    fenced = first.tag is not None or _CLOSING.match(text, last.end) is not None
    return Chosen(first.value, (*steps, *_fence_steps(text, whole)), fenced=fenced)


def _runs(text: str, values: list[Found]) -> list[list[Found]]:
    """Group values with nothing but space and commas between them: a careless list, or one answer said twice."""
    runs: list[list[Found]] = []
    for found in values:
        previous = runs[-1][-1] if runs else None
        if previous and found.tag is None and not _is_mark(found) and not _is_mark(previous):
            between = _BETWEEN.fullmatch(text, previous.end, found.start)
            if between:
                runs[-1].append(found)
                continue
        runs.append([found])
    return runs


def _rank(found: Found) -> int:
    if found.tag is not None:
        return 3 if found.tag in FENCE_TAGS else 2
    return 0 if _is_mark(found) else 1


def _is_mark(found: Found) -> bool:
    """Return whether the value may be a footnote mark or empty brackets in a sentence."""
    if found.fault or found.tag is not None:
        return False
    if isinstance(found.value, list):
        return all(isinstance(item, (int, float)) for item in found.value)
    return not found.value


def _outside(text: str, found: Found) -> bool:
    """Return whether words stand before or behind the value and its fence."""
    before = text[: found.start]
    if found.tag is not None and (opening := _OPENING.search(before[-120:])):
        before = before[: len(before) - len(before[-120:]) + opening.start()]
    closing = _CLOSING.match(text, found.end)
    after = text[closing.end() if closing else found.end :]
    return bool(before.strip() or after.strip())


def _fence_steps(text: str, found: Found) -> tuple[str, ...]:
    """Return the step of a fence that is not the first closed block of its own lines around just this value."""
    if found.tag is None:
        return ("fence.broken",) if _CLOSING.match(text, found.end) else ()
    if found.tag.startswith(("yaml", "yml")):
        return ("fence.tag",)
    fence = find_fence(text)
    piece = "\n".join(text[found.start : found.end].splitlines())
    sound = fence.kind == "block" and fence.content.strip() == piece
    several = text.count("```") > 2
    return () if sound or (several and _on_lines(text, found)) else ("fence.broken",)


def _on_lines(text: str, found: Found) -> bool:
    """Return whether backtick fences stand on lines of their own just before and behind the value."""
    return bool(_LINE_BEFORE.search(text[max(0, found.start - 120) : found.start])) and bool(
        _LINE_BEHIND.match(text, found.end)
    )


_LINE_BEFORE: Final = re.compile(r"(?:^|\n)```[\w+.#-]*[ \t]*\r?\n\s*\Z")
_LINE_BEHIND: Final = re.compile(r"\s*\n```")


def same_value(one: Any, two: Any) -> bool:
    """Return whether two decoded values are the same JSON: booleans are no numbers, key order does not count."""
    waiting = [(one, two)]
    while waiting:
        a, b = waiting.pop()
        if isinstance(a, dict) and isinstance(b, dict):
            if a.keys() != b.keys():
                return False
            waiting.extend((part, b[key]) for key, part in a.items())
        elif isinstance(a, list) and isinstance(b, list):
            if len(a) != len(b):
                return False
            waiting.extend(zip(a, b, strict=True))
        elif isinstance(a, bool) is not isinstance(b, bool) or a != b:
            return False
    return True
