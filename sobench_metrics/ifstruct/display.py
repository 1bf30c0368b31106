"""Values as the reference prints them, without recursion and without its crashes going unnamed."""

from __future__ import annotations

from typing import Any, Final

from sobench_metrics.response import MAX_INT_DIGITS

__all__ = ["ReferenceCrashError", "shown", "text_of"]

_TOO_LONG_TO_PRINT: Final = 10**MAX_INT_DIGITS
_BRACKETS: Final[dict[type, tuple[str, str]]] = {list: ("[", "]"), tuple: ("(", ")"), dict: ("{", "}")}


class ReferenceCrashError(Exception):
    """The reference raises here; `kind` is the exception type it raises (rule A12)."""

    def __init__(self, kind: str, detail: str) -> None:
        """Remember the exception type and its text."""
        super().__init__(f"{kind}: {detail}")
        self.kind = kind


def text_of(value: Any) -> str:
    """Return `str(value)` of a key or number; raises ReferenceCrashError for integers too long to print."""
    if isinstance(value, int):
        _refuse_long(value)
    return str(value)


def shown(value: Any) -> str:
    """Return `repr(value)`; lists, tuples and mappings of any depth are printed by a loop.

    Raises ReferenceCrashError when an integer in it is too long to print.
    """
    pieces: list[str] = []
    pending: list[tuple[bool, Any]] = [(True, value)]  # (is a value, or else ready text)
    while pending:
        is_value, item = pending.pop()
        if is_value and type(item) in _BRACKETS:
            pending.extend(reversed(_parts(item)))
        elif is_value:
            if isinstance(item, int):
                _refuse_long(item)
            pieces.append(repr(item))
        else:
            pieces.append(item)
    return "".join(pieces)


def _parts(container: Any) -> list[tuple[bool, Any]]:
    opening, closing = _BRACKETS[type(container)]
    parts: list[tuple[bool, Any]] = [(False, opening)]
    for number, element in enumerate(container):
        if number:
            parts.append((False, ", "))
        parts.append((True, element))
        if isinstance(container, dict):
            parts += [(False, ": "), (True, container[element])]
    if isinstance(container, tuple) and len(container) == 1:
        parts.append((False, ","))
    parts.append((False, closing))
    return parts


def _refuse_long(value: int) -> None:
    # The explicit test keeps the verdict the same where a process changed Python's own limit.
    if not -_TOO_LONG_TO_PRINT < value < _TOO_LONG_TO_PRINT:
        raise ReferenceCrashError("ValueError", f"integer of more than {MAX_INT_DIGITS} digits cannot be printed")
