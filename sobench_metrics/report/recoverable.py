"""The one place that asks the tolerant reading; without it the report has no figure `recoverable`."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from sobench_metrics.report.previews import clipped, pretty

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sobench_metrics.report.slices import Kind

__all__ = ["Recovered", "is_known", "recover"]

_MOST: Final = 20_000  # characters of recovered data that the page holds
_NOT_FORM: Final = (
    "All data asked for are there, and nothing had to be tolerated: the official verdict has another reason, which the "
    "findings name."
)


@dataclass(frozen=True, slots=True)
class Recovered:
    """Whether the data of a failed answer were there for a tolerant reader, by which steps, and why not.

    `value` is what was read, `left_out` how many characters of it are not held.
    """

    recoverable: bool
    steps: tuple[str, ...] = ()
    reason: str = ""
    value: str = ""
    left_out: int = 0


def is_known() -> bool:
    """Return whether this installation has the tolerant reading."""
    return hasattr(_room(), "recover_ifstruct")


def recover(kind: Kind, text: str | None, row: Mapping[str, Any]) -> Recovered | None:
    """Return what a tolerant reader makes of a failed answer; None where no such reader is there for this task.

    Never raises: a fault of the reader is an answer that was not recovered, and says so.
    """
    room = _room()
    reader = getattr(room, f"recover_{kind}", None) if room else None
    if reader is None:
        return None
    if text is None:
        return Recovered(recoverable=False, reason="there is no answer")
    try:
        found = reader(text, row)
    except Exception as error:  # noqa: BLE001 - one answer must not cost the report
        return Recovered(recoverable=False, reason=f"the tolerant reading failed: {type(error).__name__}")
    value = pretty(found.value) if found.recoverable and found.value is not None else ""
    # an answer that failed officially and needs no tolerance failed for another reason than its form
    reason = _NOT_FORM if found.recoverable and not found.steps else str(found.reason)
    return Recovered(bool(found.recoverable), tuple(found.steps), reason, *clipped(value, _MOST))


def _room() -> Any:
    try:
        return import_module("sobench_metrics.recovery")
    except ImportError:
        return None
