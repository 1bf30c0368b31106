"""Findings beyond the reference: one rule, one function. None of them changes `passed`.

Codes: "strict.duplicate_key", "strict.yaml_retyped", "strict.schema" (keywords that the reference ignores: pattern,
format, lengths, uniqueItems, const, conditions, ...), "strict.skipped" (the payload is beyond the bounds below).
"""

from __future__ import annotations

import json
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from sobench_metrics.findings import Finding, pointer
from sobench_metrics.ifstruct.ignored_keywords import ignored_by_reference
from sobench_metrics.ifstruct.leaves import effective_type
from sobench_metrics.ifstruct.walk import path_of
from sobench_metrics.json_schema.stack import on_fresh_stack

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import yaml

    from sobench_metrics.ifstruct.spec import Spec
    from sobench_metrics.ifstruct.verdict import Payload
    from sobench_metrics.ifstruct.walk import Place

__all__ = ["MAX_PER_RULE", "MAX_STRICT_CHARS", "strict_findings"]

MAX_STRICT_CHARS: Final = 200_000
"""Longest payload looked at; some fifty thousand tokens."""

MAX_STRICT_DEPTH: Final = 64
"""Deepest bracket nesting looked at in JSON: the depth up to which the C decoder is safe on a small stack."""

MAX_PER_RULE: Final = 100
"""Findings of one rule."""

MAX_SECONDS: Final = 2.0
"""For `jsonschema` on one answer; a usual one takes a millisecond."""


def strict_findings(spec: Spec, payload: Payload) -> tuple[Finding, ...]:
    """Return the findings beyond the reference, paths into the answer as written; never raises."""
    try:
        return _strict_findings(spec, payload)
    except RecursionError:  # the caller's stack is nearly used up
        return on_fresh_stack(lambda: _strict_findings(spec, payload))


def _strict_findings(spec: Spec, payload: Payload) -> tuple[Finding, ...]:
    if len(payload.text) > MAX_STRICT_CHARS:
        return (Finding("strict.skipped", "", f"payload of more than {MAX_STRICT_CHARS} characters"),)
    rules = [_ignored_keywords(spec, payload)]
    if payload.is_yaml:
        from sobench_metrics.ifstruct.yaml_loading import compose

        if root := compose(payload.text):
            rules = [_duplicate_yaml_keys(root), _retyped_scalars(spec, payload, root), *rules]
    else:
        rules = [_duplicate_json_keys(payload.text), *rules]
    return tuple(finding for rule in rules for finding in islice(rule, MAX_PER_RULE))


# --- keywords that the reference ignores -----------------------------------------------------------------------------


def _ignored_keywords(spec: Spec, payload: Payload) -> Iterator[Finding]:
    """Yield what `jsonschema` says about the keywords that the walk of rule A8 does not look at."""
    schema = ignored_by_reference(spec.json_schema)
    if not schema:
        return  # the usual case, and jsonschema need not be loaded
    from sobench_metrics import json_schema

    prefix = pointer(payload.wrapper)
    for found in json_schema.errors(payload.data, schema, formats=True, limit=MAX_PER_RULE, time_limit=MAX_SECONDS):
        yield Finding("strict.schema", prefix + found.path, found.message)


# --- duplicate keys --------------------------------------------------------------------------------------------------


class _Members(list[tuple[str, Any]]):
    """The members of a JSON object in order, duplicates kept."""


def _duplicate_json_keys(text: str) -> Iterator[Finding]:
    """Yield each key that stands more than once in one JSON object; the decoder keeps only the last value."""
    if text.count("[") + text.count("{") > MAX_STRICT_DEPTH and _depth(text) > MAX_STRICT_DEPTH:
        yield Finding("strict.skipped", "", f"duplicate keys not looked for beyond {MAX_STRICT_DEPTH} levels")
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


def _depth(text: str) -> int:
    from sobench_metrics.response import bracket_depth

    return bracket_depth(text)


def _repeated(names: Iterator[str], place: Place) -> Iterator[Finding]:
    seen: set[str] = set()
    told: set[str] = set()
    for name in names:
        if name in seen and name not in told:
            told.add(name)
            yield Finding("strict.duplicate_key", path_of((place, name)), f"key '{name}' stands more than once")
        seen.add(name)


def _duplicate_yaml_keys(root: yaml.Node) -> Iterator[Finding]:
    """Yield each key that stands more than once in one YAML mapping; an aliased mapping is looked at once."""
    for node, place in _mappings(root):
        names = (key.value for key, _ in node.value if _is_plain_key(key))
        yield from _repeated(names, place)


def _is_plain_key(key: yaml.Node) -> bool:
    return key.tag == "tag:yaml.org,2002:str" and isinstance(key.value, str)


def _mappings(root: yaml.Node) -> Iterator[tuple[yaml.Node, Place]]:
    pending: list[tuple[Any, Place]] = [(root, None)]
    seen: set[int] = set()
    while pending:
        node, place = pending.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        if node.id == "mapping":
            yield node, place
        pending += reversed(list(_below(node, place)))


def _below(node: Any, place: Place) -> Iterator[tuple[Any, Place]]:
    if node.id == "mapping":
        for key, value in node.value:
            yield value, (place, key.value if isinstance(key.value, str) else "?")
    elif node.id == "sequence":
        for index, value in enumerate(node.value):
            yield value, (place, index)


# --- YAML scalars that silently change type --------------------------------------------------------------------------


def _retyped_scalars(spec: Spec, payload: Payload, root: yaml.Node) -> Iterator[Finding]:
    """Yield each unquoted scalar that YAML 1.1 reads as something else where the schema wants text: 10:00, no, 1.10."""
    start: tuple[Any, Place] = (root, None)
    if payload.wrapper:
        start = (root.value[-1][1], (None, payload.wrapper[0]))  # the last of duplicate keys is the one that counts
    pending: list[tuple[Any, Place, Mapping[str, Any]]] = [(*start, spec.json_schema)]
    seen: set[tuple[int, int]] = set()
    while pending:
        node, place, schema = pending.pop()
        if (id(node), id(schema)) in seen:
            continue
        seen.add((id(node), id(schema)))
        if node.id == "scalar":
            yield from _retyped(node, place, schema)
        else:
            pending += reversed(
                [(*child, below) for child in _below(node, place) if (below := _schema_of(child, schema))]
            )


def _schema_of(child: tuple[Any, Place], schema: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the schema of an item or a property, None where there is none."""
    place = child[1]
    if place is None:
        return None
    below = schema.get("items") if isinstance(place[1], int) else (schema.get("properties") or {}).get(place[1])
    return below or None


def _retyped(node: Any, place: Place, schema: Mapping[str, Any]) -> Iterator[Finding]:
    if effective_type(schema) != "string" or node.style is not None or not node.value:
        return
    read_as = node.tag.removeprefix("tag:yaml.org,2002:")
    if read_as == "str" or (read_as == "null" and "null" in schema["type"]):
        return
    message = f"`{node.value:.60}` without quotes is read as {read_as}, the schema wants text"
    yield Finding("strict.yaml_retyped", path_of(place), message)
