"""Conversions of branches and references: joined, spread out or written where they are used."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from sobench_metrics.constrained.disjoint import all_disjoint
from sobench_metrics.constrained.merging import merged
from sobench_metrics.constrained.words import ANNOTATIONS, STRUCTURE, asserting

if TYPE_CHECKING:
    from sobench_metrics.constrained.places import Schema

__all__ = ["join_all", "one_of_as_any_of", "spread", "write_out"]

_MAX_BRANCHES: Final = 50
_MAX_CHARS: Final = 200_000
_FURTHEST: Final = 20


def write_out(node: dict[str, Any], _keyword: str, whole: Schema) -> dict[str, Any] | None:
    """Return the node with what its reference names in its place, joined with what stands beside it."""
    target = _named(node, whole)
    if target is None:
        return None
    rest = {word: value for word, value in node.items() if word != "$ref"}
    if whole.dialect in ("draft-06", "draft-07", "draft-04", "draft-03"):
        rest = {word: value for word, value in rest.items() if word in ("$schema", "definitions", "$defs")}
    return merged(rest, _copy(target)) if asserting(rest) else {**_copy(target), **rest}


def join_all(node: dict[str, Any], _keyword: str, whole: Schema) -> dict[str, Any] | None:
    """Return the node with all branches of its `allOf` joined into it; None where they cannot be said as one."""
    if _reads_branches(node):
        return None
    made: dict[str, Any] | None = {word: value for word, value in node.items() if word != "allOf"}
    held = {word: made.pop(word) for word in list(made) if word in STRUCTURE} if made else {}
    for branch in node["allOf"]:
        part = _followed(branch, whole)
        made = merged(made, _copy(part)) if made is not None and part is not None else None
    return {**held, **made} if made is not None else None


def one_of_as_any_of(node: dict[str, Any], _keyword: str, whole: Schema) -> dict[str, Any] | None:
    """Return the node with `anyOf` for `oneOf`, where no value can follow two of the branches."""
    if "anyOf" in node or not all_disjoint(node["oneOf"], whole.references):
        return None
    return {("anyOf" if word == "oneOf" else word): value for word, value in node.items()}


def spread(node: dict[str, Any], keyword: str, whole: Schema) -> dict[str, Any] | None:
    """Return the node with what stands beside `anyOf` or `oneOf` written into every branch."""
    branches = node.get(keyword)
    if not isinstance(branches, list) or not 0 < len(branches) <= _MAX_BRANCHES or _reads_branches(node):
        return None
    outside = {word: value for word, value in node.items() if word in ANNOTATIONS or word in STRUCTURE}
    beside = {word: value for word, value in node.items() if word not in outside and word != keyword}
    if len(branches) * len(json.dumps(beside)) > _MAX_CHARS:
        return None
    made = []
    for branch in branches:
        part = _followed(branch, whole)
        together = merged(_copy(beside), _copy(part)) if part is not None else None
        if together is None:
            return None
        made.append(together)
    return {**outside, keyword: made}


def _reads_branches(node: dict[str, Any]) -> bool:
    return any(word in node for word in ("unevaluatedProperties", "unevaluatedItems"))


def _followed(branch: Any, whole: Schema) -> Any:
    """Return a branch with its reference written out; None where that cannot be."""
    for _ in range(_FURTHEST):
        if not isinstance(branch, dict) or "$ref" not in branch:
            return branch
        branch = write_out(branch, "$ref", whole)
    return None


def _named(node: dict[str, Any], whole: Schema) -> dict[str, Any] | None:
    reference = whole.references.find(node["$ref"])
    usable = reference.found and reference.path and isinstance(reference.target, dict)
    if not usable or whole.references.is_circular(reference) or reference.kind == "$ref:id":
        return None
    target: dict[str, Any] = reference.target
    if any(word in target for word in ("$id", "id", "$schema")) or len(json.dumps(target)) > _MAX_CHARS:
        return None
    return target


def _copy(value: Any) -> Any:
    return json.loads(json.dumps(value))
