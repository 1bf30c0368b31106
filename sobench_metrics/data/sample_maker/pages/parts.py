"""What a page shows: single values, groups of them, tables and lists, each with its schema, value and labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sobench_metrics.data.sample_maker.drawn import arr, nullable, obj, text

if TYPE_CHECKING:
    from sobench_metrics.data.sample_maker.drawn import Schema

__all__ = ["Bullets", "Group", "Leaf", "Part", "Table", "record"]


@dataclass(frozen=True, slots=True)
class Leaf:
    """One value: what is printed beside which label, and what has to be answered.

    `kind` is `text`, `long`, `choice`, `number` or `flag`. A value of None is printed as a dash.
    """

    name: str
    label: str
    kind: str
    shown: str
    value: Any
    plain: Schema

    @property
    def schema(self) -> Schema:
        """Its schema; what is shown as a dash may be null."""
        return nullable(self.plain) if self.value is None else self.plain

    @property
    def rule(self) -> str:
        """How it is compared: sentences fuzzily."""
        return "fuzzy" if self.kind == "long" else "exact"


@dataclass(frozen=True, slots=True)
class Group:
    """A few values that belong together."""

    name: str
    label: str
    leaves: tuple[Leaf, ...]

    @property
    def schema(self) -> Schema:
        """An object."""
        return obj(**{leaf.name: leaf.schema for leaf in self.leaves})

    @property
    def value(self) -> Any:
        """The object itself."""
        return {leaf.name: leaf.value for leaf in self.leaves}

    @property
    def rule(self) -> Any:
        """The labels of its values."""
        return {leaf.name: leaf.rule for leaf in self.leaves}


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of equal columns; every row has at least one value."""

    name: str
    label: str
    rows: tuple[tuple[Leaf, ...], ...]

    @property
    def schema(self) -> Schema:
        """A list of objects; a column is nullable where any row shows a dash."""
        columns = {}
        for number, leaf in enumerate(self.rows[0]):
            holes = any(row[number].value is None for row in self.rows)
            columns[leaf.name] = nullable(leaf.plain) if holes else leaf.plain
        return arr(obj(**columns), minItems=1)

    @property
    def value(self) -> Any:
        """The rows, from top to bottom."""
        return [{leaf.name: leaf.value for leaf in row} for row in self.rows]

    @property
    def rule(self) -> Any:
        """The labels of all cells."""
        return [{leaf.name: leaf.rule for leaf in row} for row in self.rows]


@dataclass(frozen=True, slots=True)
class Bullets:
    """A list of short texts."""

    name: str
    label: str
    items: tuple[str, ...]

    @property
    def schema(self) -> Schema:
        """A list of texts."""
        return arr(text(), minItems=1)

    @property
    def value(self) -> Any:
        """The texts, from top to bottom."""
        return list(self.items)

    @property
    def rule(self) -> Any:
        """All exact."""
        return ["exact"] * len(self.items)


Part = Leaf | Group | Table | Bullets


def record(parts: tuple[Part, ...]) -> tuple[Schema, dict[str, Any], dict[str, Any]]:
    """Return schema, value and labels of an object that holds the parts."""
    schema = obj(**{part.name: part.schema for part in parts})
    return schema, {part.name: part.value for part in parts}, {part.name: part.rule for part in parts}
