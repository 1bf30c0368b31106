"""What became of each field, for people and for slices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Literal

__all__ = [
    "MAX_VERDICTS",
    "FieldVerdict",
    "Outcome",
    "VerdictList",
    "child_path",
    "cut",
    "kind_of",
    "label_text",
    "shown",
]

MAX_VERDICTS: Final = 2_000
"""Most verdicts listed for one sample; one more says how many follow."""

MAX_REASON: Final = 120

Outcome = Literal["match", "mismatch", "wrong_kind", "missing", "extra", "ignored", "more"]


@dataclass(frozen=True, slots=True)
class FieldVerdict:
    """One field by the strict rules.

    `path` is a JSON Pointer, `label` the label's text (`{...}` and `[...]` for a label tree), `kind` the target's kind
    ("string", "number", "boolean", "null", "list", "dict"; for an extra field the answer's), `outcome` one of:
    "match"; "mismatch" (another value, or a container with a part that fails or the wrong length); "wrong_kind";
    "missing"; "extra" (one for a whole subtree that the target lacks); "ignored" (one for a subtree that does not
    count); "more" (the last one of a list that was cut). `reason` is empty for a match.
    """

    path: str
    label: str
    kind: str
    outcome: Outcome
    reason: str = ""


class VerdictList:
    """Verdicts in the order of the target, a container before its parts, no more than `MAX_VERDICTS`."""

    def __init__(self) -> None:
        self._verdicts: list[FieldVerdict | None] = []
        self._left_out = 0

    def reserve(self) -> int | None:
        """Take the next place, to be filled once the parts are known; None when the list is full."""
        if len(self._verdicts) >= MAX_VERDICTS:
            self._left_out += 1
            return None
        self._verdicts.append(None)
        return len(self._verdicts) - 1

    def put(self, place: int | None, verdict: FieldVerdict) -> None:
        """Fill a reserved place."""
        if place is not None:
            self._verdicts[place] = verdict

    def finished(self) -> tuple[FieldVerdict, ...]:
        """Return all verdicts, the last one saying how many were left out."""
        verdicts = tuple(verdict for verdict in self._verdicts if verdict is not None)
        if not self._left_out:
            return verdicts
        return (*verdicts, FieldVerdict("", "", "", "more", f"and {self._left_out} more"))


def child_path(path: str, key: Any) -> str:
    """Return the JSON Pointer one step further in."""
    return f"{path}/{str(key).replace('~', '~0').replace('/', '~1')}"


def kind_of(value: Any) -> str:
    """Return the kind of a decoded JSON value."""
    for types, kind in _KINDS:
        if isinstance(value, types):
            return kind
    return "null"


# Booleans before numbers: in Python they are integers.
_KINDS: Final[tuple[tuple[Any, str], ...]] = (
    (str, "string"),
    (bool, "boolean"),
    ((int, float), "number"),
    (dict, "dict"),
    (list, "list"),
)


def shown(value: Any) -> str:
    """Return a short text for a value, in time that does not depend on its size."""
    if isinstance(value, str):
        return repr(value if len(value) <= 40 else value[:39] + "…")
    if isinstance(value, dict):
        return f"a dict of {len(value)}"
    if isinstance(value, list):
        return f"a list of {len(value)}"
    if isinstance(value, int) and value.bit_length() > 128:
        return f"an integer of {value.bit_length()} bits"
    if value is None:
        return "null"
    return str(value).lower() if isinstance(value, bool) else repr(value)


def label_text(label: Any) -> str:
    """Return the text under which a field's label is listed."""
    if isinstance(label, str):
        return cut(label)
    return {"dict": "{...}", "list": "[...]"}.get(kind_of(label)) or shown(label)


def cut(text: str) -> str:
    """Return the text, shortened to what a reason may hold."""
    return text if len(text) <= MAX_REASON else text[: MAX_REASON - 1] + "…"
