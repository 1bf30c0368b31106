"""The fields of an item one by one, with their paths: `a`, `a.b` (inside an object), `a[].b` (inside each entry)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sobench_metrics.ifstruct.generate.schema_sampling import Schema

__all__ = ["FieldLine", "field_lines", "item_of"]


@dataclass(frozen=True, slots=True)
class FieldLine:
    """A field with its path; `prefix` is the path of what it stands in, ending in a dot, or empty."""

    prefix: str
    name: str
    schema: Schema

    @property
    def path(self) -> str:
        """Where the field stands."""
        return self.prefix + self.name

    @property
    def optional(self) -> bool:
        """Whether it may be left out."""
        return bool(self.schema.get("x-optional"))

    @property
    def kind(self) -> str:
        """Its JSON type, or `object list` and `string list` for the two kinds of list."""
        kind = str(self.schema["type"])
        return f"{self.schema['items']['type']} list" if kind == "array" else kind

    @property
    def inner(self) -> Schema | None:
        """The record below it: its own, or that of its entries."""
        schema: Schema = self.schema["items"] if self.schema["type"] == "array" else self.schema
        return schema if schema["type"] == "object" else None

    @property
    def inner_prefix(self) -> str:
        """The prefix of what stands in it."""
        return self.path + ("[]." if self.schema["type"] == "array" else ".")


def field_lines(item: Schema, prefix: str = "") -> Iterator[FieldLine]:
    """Yield all fields in order, parents before children."""
    for name, schema in item["properties"].items():
        line = FieldLine(prefix, name, schema)
        yield line
        if line.inner:
            yield from field_lines(line.inner, line.inner_prefix)


def item_of(found: list[tuple[str, Schema]]) -> Schema:
    """Return the item whose fields have these paths and schemas, parents before children (the inverse of the above).

    Raises ValueError for a path whose parent is missing or no container, and for a path that stands twice.
    """
    root: Schema = {"type": "object", "properties": {}, "required": []}
    for path, schema in found:
        *parents, name = path.split(".")
        node = root
        for parent in parents:
            node = node.get("properties", {}).get(parent.removesuffix("[]"))
            if node is None or (node["type"] == "array") != parent.endswith("[]"):
                raise ValueError(f"'{path}' stands in nothing")
            node = node["items"] if node["type"] == "array" else node
        if node["type"] != "object" or name in node["properties"]:
            raise ValueError(f"'{path}' cannot stand there")
        node["properties"][name] = schema
        if not schema.get("x-optional"):
            node["required"].append(name)
    return root
