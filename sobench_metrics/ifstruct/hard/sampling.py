"""Draw the tree of one item as a level's dials say."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from sobench_metrics.ifstruct.hard.fields.choices import choice_fields
from sobench_metrics.ifstruct.hard.fields.keys import odd_fields, twin_fields
from sobench_metrics.ifstruct.hard.fields.keywords import code_field, keyword_fields, unique_fields
from sobench_metrics.ifstruct.hard.fields.plain import FLAGS, amount, flag, plain_fields
from sobench_metrics.ifstruct.hard.fields.texts import text_fields
from sobench_metrics.ifstruct.hard.nodes import Condition, Leaf, Link, ListOf, Node, Record
from sobench_metrics.ifstruct.hard.subjects import PARTS

if TYPE_CHECKING:
    from random import Random

    from sobench_metrics.ifstruct.hard.levels import Level

__all__ = ["sample_item"]

_KINDS_OF_LINKS: Final = ("total", "count", "reference", "order", "distinct")


def sample_item(level: Level, rng: Random) -> Record:
    """Return the tree of an item; the same level and source of chance give the same tree."""
    names = list(PARTS)
    rng.shuffle(names)
    return _Sampler(level, rng, names).item()


@dataclass(frozen=True, slots=True)
class _Sampler:
    """The dials, the source of chance, and the names that objects and lists have not taken yet."""

    level: Level
    rng: Random
    names: list[str]

    def item(self) -> Record:
        level, rng = self.level, self.rng
        own: list[Node] = [
            *plain_fields(rng, level.plain),
            *choice_fields(rng, level.choices),
            *keyword_fields(rng, level.keywords, level.window),
            *text_fields(rng, level.texts, level.lines, level.window),
            *unique_fields(rng, level.unique),
            *twin_fields(rng, level.twins),
            *odd_fields(rng, level.odd_keys),
        ]
        conditional, conditions = _conditional(level.conditions, rng)
        nested = self.nested(0)
        links = tuple(link for _, some in nested for link in some)
        own += [*conditional, *(node for node, _ in nested), *_fields_of(links)]
        rng.shuffle(own)
        return self.ordered(Record("item", tuple(own), conditions, links), 0)

    def nested(self, depth: int) -> list[tuple[Node, tuple[Link, ...]]]:
        """Return the objects and lists of one depth, each with its links to the record; the first of them goes deeper.

        Lists and objects take turns, downwards too: lists within lists would make answers long rather than hard.
        """
        found: list[tuple[Node, tuple[Link, ...]]] = []
        for turn in range(self.level.nested[depth] if depth < len(self.level.nested) else 0):
            name = self.names.pop()
            below = self.nested(depth + 1) if turn == 0 else []
            links = tuple(link for _, some in below for link in some)
            own: list[Node] = [
                *plain_fields(self.rng, 2),
                *choice_fields(self.rng, 1),
                *keyword_fields(self.rng, 1, self.level.window),
                *(node for node, _ in below),
                *_fields_of(links),
            ]
            if (turn + depth) % 2:
                self.rng.shuffle(own)
                found.append((self.ordered(Record(name, tuple(own), links=links), depth + 1), ()))
            else:
                found.append(self.linked(Record(name, tuple(own), links=links), depth))
        return found

    def linked(self, record: Record, depth: int) -> tuple[ListOf, tuple[Link, ...]]:
        """Return a list of such objects, and the links between it and the record that it will stand in."""
        name, rng = record.name, self.rng
        kinds = rng.sample(_KINDS_OF_LINKS, self.level.links[depth])
        own = list(record.children)
        code, points = f"{name}_code", f"{name}_points"
        if {"reference", "distinct"} & set(kinds):
            own.append(code_field(code))
        if {"total", "order"} & set(kinds):
            own.append(amount(points, 60))
        rng.shuffle(own)
        item = self.ordered(replace(record, children=tuple(own)), depth + 1)
        low = rng.randint(*self.level.list_length)
        rules: list[dict[str, Any]] = []
        if "order" in kinds:
            rules.append({"rule": rng.choice(("ascending", "descending")), "by": points})
        if "distinct" in kinds:
            rules.append({"rule": "distinct", "by": code})
        above = [link for kind in kinds for link in _links_above(kind, name, code, points)]
        return ListOf(name, item, low, rng.randint(low, self.level.list_length[1]), tuple(rules)), tuple(above)

    def ordered(self, record: Record, depth: int) -> Record:
        """Ask for an order of keys at the deepest depths, as many as the level says; never that of the schema."""
        if depth <= len(self.level.nested) - self.level.ordered:
            return record
        names = [child.name for child in record.children]
        order = self.rng.sample(names, len(names))
        return replace(record, order=tuple(order if order != names else order[::-1]))


def _links_above(kind: str, name: str, code: str, points: str) -> list[Link]:
    if kind == "total":
        rule = {"rule": "total", "field": f"all_{points}", "over": f"/{name}/*/{points}"}
        return [Link(rule, lambda made, _: sum(item[points] for item in made[name]))]
    if kind == "count":
        return [Link({"rule": "count", "field": f"{name}_count", "over": f"/{name}"}, lambda made, _: len(made[name]))]
    if kind == "reference":
        rule = {"rule": "reference", "field": f"first_choice_{code}", "among": f"/{name}/*/{code}"}
        return [Link(rule, lambda made, rng: rng.choice(made[name])[code])]
    return []


def _fields_of(links: tuple[Link, ...]) -> list[Leaf]:
    """Return the fields that links fill; what is drawn for them does not stay."""
    return [
        code_field(link.rule["field"]) if link.rule["rule"] == "reference" else amount(link.rule["field"], 999)
        for link in links
    ]


def _conditional(number: int, rng: Random) -> tuple[list[Leaf], tuple[Condition, ...]]:
    fields: list[Leaf] = []
    conditions = []
    for name in rng.sample(FLAGS, number):
        then = code_field(f"{name}_reason_code")
        fields += [flag(f"is_{name}"), then]
        conditions.append(Condition(f"is_{name}", rng.choice((True, False)), then.name))
    return fields, tuple(conditions)
