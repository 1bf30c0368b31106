"""Walk a YAML node tree without recursion; what stands behind an alias is looked at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from sobench_metrics.ifstruct.leaves import effective_type

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import yaml

    from sobench_metrics.ifstruct.strict.answer import Answer
    from sobench_metrics.ifstruct.walk import Place

__all__ = ["mappings", "plain_scalars"]

_OF_KEYS: Final = {"type": "string"}


def mappings(root: yaml.Node) -> Iterator[tuple[yaml.Node, Place]]:
    """Yield every mapping with its place, in the order of the text."""
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


def plain_scalars(answer: Answer) -> Iterator[tuple[Any, Place, Any, Mapping[str, Any]]]:
    """Yield every unquoted scalar that the schema speaks about, with its place, the wanted type, and its schema.

    Keys that `properties` names are texts; they come with the place of their value, before the values of the object.
    """
    if answer.root is None:
        return
    start: Any = answer.root
    if answer.payload.wrapper:
        start = start.value[-1][1]  # the last of duplicate keys is the one that counts
    pending: list[tuple[Any, Place, Mapping[str, Any]]] = [(start, answer.place, answer.spec.json_schema)]
    seen: set[tuple[int, int]] = set()
    while pending:
        node, place, schema = pending.pop()
        if (id(node), id(schema)) in seen:
            continue
        seen.add((id(node), id(schema)))
        if node.id == "mapping":
            for key in _named_keys(node, schema):
                yield key, (place, key.value), "string", _OF_KEYS
        if node.id != "scalar":
            children = [(*child, below) for child in _below(node, place) if (below := _schema_of(child[1], schema))]
            pending += reversed(children)
        elif node.style is None and node.value:
            yield node, place, effective_type(schema), schema


def _named_keys(node: Any, schema: Mapping[str, Any]) -> Iterator[Any]:
    named = schema.get("properties") or {}
    for key, _ in node.value:
        if key.id == "scalar" and key.style is None and key.value in named:
            yield key


def _below(node: Any, place: Place) -> Iterator[tuple[Any, Place]]:
    if node.id == "mapping":
        for key, value in node.value:
            yield value, (place, key.value if isinstance(key.value, str) else "?")
    elif node.id == "sequence":
        for index, value in enumerate(node.value):
            yield value, (place, index)


def _schema_of(place: Place, schema: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the schema of an item or a property, None where there is none."""
    if place is None:
        return None
    below = schema.get("items") if isinstance(place[1], int) else (schema.get("properties") or {}).get(place[1])
    return below or None
