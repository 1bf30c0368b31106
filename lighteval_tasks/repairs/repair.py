"""What a repair is: one fault of the harness, how it is recognised, and what is put in its place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Repair", "is_repaired", "repaired"]


@dataclass(frozen=True)
class Repair:
    """A fault by name, the upstream issues or pull requests that tell of it, its detection and its cure.

    `needed` looks at what is installed, never at a version number alone, and is false once `apply` was called.
    """

    name: str
    upstream: str
    needed: Callable[[], bool]
    apply: Callable[[], None]

    def detected(self) -> bool:
        """Return whether the fault is there; a place that no longer exists has no fault."""
        try:
            return self.needed()
        except (AttributeError, ImportError):
            return False


def repaired(replacement: Any, real: Any) -> Any:
    """Return the replacement, marked so that `is_repaired` knows it; `inspect.unwrap` finds the real one behind it."""
    replacement.repaired_by_sobench = True
    replacement.__wrapped__ = real
    return replacement


def is_repaired(place: Any) -> bool:
    """Return whether a replacement of ours stands in the place."""
    return bool(getattr(place, "repaired_by_sobench", False))
