"""Which places of a value its labels make count (reference rule B2), for the official and for the strict comparison."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from sobench_metrics.json_schema.stack import run_nested

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

__all__ = ["EXACT", "FUZZY", "IGNORE", "Child", "Labels", "count_nodes"]

EXACT: Final = "exact"
FUZZY: Final = "fuzzy"
IGNORE: Final = "ignore"


class Child(NamedTuple):
    """One part of a container: where, what, under which label, and whether each comparison looks at it."""

    key: Any
    value: Any
    label: Any
    official: bool
    strict: bool


def key_label(label: Any, key: str) -> Any:
    """Return the label of a mapping's key: its entry, "exact" where there is none, else the label itself (B2.7)."""
    return label.get(key, EXACT) if isinstance(label, dict) else label


def item_label(label: Any, index: int, length: int) -> Any:
    """Return the label of an item: its entry in a label list of just that length, else the whole label (B2.6)."""
    return label[index] if isinstance(label, list) and len(label) == length else label


class Labels:
    """Questions about labels, with the answers kept as long as the labels and values themselves live."""

    def __init__(self) -> None:
        self._meaningless: dict[int, bool] = {}
        self._mirrored: dict[tuple[int, int], bool] = {}

    def meaningless(self, label: Any) -> bool:
        """Return whether a label is "ignore", or a mapping or list of nothing but such labels (or of nothing)."""
        if isinstance(label, (dict, list)):
            known = self._meaningless.get(id(label))
            return run_nested(self._all_meaningless(label)) if known is None else known
        return isinstance(label, str) and label == IGNORE

    def _all_meaningless(self, label: Any) -> Generator[Any, Any, bool]:
        result = True
        for inner in label.values() if isinstance(label, dict) else label:
            if isinstance(inner, (dict, list)) and id(inner) not in self._meaningless:
                result = (yield self._all_meaningless(inner)) and result
            else:
                result = self.meaningless(inner) and result
        self._meaningless[id(label)] = result
        return result

    def names_empty(self, label: Any, value: Any) -> bool:
        """Return whether a label mirrors an empty container: `[]` or `{}` stands where the value has just that.

        The reference takes such a label for "ignore". Strictly it is what a label tree that follows its target looks
        like, and no word of ignoring.
        """
        if not isinstance(label, (dict, list)) or type(label) is not type(value):
            return False
        known = self._mirrored.get((id(label), id(value)))
        return run_nested(self._any_empty(label, value)) if known is None else known

    def _any_empty(self, label: Any, value: Any) -> Generator[Any, Any, bool]:
        if isinstance(label, dict):
            pairs = [(label[key], value[key]) for key in label if key in value]
        else:
            pairs = list(zip(label, value, strict=True)) if len(label) == len(value) else []
        result = not label and not value
        for inner, part in pairs:
            if isinstance(inner, (dict, list)) and type(inner) is type(part):
                result = (yield self._any_empty(inner, part)) or result
        self._mirrored[id(label), id(value)] = result
        return result

    def empty_counts(self, label: Any, value: Any) -> bool:
        """Return whether an empty container counts strictly: under a meaningful label, or one that mirrors it."""
        return not self.meaningless(label) or (not label and type(label) is type(value))

    def children(self, value: Any, label: Any) -> Iterator[Child]:
        """Yield the parts of a mapping or list with their labels, and which comparison looks at each.

        Officially the keys of a meaningless label are skipped, and a list is skipped as a whole. Strictly a part is
        looked at, too, when a label of its own, not one handed down, mirrors an empty container.
        """
        if isinstance(value, dict):
            for key, part in value.items():
                inner = key_label(label, key)
                official = not self.meaningless(inner)
                own = isinstance(label, dict)
                yield Child(key, part, inner, official, official or (own and self.names_empty(inner, part)))
            return
        official = not self.meaningless(label)
        own = isinstance(label, list) and len(label) == len(value)
        for index, part in enumerate(value):
            inner = item_label(label, index, len(value))
            ignored = isinstance(inner, str) and inner == IGNORE
            strict = official or (own and self.names_empty(inner, part))
            yield Child(index, part, inner, official, strict and not ignored)

    def count(self, value: Any, label: Any) -> int:
        """Return how many fields of a value count strictly under a label."""
        if not isinstance(label, (dict, list)):
            return 0 if self.meaningless(label) else count_nodes(value)
        return run_nested(self._count(value, label))

    def _count(self, value: Any, label: Any) -> Generator[Any, Any, int]:
        if not isinstance(value, (dict, list)):
            return 1
        if not value:
            return int(self.empty_counts(label, value))
        inside = 0
        for child in self.children(value, label):
            if not child.strict:
                continue
            if isinstance(child.label, (dict, list)):
                inside += yield self._count(child.value, child.label)
            else:
                inside += count_nodes(child.value)
        return inside + 1 if inside else 0


def count_nodes(value: Any) -> int:
    """Return how many values there are in a value, itself included."""
    nodes = 1
    waiting = [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict):
            nodes += len(part)
            waiting.extend(inner for inner in part.values() if isinstance(inner, (dict, list)))
        elif isinstance(part, list):
            nodes += len(part)
            waiting.extend(inner for inner in part if isinstance(inner, (dict, list)))
    return nodes
