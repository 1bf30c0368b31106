"""Every place of a schema that an answer can be held against: the root, what it holds and what it refers to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from sobench_metrics.constrained.references import References
from sobench_metrics.constrained.words import subschemas

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["MAX_PLACES", "Place", "Schema", "older_than_2019", "places"]

MAX_PLACES: Final = 100_000
"""More places than any schema of use has; a larger one is only looked at so far, and said to be too large."""


@dataclass(frozen=True, slots=True)
class Schema:
    """A whole schema, what its references name, and its dialect's short name."""

    root: Any
    references: References
    dialect: str

    @classmethod
    def of(cls, root: Any) -> Schema:
        """Return the schema with the dialect that its `$schema` names; none means the newest."""
        return cls(root, References(root), _dialect(root))


@dataclass(frozen=True, slots=True)
class Place:
    """One schema inside the whole and where it stands; `level` counts the values around the one it tests.

    The trail is (trail of the parent, step), () at the root: no path is written out before it is asked for.
    """

    trail: tuple[Any, ...]
    node: Any
    level: int = 0

    @property
    def path(self) -> tuple[str | int, ...]:
        """Return the steps from the root."""
        steps: list[str | int] = []
        trail = self.trail
        while trail:
            trail, step = trail
            steps.append(step)
        return tuple(reversed(steps))

    def below(self, steps: tuple[str | int, ...], node: Any) -> Place:
        """Return the place that lies these steps further in."""
        trail = self.trail
        for step in steps:
            trail = (trail, step)
        return Place(trail, node, self.level + (steps[0] in _BELOW))


def places(schema: Schema, skipped: Callable[[dict[str, Any]], frozenset[str]] | None = None) -> Iterator[Place]:
    """Yield the root and every schema reachable from it, each once, parents first; stops after MAX_PLACES.

    `skipped` gives the keywords of a schema that shall not be looked into.

    A loop: neither a deep schema nor a recursive one can exhaust the stack.
    """
    pending = [Place((), schema.root)]
    seen: set[int] = set()
    count = 0
    while pending and count < MAX_PLACES:
        place = pending.pop()
        if id(place.node) in seen:
            continue
        count += 1
        yield place
        if not isinstance(place.node, dict):
            continue
        seen.add(id(place.node))
        closed = skipped(place.node) if skipped else frozenset()
        below = [place.below(path, node) for path, node in subschemas(place.node) if path[0] not in closed]
        if (
            "$ref" in place.node
            and "$ref" not in closed
            and (target := schema.references.find(place.node["$ref"])).found
        ):
            trail: tuple[Any, ...] = ()
            for step in target.path:
                trail = (trail, step)
            below.append(Place(trail, target.target, place.level))
        pending.extend(reversed(below))


def older_than_2019(schema: Schema) -> bool:
    """Return whether the dialect is one in which the neighbours of a `$ref` mean nothing."""
    return schema.dialect in ("draft-03", "draft-04", "draft-06", "draft-07")


_BELOW: Final = frozenset((
    "properties", "patternProperties", "additionalProperties", "unevaluatedProperties", "items", "prefixItems",
    "additionalItems", "unevaluatedItems", "contains",
))  # fmt: skip


def _dialect(root: Any) -> str:
    named = root.get("$schema") if isinstance(root, dict) else None
    if named is None:
        return ""
    short = ("draft-03", "draft-04", "draft-06", "draft-07", "2019-09", "2020-12")
    if not isinstance(named, str) or "json-schema.org/" not in named:
        return "other"
    return next((name for name in short if f"/{name}/schema" in named), "other")
