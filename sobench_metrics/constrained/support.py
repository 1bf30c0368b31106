"""The form of a table that says what one engine does with each shape of a schema."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["CODES", "READ_WITH", "Support", "Table"]

Support = Literal["enforced", "narrowed", "ignored", "refused"]
"""enforced: every answer follows; narrowed: follows, but some right answers cannot be given; ignored: an answer may
break it; refused: the request fails."""

READ_WITH: Final = {
    "properties": ("type", "required", "additionalProperties", "patternProperties", "minProperties", "maxProperties"),
    "prefixItems": ("type", "items", "minItems", "maxItems"),
}
"""Keywords that belong to one another; an engine that reads one reads these."""

CODES: Final[dict[Support, str]] = {
    "refused": "constrained.unsupported",
    "ignored": "constrained.ignored",
    "narrowed": "constrained.narrowed",
}


@dataclass(frozen=True, slots=True)
class Table:
    """What one engine does with each shape; a shape that is not listed is treated as `otherwise` says.

    `evidence` is "measured" (benchmarks/grammar_keywords.py) or "documented"; `limits` bound the measures of
    `limits.measured`. Of the keywords in `first_read` an engine reads the first that is there and nothing beside it;
    what stands under a keyword in `unread` it never looks at, nor at one of `unread_beside` next to its companions.
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
    first_read: tuple[str, ...] = ()
    unread: frozenset[str] = frozenset()
    unread_beside: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def support(self, shape: str) -> Support:
        """Return what the engine does with the shape."""
        if shape in self.refused:
            return "refused"
        if shape in self.ignored:
            return "ignored"
        if shape in self.narrowed:
            return "narrowed"
        return "enforced" if shape in self.enforced else self.otherwise

    def skipped(self, node: dict[str, Any]) -> frozenset[str]:
        """Return the keywords of a node that the engine does not look at, so that it cannot refuse what they hold."""
        first = next((word for word in self.first_read if word in node), None)
        beside = {
            word
            for word, company in self.unread_beside.items()
            if any(node.get(other) is not None for other in company)
        }
        if first is None:
            return self.unread | beside
        return self.unread | beside | {word for word in node if word != first and word not in READ_WITH.get(first, ())}

    def note(self, shape: str) -> str:
        """Return what is known about the shape beyond its class; "" where nothing is."""
        for listed in (self.refused, self.ignored, self.narrowed):
            if shape in listed:
                return listed[shape]
        return ""
