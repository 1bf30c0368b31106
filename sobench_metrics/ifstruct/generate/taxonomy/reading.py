"""Read the taxonomy files.

One type begins with `## name | plural | split`; lines `topics:`, `sources:`, `coherence:` and (for texts under escaping
stress) `demands:` follow, parts of a list parted by `; `. Then one field a line, nested ones indented by four blanks:
`* name: kind -- remark`, where `*` marks a core field and the kind is one of
`text`, `long`, `boolean`, `integer 1..9`, `number 0.5..9`, `integer of 1, 2`, `enum a, b`, `list 2..6`,
`list 1..4 of text`, `object`.
"""

from __future__ import annotations

import json
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from sobench_metrics.ifstruct.generate.entity import EntityType, PoolField

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["entity_types", "read_area"]

_INDENT = 4


@lru_cache(maxsize=1)
def entity_types() -> tuple[EntityType, ...]:
    """Return all kinds of thing, areas and types in a fixed order."""
    found = sorted(
        (file for file in files(__package__).iterdir() if file.name.endswith(".txt")), key=lambda file: file.name
    )
    return tuple(
        entity
        for file in found
        for entity in read_area(file.name.removesuffix(".txt"), file.read_text(encoding="utf-8"))
    )


def read_area(area: str, text: str) -> Iterator[EntityType]:
    """Yield the types of one file; raises ValueError naming area and line for a line that cannot be read."""
    for block in text.split("## ")[1:]:
        head, *lines = [line for line in block.split("\n") if line.strip()]
        try:
            yield _entity(area, head, lines)
        except (ValueError, KeyError, IndexError) as error:
            raise ValueError(f"cannot read '{head}' of the taxonomy {area}: {error}") from error


def _entity(area: str, head: str, lines: list[str]) -> EntityType:
    name, plural, split = (part.strip() for part in head.split("|"))
    said: dict[str, str] = {}
    while lines[0].partition(":")[0] in ("topics", "sources", "coherence", "demands"):
        key, _, rest = lines.pop(0).partition(":")
        said[key] = rest.strip()
    if split not in ("train", "eval"):
        raise ValueError(f"'{split}' is no split")
    return EntityType(
        name=name,
        plural=plural,
        area=area,
        split="train" if split == "train" else "eval",
        topics=tuple(said["topics"].split("; ")),
        sources=tuple(said["sources"].split("; ")),
        coherence=said["coherence"],
        fields=_fields(lines, 0),
        demands=tuple(said["demands"].split("; ")) if "demands" in said else (),
    )


def _fields(lines: list[str], indent: int) -> tuple[PoolField, ...]:
    """Take the fields at one indentation from the front of the lines, each with those below it."""
    found = []
    while lines and len(lines[0]) - len(lines[0].lstrip()) == indent:
        line = lines.pop(0).strip()
        children = _fields(lines, indent + _INDENT)
        found.append(_field(line, children))
    if lines and len(lines[0]) - len(lines[0].lstrip()) > indent:
        raise ValueError(f"the line '{lines[0].strip()}' is indented beyond its neighbours")
    return tuple(found)


def _field(line: str, children: tuple[PoolField, ...]) -> PoolField:
    name, _, rest = line.removeprefix("* ").partition(": ")
    spec, _, remark = rest.partition(" -- ")
    made: dict[str, Any] = {"name": name, "core": line.startswith("* "), "remark": remark.strip(), "children": children}
    word, _, limits = spec.strip().partition(" ")
    if word == "enum":
        return PoolField(kind="text", values=tuple(limits.split(", ")), **made)
    if word in ("integer", "number") and limits.startswith("of "):
        return PoolField(
            kind="integer" if word == "integer" else "number",
            values=tuple(json.loads(value) for value in limits.removeprefix("of ").split(", ")),
            **made,
        )
    return PoolField(**made, **_plain(word, limits, has_children=bool(children)))


def _plain(word: str, limits: str, *, has_children: bool) -> dict[str, Any]:
    if word in ("text", "long", "boolean", "object"):
        if limits or has_children != (word == "object"):
            raise ValueError(f"'{word} {limits}' with{'' if has_children else 'out'} fields below it")
        return {"kind": word}
    if word not in ("integer", "number", "list"):
        raise ValueError(f"'{word}' is no kind")
    limits, _, of = limits.partition(" of ")
    if word == "list" and bool(of) == has_children:
        raise ValueError("a list has fields below it, or says `of text`")
    low, _, high = limits.partition("..")
    return {"kind": word, "low": json.loads(low), "high": json.loads(high)}
