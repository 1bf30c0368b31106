"""The form of a table that says what one engine does with each shape of a schema."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["CODES", "Support", "Table"]

Support = Literal["enforced", "narrowed", "ignored", "refused"]
"""enforced: every answer follows; narrowed: follows, but some right answers cannot be given; ignored: an answer may
break it; refused: the request fails."""

CODES: Final[dict[Support, str]] = {
    "refused": "constrained.unsupported",
    "ignored": "constrained.ignored",
    "narrowed": "constrained.narrowed",
}


@dataclass(frozen=True, slots=True)
class Table:
    """What one engine does with each shape; a shape that is not listed is treated as `otherwise` says.

    `evidence` is "measured" (benchmarks/grammar_keywords.py) or "documented"; `limits` bound the measures of
    `limits.measured`.
    """

    engine: str
    version: str
    date: str
    evidence: Literal["measured", "documented"]
    refused: Mapping[str, str] = field(default_factory=dict)
    ignored: Mapping[str, str] = field(default_factory=dict)
    narrowed: Mapping[str, str] = field(default_factory=dict)
    enforced: frozenset[str] = frozenset()
    otherwise: Support = "enforced"
    limits: Mapping[str, int] = field(default_factory=dict)

    def support(self, shape: str) -> Support:
        """Return what the engine does with the shape."""
        if shape in self.refused:
            return "refused"
        if shape in self.ignored:
            return "ignored"
        if shape in self.narrowed:
            return "narrowed"
        return "enforced" if shape in self.enforced else self.otherwise

    def note(self, shape: str) -> str:
        """Return what is known about the shape beyond its class; "" where nothing is."""
        for listed in (self.refused, self.ignored, self.narrowed):
            if shape in listed:
                return listed[shape]
        return ""
