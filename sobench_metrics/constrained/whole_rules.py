"""Conversions of a whole schema: references to plain definitions, and an older dialect in the words of the newest."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final

from sobench_metrics.constrained.places import Schema, older_than_2019, places
from sobench_metrics.constrained.words import ANNOTATIONS, STRUCTURE, subschemas

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["has_own_addresses", "in_newest_dialect", "with_plain_references"]

_PLAIN: Final = re.compile(r"[A-Za-z0-9_.-]{1,60}\Z")
_MAX_CHARS: Final = 2_000_000
_NEWER: Final = frozenset((
    "prefixItems", "dependentRequired", "dependentSchemas", "unevaluatedItems", "unevaluatedProperties", "minContains",
    "maxContains", "$dynamicRef", "$recursiveRef", "$anchor", "$dynamicAnchor",
))  # fmt: skip


def has_own_addresses(root: Any) -> bool:
    """Return whether a part of the schema has an address of its own: references in it start from there."""
    pending = [(root, True)]
    while pending:
        node, is_root = pending.pop()
        if isinstance(node, dict):
            if not is_root and (isinstance(node.get("$id"), str) or isinstance(node.get("id"), str)):
                return True
            pending.extend((child, False) for _, child in subschemas(node, definitions=True))
    return False


def with_plain_references(root: dict[str, Any]) -> dict[str, Any] | None:
    """Return the schema with every reference as `#` or `#/$defs/name`, and without definitions that none names.

    None where a reference leads nowhere or the schema would grow too large.
    """
    whole = Schema.of(root)
    names: dict[tuple[str | int, ...], str] = {(): ""}
    made: dict[str, Any] = {}
    chars = 0
    pending: list[Any] = [{word: value for word, value in root.items() if word not in ("$defs", "definitions")}]
    new_root = _copy(pending[0])
    pending = [new_root]
    while pending:
        for node in _nodes(pending.pop()):
            if "$ref" not in node:
                continue
            target = whole.references.find(node["$ref"])
            if not target.found:
                return None
            if target.path not in names:
                names[target.path] = name = _free_name(target.path, made)
                chars += len(json.dumps(target.target))
                if chars > _MAX_CHARS:
                    return None
                made[name] = _copy(target.target)
                pending.append(made[name])
            node["$ref"] = f"#/$defs/{names[target.path]}" if names[target.path] else "#"
            for word in ("$anchor", "$dynamicAnchor"):
                node.pop(word, None)
    for node in _nodes({"allOf": [new_root, *made.values()]}):
        node.pop("$anchor", None)
    return {**new_root, **({"$defs": made} if made else {})}


def _nodes(schema: Any) -> Iterator[dict[str, Any]]:
    pending = [schema]
    while pending:
        node = pending.pop()
        if isinstance(node, dict):
            yield node
            pending.extend(child for _, child in subschemas(node))


def _free_name(path: tuple[str | int, ...], taken: dict[str, Any]) -> str:
    last = str(path[-1])
    wanted = last if _PLAIN.match(last) else re.sub(r"[^A-Za-z0-9_.-]", "_", last)[:50] or "part"
    name, number = wanted, 1
    while name in taken:
        number += 1
        name = f"{wanted}_{number}"
    return name


def in_newest_dialect(root: dict[str, Any]) -> dict[str, Any] | None:
    """Return a draft-06, draft-07 or 2019-09 schema in the words of the newest dialect, or None where they lack.

    References must be plain already.
    """
    whole = Schema.of(root)
    if whole.dialect not in ("draft-06", "draft-07", "2019-09"):
        return None
    if any("$recursiveRef" in place.node for place in places(whole) if isinstance(place.node, dict)):
        return None
    made: dict[str, Any] = _copy(root)
    made.pop("$schema", None)
    for node in list(_nodes({"allOf": [made, *made.get("$defs", {}).values()]})):
        if older_than_2019(whole):
            _drop_later_words(node, whole.dialect)
        _renew(node)
    return made


def _drop_later_words(node: dict[str, Any], dialect: str) -> None:
    """Take out what the older dialect did not know, and what it did not read beside a reference."""
    later = _NEWER | ({"if", "then", "else"} if dialect == "draft-06" else set())
    kept = ANNOTATIONS | STRUCTURE | {"$ref"}
    for word in list(node):
        if word in later or ("$ref" in node and word not in kept):
            del node[word]


def _renew(node: dict[str, Any]) -> None:
    rest = node.pop("additionalItems", None)
    if isinstance(node.get("items"), list):
        first = node.pop("items")
        if first:
            node["prefixItems"] = first
        if rest is not None:
            node["items"] = rest
    for name, needed in (node.pop("dependencies", None) or {}).items():
        word = "dependentRequired" if isinstance(needed, list) else "dependentSchemas"
        node.setdefault(word, {})[name] = needed


def _copy(value: Any) -> Any:
    return json.loads(json.dumps(value))
