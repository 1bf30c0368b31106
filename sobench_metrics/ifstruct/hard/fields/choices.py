"""Choices among values that are easily misread, mistyped, or taken for another type."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from sobench_metrics.ifstruct.hard.nodes import Leaf

if TYPE_CHECKING:
    from random import Random

__all__ = ["choice_fields"]

_TEXTS: Final[dict[str, tuple[str, ...]]] = {
    "answer": ("yes", "no", "null"),
    "switch": ("on", "off", "~"),
    "truth": ("true", "True", "TRUE", "false"),
    "grade": ("1", "1.0", "01", "1.10"),
    "route_no": ("007", "0o7", "1e3", "0x1F"),
    "slot_start": ("9:30", "12:30", "23:59"),
    "season_start": ("2024-01-01", "2024-04-01", "01.10.2024"),
    "tag_line": ("# none", "- item", "key: value", "? maybe"),
    "verdict_text": ('a so-called "minor" fault', "the owner's fault", 'no "fault" at all'),
    "folder": ("C:\\temp\\new", "\\\\host\\share", "/var/lib//x"),
    "marker": ("@home", "%off", "*any", "&ref", "!important"),
    "bracket": ("{open}", "[closed]", "|piped|", "> folded"),
    "fill_state": ("half-full", "half full", "half_full", "halffull"),
    "outcome": ("OK", "Ok", "ok", "O.K."),
    "dash": ("left-right", "left–right", "left—right"),  # noqa: RUF001 - the trap itself
    "accent": ("resume", "résumé", "resumé"),
}
_NUMBERS: Final[dict[str, tuple[float, ...]]] = {
    "step_mm": (0.5, 1.25, 2.75),
    "group_size": (3, 7, 31),
    "offset": (-180, -90, 270),
}


def choice_fields(rng: Random, number: int) -> list[Leaf]:
    """Return that many fields of different names."""
    bank = [_choice(name, "string", list(values)) for name, values in _TEXTS.items()]
    bank += [
        _choice(name, "integer" if all(isinstance(value, int) for value in values) else "number", list(values))
        for name, values in _NUMBERS.items()
    ]
    return rng.sample(bank, number)


def _choice(name: str, kind: str, values: list[Any]) -> Leaf:
    return Leaf(name, {"type": kind, "enum": values}, lambda rng: rng.choice(values))
