"""Find what a content rule's path names in the data of an answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sobench_metrics.ifstruct.walk import Place

__all__ = ["at"]


def at(data: Any, path: str, place: Place = None) -> Iterator[tuple[Any, Place]]:
    """Yield every value at the path with its place, in the order of the data; what is not there is passed over."""
    names = [part.replace("~1", "/").replace("~0", "~") for part in path.split("/")[1:]]
    pending: list[tuple[Any, Place, int]] = [(data, place, 0)]
    while pending:
        value, where, depth = pending.pop()
        if depth == len(names):
            yield value, where
        elif names[depth] == "*" and isinstance(value, list):
            pending += [(item, (where, index), depth + 1) for index, item in reversed(list(enumerate(value)))]
        elif isinstance(value, dict) and names[depth] in value:
            pending.append((value[names[depth]], (where, names[depth]), depth + 1))
