r"""`re.search` with a time limit on any thread: Python's own reading of a pattern, run by the `regex` engine.

`re` cannot be stopped, `regex` can, but reads some patterns differently (`{e<=1}`, `\p{L}`, POSIX classes) and takes
other characters for words and white space. So a pattern is parsed by `re`, which also raises its own errors, and the
parse tree is written out in constructs that mean the same in both engines. What may still differ: letters that fold to
others beyond simple case folding under `(?i)`, or beyond ASCII under `(?ia)`, and characters newer than Python's
Unicode tables.
"""

from __future__ import annotations

import importlib
import re
import sys
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import regex

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

__all__ = ["search"]

# The parse tree of `re` is private but has kept its shape over all supported versions.
_parser = importlib.import_module("re._parser" if sys.version_info >= (3, 11) else "sre_parse")

_ASCII: Final = int(re.ASCII)
_UNICODE_SETS: Final = {
    "DIGIT": r"\p{Nd}",
    "SPACE": r"\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000",
    "WORD": r"\p{L}\p{N}_",
}
_ASCII_SETS: Final = {"DIGIT": "0-9", "SPACE": r"\t-\r\x20", "WORD": "A-Za-z0-9_"}


def search(pattern: str, text: str, *, timeout: float) -> bool:
    """Return whether `re.search(pattern, text)` finds a match.

    Raises `re.error` (and whatever else `re.compile` raises) for a pattern that `re` refuses, TimeoutError when the
    search takes longer than `timeout` seconds.
    """
    return _compiled(pattern).search(text, timeout=timeout) is not None


@lru_cache(maxsize=1024)
def _compiled(pattern: str) -> Any:
    re.compile(pattern)  # also the errors that only compiling finds
    tree = _parser.parse(pattern)
    flags = int(tree.state.flags)
    body = _sequence(tree, flags)
    return regex.compile(f"(?i:{body})" if flags & re.IGNORECASE else body, regex.V0)


def _sequence(items: Iterable[tuple[Any, Any]], flags: int) -> str:
    return "".join(_WRITERS[str(op)](value, flags) for op, value in items)


def _literal(code: int, _flags: int) -> str:
    return f"\\U{code:08X}"


def _not_literal(code: int, _flags: int) -> str:
    return f"[^\\U{code:08X}]"


def _any(_value: None, flags: int) -> str:
    return "(?s:.)" if flags & re.DOTALL else r"[^\n]"


def _set(members: list[tuple[Any, Any]], flags: int) -> str:
    r"""Write a set; classes that cannot stand inside one (`[^\W]`, `[\Sx]`) become alternatives."""
    negated = bool(members) and str(members[0][0]) == "NEGATE"
    inside: list[str] = []
    alternatives: list[str] = []
    for op, value in members[1:] if negated else members:
        if str(op) == "LITERAL":
            inside.append(_literal(value, flags))
        elif str(op) == "RANGE":
            inside.append(f"{_literal(value[0], flags)}-{_literal(value[1], flags)}")
        elif (name := str(value)).startswith("CATEGORY_NOT_"):
            alternatives.append(_as_written(f"[^{_class(name, flags)}]", flags))
        elif flags & re.IGNORECASE:
            alternatives.append(_as_written(f"[{_class(name, flags)}]", flags))
        else:
            inside.append(_class(name, flags))
    if not alternatives:
        return f"[{'^' if negated else ''}{''.join(inside)}]"
    if inside:
        alternatives.append(f"[{''.join(inside)}]")
    either = "|".join(alternatives)
    return f"(?:(?!{either})(?s:.))" if negated else f"(?:{either})"


def _class(category: str, flags: int) -> str:
    sets = _ASCII_SETS if flags & _ASCII else _UNICODE_SETS
    return sets[category.rpartition("_")[2]]


def _as_written(expression: str, flags: int) -> str:
    """Keep letter case out of a class: U+0345 folds to a letter and is none."""
    return f"(?-i:{expression})" if flags & re.IGNORECASE else expression


def _branch(value: tuple[None, list[Any]], flags: int) -> str:
    return f"(?:{'|'.join(_sequence(branch, flags) for branch in value[1])})"


def _group(value: tuple[int | None, int, int, Any], flags: int) -> str:
    number, added, removed, body = value
    inner = (flags | added) & ~removed
    text = _sequence(body, inner)
    if (inner ^ flags) & re.IGNORECASE:
        text = f"(?{'' if inner & re.IGNORECASE else '-'}i:{text})"
    return f"(?:{text})" if number is None else f"({text})"


def _repeat(suffix: str) -> Callable[[tuple[int, Any, Any], int], str]:
    def write(value: tuple[int, Any, Any], flags: int) -> str:
        least, most, body = value
        upper = "" if str(most) == "MAXREPEAT" else str(int(most))
        return f"(?:{_sequence(body, flags)}){{{least},{upper}}}{suffix}"

    return write


def _look(sign: str) -> Callable[[tuple[int, Any], int], str]:
    def write(value: tuple[int, Any], flags: int) -> str:
        direction, body = value
        return f"(?{'<' if direction < 0 else ''}{sign}{_sequence(body, flags)})"

    return write


def _at(place: Any, flags: int) -> str:
    name = str(place)
    if name in ("AT_BEGINNING", "AT_END"):
        anchor = "^" if name == "AT_BEGINNING" else "$"
        return f"(?m:{anchor})" if flags & re.MULTILINE else anchor
    if name in ("AT_BEGINNING_STRING", "AT_END_STRING"):
        return r"\A" if name == "AT_BEGINNING_STRING" else r"\Z"
    word = _as_written(f"[{_class('CATEGORY_WORD', flags)}]", flags)
    if name == "AT_BOUNDARY":
        return f"(?:(?<={word})(?!{word})|(?<!{word})(?={word}))"
    # In an empty text `re` finds no non-boundary (Python up to 3.13).
    return rf"(?!\A\Z)(?:(?<={word})(?={word})|(?<!{word})(?!{word}))"


def _conditional(value: tuple[int, Any, Any], flags: int) -> str:
    group, yes, no = value
    return f"(?({group}){_sequence(yes, flags)}|{_sequence(no or (), flags)})"


_WRITERS: Final[dict[str, Callable[[Any, int], str]]] = {
    "LITERAL": _literal,
    "NOT_LITERAL": _not_literal,
    "ANY": _any,
    "IN": _set,
    "BRANCH": _branch,
    "SUBPATTERN": _group,
    "ATOMIC_GROUP": lambda body, flags: f"(?>{_sequence(body, flags)})",
    "MAX_REPEAT": _repeat(""),
    "MIN_REPEAT": _repeat("?"),
    "POSSESSIVE_REPEAT": _repeat("+"),
    "ASSERT": _look("="),
    "ASSERT_NOT": _look("!"),
    "AT": _at,
    "GROUPREF": lambda number, _flags: rf"(?:\g<{number}>)",
    "GROUPREF_EXISTS": _conditional,
    "FAILURE": lambda _value, _flags: "(?!)",
}
