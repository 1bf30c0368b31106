"""What a row asks for, as a tree: a node has its schema, right values, and the rules on its content."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from random import Random

__all__ = ["Condition", "Leaf", "Link", "ListOf", "Node", "Record", "Schema", "content_rules", "schema_of", "value_of"]

Schema = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Leaf:
    """A field that holds one value, or a list of plain values; `rules` are content rules without their path."""

    name: str
    schema: Schema
    draw: Callable[[Random], Any]
    rules: tuple[dict[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class Condition:
    """The field `then` stands in a record exactly when the field `when` has the value `equals`."""

    when: str
    equals: Any
    then: str


@dataclass(frozen=True, slots=True)
class Link:
    """A content rule that ties a record's field to a list below it, and how a right value is worked out."""

    rule: dict[str, Any]
    work_out: Callable[[dict[str, Any], Random], Any]


@dataclass(frozen=True, slots=True)
class Record:
    """An object; with `order` its keys must stand so, and the schema lists them in another order."""

    name: str
    children: tuple[Node, ...]
    conditions: tuple[Condition, ...] = ()
    links: tuple[Link, ...] = ()
    order: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ListOf:
    """A list of objects; `rules` (rising, falling, distinct) name the field of an item that they are about."""

    name: str
    item: Record
    low: int
    high: int
    rules: tuple[dict[str, Any], ...] = field(default=())


Node = Leaf | Record | ListOf


def schema_of(node: Node) -> Schema:
    """Return the JSON Schema of a node."""
    if isinstance(node, Leaf):
        return dict(node.schema)
    if isinstance(node, ListOf):
        return {"type": "array", "items": schema_of(node.item), "minItems": node.low, "maxItems": node.high}
    free = {condition.then for condition in node.conditions}
    made: Schema = {
        "type": "object",
        "properties": {child.name: schema_of(child) for child in node.children},
        "required": [child.name for child in node.children if child.name not in free],
    }
    if node.conditions:
        made["allOf"] = [_conditional(condition) for condition in node.conditions]
    return made


def _conditional(condition: Condition) -> Schema:
    given = {"properties": {condition.when: {"const": condition.equals}}, "required": [condition.when]}
    there = {"required": [condition.then]}
    return {"if": given, "then": there, "else": {"not": there}}


def value_of(node: Node, rng: Random) -> Any:
    """Return a value that keeps the schema and every rule."""
    if isinstance(node, Leaf):
        return node.draw(rng)
    if isinstance(node, ListOf):
        return _items(node, rng)
    made = {child.name: value_of(child, rng) for child in node.children}
    for link in node.links:
        made[link.rule["field"]] = link.work_out(made, rng)
    for condition in node.conditions:
        if made[condition.when] != condition.equals:
            del made[condition.then]
    return {name: made[name] for name in node.order if name in made} if node.order else made


def _items(node: ListOf, rng: Random) -> list[Any]:
    number = rng.randint(node.low, node.high)
    made: list[Any] = []
    distinct = [rule["by"] for rule in node.rules if rule["rule"] == "distinct"]
    while len(made) < number:
        item = value_of(node.item, rng)
        if not any(item[name] == other[name] for name in distinct for other in made):
            made.append(item)
    for rule in node.rules:
        if rule["rule"] != "distinct":
            made.sort(key=lambda item: item[rule["by"]], reverse=rule["rule"] == "descending")
    return made


def content_rules(node: Node, path: str) -> Iterator[dict[str, Any]]:
    """Yield the content rules of a node and of all below it, for the row's column."""
    if isinstance(node, Leaf):
        yield from ({"rule": rule["rule"], "path": path, **rule} for rule in node.rules)
    elif isinstance(node, ListOf):
        yield from ({"rule": rule["rule"], "path": path, **rule} for rule in node.rules)
        yield from content_rules(node.item, f"{path}/*")
    else:
        if node.order:
            yield {"rule": "key_order", "path": path, "keys": list(node.order)}
        yield from ({"rule": link.rule["rule"], "path": path, **link.rule} for link in node.links)
        for child in node.children:
            yield from content_rules(child, f"{path}/{_escaped(child.name)}")


def _escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")
