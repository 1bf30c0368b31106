"""Four ways to put the fields before a reader: the bare schema, an outline, a list of paths, a table."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from sobench_metrics.ifstruct.hard.wording import condition_words, constraint_words, path_words, type_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sobench_metrics.ifstruct.hard.nodes import Schema

__all__ = ["STYLES", "conditions", "presented"]

_Row = tuple[list[str], "Schema", bool]


def _raw_schema(schema: Schema) -> str:
    text = json.dumps(schema, indent=2, ensure_ascii=False)
    return f"The list must be valid against this JSON Schema; formats and conditions are checked:\n{text}"


def _outline(schema: Schema) -> str:
    lines = ["Fields of each item, indented below what they are part of:"]
    for path, field, optional in _fields(schema):
        depth = sum(part != "[]" for part in path) - 1
        lines.append(f"{'  ' * depth}- {path_words(path[-1])}: {_described(field, optional=optional)}")
    return "\n".join(lines)


def _paths(schema: Schema) -> str:
    lines = ["Fields by path (`[]` stands for each item of a list):"]
    for path, field, optional in _fields(schema):
        lines.append(f"{path_words('[]', *path)} = {_described(field, optional=optional)}")
    return "\n".join(lines)


def _table(schema: Schema) -> str:
    lines = ["| path (`[]` = each item) | type | limits |", "| --- | --- | --- |"]
    for path, field, optional in _fields(schema):
        cells = (path_words("[]", *path), type_words(field), _limits(field, optional=optional))
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "Fields (a vertical bar inside a cell is written \\|):\n" + "\n".join(lines)


STYLES: Final[dict[str, Callable[[Schema], str]]] = {
    "raw_schema": _raw_schema,
    "outline": _outline,
    "paths": _paths,
    "table": _table,
}


def presented(style: str, schema: Schema) -> str:
    """Return the block of fields; `schema` is that of the list, wrapper left away."""
    return STYLES[style](schema)


def conditions(schema: Schema) -> list[str]:
    """Return the conditions of all records in words, with their paths."""
    found = [condition_words(each, ["[]"]) for each in schema["items"].get("allOf", ())]
    for path, field, _ in _fields(schema):
        record = field.get("items", field)
        inside = ["[]", *path, *(["[]"] if "items" in field else [])]
        found += [condition_words(each, inside) for each in record.get("allOf", ())]
    return found


def _described(field: Schema, *, optional: bool) -> str:
    limits = _limits(field, optional=optional)
    return f"{type_words(field)}; {limits}" if limits else type_words(field)


def _limits(field: Schema, *, optional: bool) -> str:
    words = [constraint_words(field), "only there under a condition, see below" if optional else ""]
    return "; ".join(filter(None, words))


def _fields(schema: Schema) -> Iterator[_Row]:
    """Yield path (below an item), schema, and whether it may be missing, of every field, parents first."""
    pending: list[_Row] = [([], schema["items"], False)]
    while pending:
        path, node, optional = pending.pop()
        if path:
            yield [part for part in path if part != "[]" or path[-1] != "[]"], node, optional
        record = node.get("items", node) if path else node
        inside = [*path, "[]"] if path and "items" in node else path
        pending += [
            ([*inside, name], below, name not in record["required"])
            for name, below in reversed(list(record.get("properties", {}).items()))
        ]
