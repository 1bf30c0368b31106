"""Which references lead into a circle: such a schema cannot be written out, and some engines only go so far round."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, Final

from sobench_metrics.constrained.words import subschemas

if TYPE_CHECKING:
    from sobench_metrics.constrained.references import References

__all__ = ["followed_targets"]

_MAX_STEPS: Final = 1_000_000


def followed_targets(
    root: Any, references: References
) -> tuple[frozenset[tuple[str | int, ...]], frozenset[tuple[str | int, ...]]] | None:
    """Return the paths of all reference targets, and of those that lead into a circle; None when it takes too long."""
    leads_to: dict[tuple[str | int, ...], set[tuple[str | int, ...]]] = {}
    pending: list[tuple[tuple[str | int, ...], Any]] = [((), root)]
    steps = 0
    while pending:
        path, node = pending.pop()
        if path in leads_to:
            continue
        leads_to[path] = set()
        inside = [node]
        while inside:
            steps += 1
            if steps > _MAX_STEPS:
                return None
            held = inside.pop()
            if not isinstance(held, dict):
                continue
            inside.extend(child for _, child in subschemas(held))
            if "$ref" in held and (target := references.find(held["$ref"])).found:
                leads_to[path].add(target.path)
                pending.append((target.path, target.target))
    return frozenset(leads_to), frozenset(_left_when_peeled(leads_to))


def _left_when_peeled(
    leads_to: dict[tuple[str | int, ...], set[tuple[str | int, ...]]],
) -> set[tuple[str | int, ...]]:
    """Take away, again and again, what leads nowhere; what is left leads into a circle."""
    left = {path: len(targets) for path, targets in leads_to.items()}
    led_from = defaultdict(list)
    for path, targets in leads_to.items():
        for target in targets:
            led_from[target].append(path)
    ends = [path for path, count in left.items() if not count]
    while ends:
        end = ends.pop()
        del left[end]
        for path in led_from[end]:
            left[path] -= 1
            if not left[path]:
                ends.append(path)
    return set(left)
