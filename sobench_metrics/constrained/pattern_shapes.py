"""What a regular expression asks of an engine, found by reading it once from left to right."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["pattern_shapes"]

_LARGE: Final = 500
_LONGEST: Final = 2000
_DEEPEST: Final = 20
_SIGNS: Final = tuple(
    (shape, form, re.compile(sign, re.DOTALL))
    for shape, form, sign in (  # plain: without [classes]; bare: without escapes too; classes: only those
        ("pattern:look", "bare", r"\(\?<?[=!]"),
        ("pattern:look:behind", "bare", r"\(\?<[=!]"),
        ("pattern:newline:literal", "classes", r"[\r\n]"),
        ("pattern:flags", "bare", r"\(\?[a-zA-Z-]+[:)]"),
        ("pattern:backreference", "plain", r"\\[1-9]|\\k<"),
        ("pattern:boundary", "plain", r"(?<!\\)(?:\\\\)*\\[bB]"),
        ("pattern:unicode", "plain", r"(?<!\\)(?:\\\\)*\\[pP]"),
        ("pattern:unicode:class", "classes", r"(?<!\\)(?:\\\\)*\\[pP]"),
        ("pattern:newline:class", "classes", r"(?<!\\)(?:\\\\)*\\[nrtfv]"),
        ("pattern:lazy", "bare", r"[*+?}]\?"),
        ("pattern:surrogate", "whole", r"\\u[dD][89a-fA-F]"),
        ("pattern:backslash", "whole", r"\\\\"),
        ("pattern:quote", "whole", r'"'),
        ("pattern:newline", "plain", r"(?<!\\)(?:\\\\)*\\[nrtfv]"),
        ("pattern:dot", "bare", r"\."),
        ("pattern:dot", "plain", r"(?<!\\)(?:\\\\)*\\[SWD]"),
        ("pattern:negated", "whole", r"(?<!\\)(?:\\\\)*\[\^"),
    )
)
_REPEATED: Final = re.compile(r"\{(\d+)(?:,(\d*))?\}")


def pattern_shapes(pattern: str) -> Iterator[str]:
    """Yield the names of the shapes in a pattern; "pattern" itself comes first, whatever else there is."""
    yield "pattern"
    if len(pattern) > _LONGEST:
        yield "pattern:large"
        return
    plain, classes = _parted(pattern)
    if shape := _anchoring(plain):
        yield shape
    forms = {"whole": pattern, "plain": plain, "classes": classes, "bare": re.sub(r"\\.", "", plain, flags=re.DOTALL)}
    found = [shape for shape, form, sign in _SIGNS if sign.search(forms[form])]
    yield from found
    branches = _alternatives(forms["bare"])
    if len(branches) > 1 and any(branch.startswith("^") or branch.endswith("$") for branch in branches):
        yield "pattern:branches"
    if any(_has_second_anchor(branch) for branch in branches):
        yield "pattern:anchors"
    if "pattern:look" in found and "pattern:unicode:class" in found:
        yield "pattern:look:unicode"
    if any(int(most or least) > _LARGE for least, most in _REPEATED.findall(forms["bare"])):
        yield "pattern:large"


def _has_second_anchor(branch: str) -> bool:
    """Return whether a branch that begins or ends in an anchor has another one of that kind further in."""
    return (branch.startswith("^") and "^" in branch[1:]) or (branch.endswith("$") and "$" in branch[:-1])


def _parted(pattern: str) -> tuple[str, str]:
    """Return the pattern with every [class] replaced by one letter, and what the classes hold; escapes are kept."""
    made: list[str] = []
    classes: list[str] = []
    index, inside = 0, False
    while index < len(pattern):
        sign = pattern[index]
        step = pattern[index : index + 2] if sign == "\\" else sign
        if inside:
            inside = sign != "]"
            classes.append(step)
        elif sign == "[":
            inside = True
            made.append("a")
            # a closing bracket right behind the opening is a member of the class
            following = pattern[index + 1 : index + 3]
            index += 2 if following.startswith("^]") else 1 if following.startswith("]") else 0
        else:
            made.append(step)
        index += len(step)
    return "".join(made), "".join(classes)


def _anchoring(plain: str) -> str:
    """Return how far a pattern leaves its ends open; "" when every alternative has both anchors."""
    ends = [_anchored(branch) for branch in _alternatives(plain)]
    if all(start and end for start, end in ends):
        return ""
    return "pattern:half" if re.search(r"[\^$]", re.sub(r"\\.", "", plain, flags=re.DOTALL)) else "pattern:unanchored"


def _anchored(branch: str, depth: int = 0) -> tuple[bool, bool]:
    if depth > _DEEPEST:
        return False, False
    while _is_one_group(branch):  # (^a$) is anchored as ^a$ is
        inner = branch[1:-1].removeprefix("?:")
        ends = [_anchored(part, depth + 1) for part in _alternatives(inner)] if "|" in inner else []
        if ends:
            return all(start for start, _ in ends), all(end for _, end in ends)
        branch = inner
    open_start = branch.startswith((".*", "\\A"))
    open_end = branch.endswith((".*", "\\Z", "\\z")) and not branch.endswith("\\.*")
    return branch.startswith("^") or open_start, (branch.endswith("$") and not branch.endswith("\\$")) or open_end


def _alternatives(plain: str) -> list[str]:
    parts, depth, start, index = [], 0, 0, 0
    while index < len(plain):
        sign = plain[index]
        if sign == "\\":
            index += 1
        elif sign == "(":
            depth += 1
        elif sign == ")":
            depth -= 1
        elif sign == "|" and depth == 0:
            parts.append(plain[start:index])
            start = index + 1
        index += 1
    return [*parts, plain[start:]]


def _is_one_group(branch: str) -> bool:
    if not (branch.startswith("(") and branch.endswith(")")) or branch.startswith(("(?=", "(?!", "(?<")):
        return False
    depth, index = 0, 0
    while index < len(branch):
        sign = branch[index]
        index += sign == "\\"
        depth += (sign == "(") - (sign == ")")
        index += 1
        if depth == 0 and index < len(branch):
            return False
    return depth == 0
