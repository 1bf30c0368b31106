"""What a row may ask of an answer's content beside its schema: the optional column `content_rules`, checked once.

The column holds a list of objects (JSON-encoded or decoded), each `{"rule": NAME, "path": PATH, ...arguments}`. A path
is a JSON Pointer into the data below the wrapper in which `*` stands for every item: `/*/verses/*/text`. `over` and
`among` are paths below the object that `path` names. What the rules mean is said, and checked, in
`sobench_metrics.ifstruct.strict.content`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["ARGUMENTS", "ContentRule", "content_rules"]

MAX_RULES: Final = 1_000
"""More than any prompt can state."""


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value)


def _is_path(value: Any) -> bool:
    return value == "" or (isinstance(value, str) and value.startswith("/"))


def _is_names(value: Any) -> bool:
    return (
        isinstance(value, list)
        and len(value) > 1
        and all(isinstance(name, str) for name in value)
        and len(set(value)) == len(value)
    )


_Check = tuple[str, "Callable[[Any], bool]"]
_COUNT: Final[_Check] = ("a whole number from 0", _is_count)
_TEXT: Final[_Check] = ("a text that is not empty", _is_text)
_PATH: Final[_Check] = ("a path such as /*/items", _is_path)
_NAMES: Final[_Check] = ("a list of two or more different names", _is_names)

ARGUMENTS: Final[Mapping[str, Mapping[str, _Check]]] = MappingProxyType(
    {
        "lines": {"exactly": _COUNT},
        "words": {"least": _COUNT, "most": _COUNT},
        "quotes": {"least": _COUNT},
        "phrase": {"text": _TEXT},
        "absent": {"text": _TEXT},
        "key_order": {"keys": _NAMES},
        "ascending": {"by": _TEXT},
        "descending": {"by": _TEXT},
        "distinct": {"by": _TEXT},
        "total": {"field": _TEXT, "over": _PATH},
        "count": {"field": _TEXT, "over": _PATH},
        "reference": {"field": _TEXT, "among": _PATH},
    }
)
"""The rules by name, and the arguments of each: what a value must be, in words and as a check."""


@dataclass(frozen=True, slots=True)
class ContentRule:
    """One rule of a row; `arguments` are those that ARGUMENTS names for it."""

    rule: str
    path: str
    arguments: Mapping[str, Any]


def content_rules(column: Any) -> tuple[ContentRule, ...]:
    """Return the rules of a column, () for null; raises ValueError with the place of what cannot be read."""
    try:
        listed = json.loads(column) if isinstance(column, str) else column
    except RecursionError as error:
        raise ValueError("it nests too deeply") from error
    if listed is None:
        return ()
    if not isinstance(listed, list) or len(listed) > MAX_RULES:
        raise ValueError(f"it must be a list of at most {MAX_RULES} rules")
    return tuple(_rule(number, entry) for number, entry in enumerate(listed))


def _rule(number: int, entry: Any) -> ContentRule:
    if not isinstance(entry, dict) or not isinstance(entry.get("rule"), str) or entry["rule"] not in ARGUMENTS:
        raise ValueError(f"rule {number} must be an object whose 'rule' is one of {', '.join(ARGUMENTS)}")
    name, wanted = entry["rule"], {"path": _PATH, **ARGUMENTS[entry["rule"]]}
    for argument, (words, is_right) in wanted.items():
        if not is_right(entry.get(argument)):
            raise ValueError(f"rule {number} ({name}) needs as '{argument}' {words}")
    if unknown := sorted(map(str, set(entry) - {"rule", *wanted})):
        raise ValueError(f"rule {number} ({name}) knows no '{unknown[0]}'")
    if name == "words" and entry["least"] > entry["most"]:
        raise ValueError(f"rule {number} (words) asks for at least {entry['least']} and at most {entry['most']} words")
    return ContentRule(name, entry["path"], {argument: entry[argument] for argument in ARGUMENTS[name]})
