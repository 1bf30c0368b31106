"""Signs in decoded answers: what a model writes when it must write something."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from sobench_metrics.findings import Finding, pointer
from sobench_metrics.json_schema.stack import is_deeper_than

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["PLACEHOLDERS", "value_signs"]

PLACEHOLDERS: Final = frozenset((
    "string", "text", "n/a", "na", "none", "null", "nil", "unknown", "...", "…", "todo", "tbd", "placeholder",
    "example", "sample", "value", "lorem ipsum", "xxx", "???", "-", "--", "undefined", "not available", "not provided",
))  # fmt: skip
"""Texts that stand for no answer; compared without case and outer white space."""

_LISTED: Final = 20
_MAX_VALUES: Final = 2_000_000
_SAME_ITEMS: Final = 8
_FEW_NUMBERS: Final = 3
_DEEPEST: Final = 200
_STEPS: Final = 100_000
_STEPS_A_VALUE: Final = 50


def value_signs(value: Any, schema: Any) -> tuple[Finding, ...]:
    """Return the signs in a decoded answer; a value of the schema's own is never a placeholder."""
    if is_deeper_than(value, _DEEPEST):
        return (Finding("sign.repetition", "", f"the answer nests more than {_DEEPEST} levels deep"),)
    allowed, optional = _listed_values(schema), _optional_names(schema)
    found: list[Finding] = []
    for trail, name, held in _values(value):
        if isinstance(held, str):
            found += _text_signs(trail, name, held, allowed, optional)
        elif isinstance(held, list):
            found += _list_signs(trail, held)
        if len(found) >= _LISTED:
            break
    return (*found[:_LISTED], *_all_zero(value), *_minimal(value, schema))


def _values(value: Any) -> Iterator[tuple[tuple[Any, ...], str | None, Any]]:
    """Yield every value with its trail (trail of the parent, step) and its key, the outermost first."""
    pending: list[tuple[tuple[Any, ...], str | None, Any]] = [((), None, value)]
    count = 0
    while pending and count < _MAX_VALUES:
        trail, name, held = pending.pop()
        count += 1
        yield trail, name, held
        if isinstance(held, dict):
            pending.extend(((trail, key), str(key), held[key]) for key in reversed(held))
        elif isinstance(held, list):
            pending.extend(((trail, index), name, held[index]) for index in range(len(held) - 1, -1, -1))


def _path(trail: tuple[Any, ...]) -> str:
    steps = []
    while trail:
        trail, step = trail
        steps.append(step)
    return pointer(tuple(reversed(steps)))


def _text_signs(
    trail: tuple[Any, ...], name: str | None, text: str, allowed: frozenset[str], optional: frozenset[str]
) -> Iterator[Finding]:
    if text in allowed or len(text) > 100:
        return
    plain = text.strip().lower()
    if not plain:
        if name in optional:
            return
        yield Finding("sign.empty_required", _path(trail), "the text is empty")
    elif plain in PLACEHOLDERS:
        yield Finding("sign.placeholder", _path(trail), f"the text is {text!r}")
    elif name is not None and _same_words(plain, name):
        yield Finding("sign.placeholder", _path(trail), f"the text is its own name {text!r}")


def _same_words(text: str, name: str) -> bool:
    return "".join(filter(str.isalnum, text)) == "".join(filter(str.isalnum, name.lower())) != ""


def _list_signs(trail: tuple[Any, ...], items: list[Any]) -> Iterator[Finding]:
    """Yield the finding of a list that ends in one and the same item again and again; numbers and flags may repeat."""
    if len(items) < _SAME_ITEMS or not isinstance(items[-1], (str, dict, list)):
        return
    same = 1
    for item in reversed(items[:-1]):
        if type(item) is not type(items[-1]) or item != items[-1]:
            break
        same += 1
    if same >= _SAME_ITEMS:
        yield Finding("sign.repetition", _path(trail), f"the list ends in {same} equal items")


def _all_zero(value: Any) -> Iterator[Finding]:
    numbers = 0
    for _, _, held in _values(value):
        if isinstance(held, (int, float)) and not isinstance(held, bool):
            if held != 0:
                return
            numbers += 1
    if numbers >= _FEW_NUMBERS:
        yield Finding("sign.placeholder", "", f"all {numbers} numbers are 0")


def _minimal(value: Any, schema: Any) -> Iterator[Finding]:
    """Yield the finding of an answer that is the schema's smallest instance, which takes no reading of the question."""
    if not isinstance(schema, dict) or is_deeper_than(schema, _DEEPEST):
        return
    from sobench_metrics.data.instance import instance_of  # only where a schema is given

    values, chars = _room_of(value)
    try:
        least = instance_of(schema, steps=_STEPS + _STEPS_A_VALUE * values, chars=chars)
    except (ArithmeticError, AttributeError, LookupError, MemoryError, RuntimeError, TypeError, ValueError):
        return  # a sign is a hint: no schema is worth the run
    if least not in (None, {}, []) and value == least and type(value) is type(least):
        yield Finding("sign.minimal", "", "the answer is the smallest one that the schema allows")


def _room_of(value: Any) -> tuple[int, int]:
    """Return the values in an answer and the characters of its texts: a larger instance would be another one."""
    texts = [len(held) if isinstance(held, str) else 0 for _, _, held in _values(value)]
    return len(texts), sum(texts)


def _listed_values(schema: Any) -> frozenset[str]:
    """Return the texts that the schema lists itself, in `enum` and `const`."""
    found: set[str] = set()
    for _, name, held in _values(schema) if isinstance(schema, dict) else ():
        if name in {"enum", "const"}:
            listed = held if isinstance(held, list) else [held]
            found.update(text for text in listed if isinstance(text, str))
    return frozenset(found)


def _optional_names(schema: Any) -> frozenset[str]:
    """Return the names that the schema declares and requires nowhere: an empty text is a right answer there."""
    declared: set[str] = set()
    required: set[str] = set()
    for _, _, held in _values(schema) if isinstance(schema, dict) else ():
        if isinstance(held, dict):
            declared.update(held["properties"] if isinstance(held.get("properties"), dict) else ())
            names = held.get("required")
            required.update(name for name in (names if isinstance(names, list) else ()) if isinstance(name, str))
    return frozenset(declared - required)
