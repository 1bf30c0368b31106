"""The figures of a view in every slice: the groups of one dimension sum to all of its answers, or all of its fields."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from sobench_metrics.report.figures import Figure, Measured, of_ratios, sliced
from sobench_metrics.report.slices import ordered

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sobench_metrics.report.model import Answer, Asked, View

__all__ = ["FIELDS", "Dimension", "Group", "alike", "dimensions"]

FIELDS: Final = Figure("strict_field_recall", "strict")
"""The figure of dimensions that group fields, not samples."""

_OF_FIELDS: Final = ("label", "kind of value")
_MOST_GROUPS: Final = 40  # of one dimension; the smaller ones beyond it stand as one


@dataclass(frozen=True, slots=True)
class Group:
    """One group: its name, how many samples (or fields) were asked in it, and the figures of each column there."""

    name: str
    asked: int
    columns: Mapping[str, Sequence[Measured]]


@dataclass(frozen=True, slots=True)
class Dimension:
    """One way to slice; `of_fields` says that it groups the fields of the targets, not samples."""

    name: str
    groups: Sequence[Group]
    of_fields: bool = False


def dimensions(view: View, letters: Sequence[str], figures: Sequence[Figure]) -> list[Dimension]:
    """Return all dimensions in which the samples of a view differ, with the figures of every column."""
    names = dict.fromkeys(name for asked in view.samples for name in asked.slices)
    found = [_of_samples(view, letters, figures, name) for name in names]
    if view.kind == "sobench":
        found += [_of_fields(view, letters, name) for name in _OF_FIELDS]
    return [dimension for dimension in found if len(dimension.groups) > 1]


def alike(view: View) -> list[tuple[str, str]]:
    """Return the dimensions in which all samples of a view stand in one group, with that group."""
    groups: dict[str, set[str]] = {}
    for asked in view.samples:
        for name, group in asked.slices.items():
            groups.setdefault(name, set()).add(group)
    return [(name, next(iter(found))) for name, found in groups.items() if len(found) == 1]


def _of_samples(view: View, letters: Sequence[str], figures: Sequence[Figure], name: str) -> Dimension:
    members: dict[str, list[Asked]] = {}
    for asked in view.samples:
        members.setdefault(asked.slices.get(name, "not told"), []).append(asked)
    groups = []
    for group, found in _largest(members):
        columns = {letter: [sliced(_answered(found, letter), figure) for figure in figures] for letter in letters}
        groups.append(Group(group, len(found), columns))
    return Dimension(name, groups)


def _largest(members: Mapping[str, list[Asked]]) -> list[tuple[str, list[Asked]]]:
    """Return the groups in order; of too many the largest, and all others as one, so that none is lost."""
    if len(members) <= _MOST_GROUPS:
        return [(name, members[name]) for name in ordered(set(members))]
    by_size = sorted(members, key=lambda name: -len(members[name]))
    kept, others = by_size[: _MOST_GROUPS - 1], by_size[_MOST_GROUPS - 1 :]
    together = [asked for name in others for asked in members[name]]
    return [*((name, members[name]) for name in ordered(set(kept))), (f"{len(others):,} further groups", together)]


def _of_fields(view: View, letters: Sequence[str], name: str) -> Dimension:
    answered = {letter: _answered(view.samples, letter) for letter in letters}
    names = {
        group for pairs in answered.values() for _, answer in pairs for (kind, group) in answer.fields if kind == name
    }
    groups = []
    for group in sorted(names):
        columns = {}
        for letter, pairs in answered.items():
            column = [answer.fields.get((name, group), (0, 0)) for _, answer in pairs]
            columns[letter] = [of_ratios(FIELDS, column, [asked.cluster or asked.doc_id for asked, _ in pairs])]
        most = max((round(found[0].bottom) for found in columns.values()), default=0)
        groups.append(Group(group, most, columns))
    return Dimension(name, groups, of_fields=True)


def _answered(samples: Sequence[Asked], letter: str) -> list[tuple[Asked, Answer]]:
    return [(asked, asked.answers[letter]) for asked in samples if letter in asked.answers]
