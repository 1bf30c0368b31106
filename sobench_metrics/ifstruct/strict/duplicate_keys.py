"""Keys that stand more than once in one object: JSON and YAML readers keep one of the values without a word."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from sobench_metrics.findings import Finding
from sobench_metrics.ifstruct.strict.yaml_nodes import mappings
from sobench_metrics.ifstruct.walk import path_of
from sobench_metrics.response import bracket_depth

if TYPE_CHECKING:
    from collections.abc import Iterator

    import yaml

    from sobench_metrics.ifstruct.strict.answer import Answer
    from sobench_metrics.ifstruct.walk import Place

__all__ = ["MAX_DEPTH", "duplicate_keys"]

MAX_DEPTH: Final = 64
"""Deepest bracket nesting looked at in JSON: the depth up to which the C decoder is safe on a small stack."""


def duplicate_keys(answer: Answer) -> Iterator[Finding]:
    """Yield "strict.duplicate_key" for each key that stands more than once in one object."""
    if answer.root is not None:
        for node, place in mappings(answer.root):
            yield from _repeated((key.value for key, _ in node.value if _is_plain_key(key)), place)
    elif not answer.payload.is_yaml:
        yield from _in_json(answer.payload.text)


class _Members(list[tuple[str, Any]]):
    """The members of a JSON object in order, duplicates kept."""


def _in_json(text: str) -> Iterator[Finding]:
    if text.count("[") + text.count("{") > MAX_DEPTH and bracket_depth(text) > MAX_DEPTH:
        yield Finding("strict.skipped", "", f"duplicate keys not looked for beyond {MAX_DEPTH} levels")
        return
    root = json.loads(text, object_pairs_hook=_Members, parse_int=str, parse_float=str)
    pending: list[tuple[Any, Place]] = [(root, None)]
    while pending:
        value, place = pending.pop()
        if isinstance(value, _Members):
            yield from _repeated((name for name, _ in value), place)
            pending += [(below, (place, name)) for name, below in reversed(value)]
        elif isinstance(value, list):
            pending += [(below, (place, index)) for index, below in reversed(list(enumerate(value)))]


def _is_plain_key(key: yaml.Node) -> bool:
    return key.tag == "tag:yaml.org,2002:str" and isinstance(key.value, str)


def _repeated(names: Iterator[str], place: Place) -> Iterator[Finding]:
    seen: set[str] = set()
    told: set[str] = set()
    for name in names:
        if name in seen and name not in told:
            told.add(name)
            yield Finding("strict.duplicate_key", path_of((place, name)), f"key '{name}' stands more than once")
        seen.add(name)
