"""Where a local reference leads, without a network and without following anything twice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote

from sobench_metrics.constrained.cycles import followed_targets
from sobench_metrics.constrained.words import subschemas

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Reference", "References"]

_MAX_NAMED: Final = 100_000
_LONGEST_INDEX: Final = 20  # int() refuses texts of thousands of digits


@dataclass(frozen=True, slots=True)
class Reference:
    """What a `$ref` names: its kind (a shape's name), where it leads, and what stands there (None: nowhere)."""

    kind: str
    path: tuple[str | int, ...] = ()
    target: Any = None

    @property
    def found(self) -> bool:
        """Whether the reference leads to a place in this schema."""
        return self.kind not in ("$ref:remote", "$ref:missing")


class References:
    """The places of one schema that references may name."""

    def __init__(self, root: Any) -> None:
        """Remember the root; anchors and identifiers are looked for when a reference first asks for one."""
        self._root = root
        self._followed: tuple[frozenset[tuple[str | int, ...]], frozenset[tuple[str | int, ...]]] | None = None
        self._searched = False
        self._steps: frozenset[str | int] | None = None
        self._names: dict[str, tuple[str | int, ...]] | None = None

    def find(self, text: Any) -> Reference:
        """Return what a `$ref` names. Never raises; a reference that is no text is missing."""
        if not isinstance(text, str):
            return Reference("$ref:missing")
        if text in ("", "#"):
            return Reference("$ref:root", (), self._root)
        if text.startswith("#/"):
            return self._at(text)
        path = self._named().get(text)
        if path is None:
            return Reference("$ref:missing" if text.startswith("#") else "$ref:remote")
        return Reference("$ref:anchor" if text.startswith("#") else "$ref:id", path, _down(self._root, path))

    def is_circular(self, reference: Reference) -> bool:
        """Return whether following the reference comes round; True where that takes too long to say."""
        found = self._all_followed()
        return reference.found and (found is None or reference.path in found[1])

    def lead_through(self, step: str) -> bool:
        """Return whether the way to a reference's target goes through the step; True where that is too long to say."""
        if self._steps is None:
            found = self._all_followed()
            if found is None:
                return True
            self._steps = frozenset(step for path in found[0] for step in path)
        return step in self._steps

    def _all_followed(self) -> tuple[frozenset[tuple[str | int, ...]], frozenset[tuple[str | int, ...]]] | None:
        if not self._searched:
            self._searched = True
            self._followed = followed_targets(self._root, self)
        return self._followed

    def _at(self, text: str) -> Reference:
        path: list[str | int] = []
        node = self._root
        for step in unquote(text[2:]).split("/"):
            key: str | int = step.replace("~1", "/").replace("~0", "~")
            if isinstance(node, list) and isinstance(key, str) and _is_index(key, len(node)):
                key = int(key)
                node = node[key]
            elif isinstance(node, dict) and key in node:
                node = node[key]
            else:
                return Reference("$ref:missing")
            path.append(key)
        kind = "$ref:percent" if "%" in text else "$ref:escaped" if "~" in text else _kind_of(path)
        return Reference(kind, tuple(path), node)

    def _named(self) -> Mapping[str, tuple[str | int, ...]]:
        """Return the anchors and identifiers of all subschemas, those of unused definitions too."""
        if self._names is None:
            names: dict[str, tuple[str | int, ...]] = {}
            pending: list[tuple[tuple[str | int, ...], Any]] = [((), self._root)]
            seen = 0
            while pending and seen < _MAX_NAMED:
                path, node = pending.pop()
                seen += 1
                if not isinstance(node, dict):
                    continue
                for word, prefix in (("$anchor", "#"), ("$dynamicAnchor", "#"), ("$id", ""), ("id", "")):
                    if isinstance(node.get(word), str):
                        names.setdefault(prefix + node[word], path)
                pending.extend((path + below, child) for below, child in subschemas(node, definitions=True))
            self._names = names
        return self._names


def _is_index(key: str, length: int) -> bool:
    return key.isascii() and key.isdecimal() and len(key) <= _LONGEST_INDEX and int(key) < length


def _kind_of(path: list[str | int]) -> str:
    if len(path) == 2 and path[0] in ("$defs", "definitions"):
        return "$ref" if path[0] == "$defs" else "$ref:definitions"
    return "$ref:index" if any(isinstance(step, int) for step in path) else "$ref:elsewhere"


def _down(node: Any, path: tuple[str | int, ...]) -> Any:
    for step in path:
        node = node[step]
    return node
