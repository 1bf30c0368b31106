"""What a taxonomy says about one kind of thing: more fields than any one row uses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["EntityType", "Kind", "PoolField", "Split"]

Kind = Literal["text", "long", "boolean", "integer", "number", "list", "object"]
Split = Literal["train", "eval"]


@dataclass(frozen=True, slots=True)
class PoolField:
    """A field that a schema may take.

    `values` holds the choices of an enum (texts or numbers), `low` and `high` a range (of a value, or of a list's
    length). A list has `children` (a list of objects) or none (a list of texts). A `core` field is always taken.
    """

    name: str
    kind: Kind
    low: float | None = None
    high: float | None = None
    values: tuple[str, ...] | tuple[float, ...] = ()
    remark: str = ""
    core: bool = False
    children: tuple[PoolField, ...] = ()


@dataclass(frozen=True, slots=True)
class EntityType:
    """A kind of thing. `demands` are said about its long texts: they are what makes quoting and escaping hard."""

    name: str
    plural: str
    area: str
    split: Split
    topics: tuple[str, ...]
    sources: tuple[str, ...]
    coherence: str
    fields: tuple[PoolField, ...]
    demands: tuple[str, ...] = ()

    @property
    def escaping(self) -> bool:
        """Whether the type's texts are hard to quote."""
        return bool(self.demands)

    @property
    def entity_type(self) -> str:
        """The name as a row's column has it, with the prefixes by which results are sliced."""
        return f"{self.split}__{'escaping__' if self.escaping else ''}{self.name}"

    @property
    def singular(self) -> str:
        """One of the kind, in the words of its plural: `DNS zone review`."""
        for ending, single in (("ies", "y"), ("ches", "ch"), ("s", "")):
            if self.plural.endswith(ending):
                return self.plural.removesuffix(ending) + single
        return self.plural
