"""What a prompt's block of fields says, as far as its style says it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sobench_metrics.ifstruct.generate.request import Request
    from sobench_metrics.ifstruct.generate.schema_sampling import Schema

__all__ = ["ReadBack", "differences"]


@dataclass(frozen=True, slots=True)
class ReadBack:
    """The schema of an item; number and wrapper where the block shows the whole answer (`whole`)."""

    item: Schema
    whole: bool = False
    count: tuple[int, int] | None = None
    key: str | None = None


def differences(found: ReadBack, request: Request) -> list[str]:
    """Return what was read otherwise than it was asked, in words; the order of the fields counts."""
    wrong = []
    if repr(_ordered(found.item)) != repr(_ordered(request.item)):
        wrong.append("the item's schema differs")
    if found.whole and found.count != (request.form.low, request.form.high):
        wrong.append(f"{found.count} items were read")
    if found.whole and found.key != request.key:
        wrong.append(f"the wrapper {found.key!r} was read")
    return wrong


def _ordered(schema: Schema) -> object:
    """Return keywords sorted and properties in their order: 1 and 1.0 stay apart in its text."""
    return [
        (word, [(name, _ordered(below)) for name, below in value.items()] if word == "properties"
         else _ordered(value) if word == "items" else value)
        for word, value in sorted(schema.items())
    ]  # fmt: skip
