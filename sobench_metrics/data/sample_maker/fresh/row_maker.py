"""Make one proven row: the picture's answer follows its schema, scores everything, and is labelled leaf by leaf."""

from __future__ import annotations

import json
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any

from sobench_metrics import sobench
from sobench_metrics.data.oracle import sobench_answer
from sobench_metrics.data.sample_maker.fresh.documents import drawn_document
from sobench_metrics.data.sample_maker.stored import stored_row

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Made", "faults", "made_row", "name_of"]

_TRIES = 40
_QUALITIES = (70, 80, 85, 90, 95)
_LABELS = ("exact", "fuzzy", "ignore")


@dataclass(frozen=True, slots=True)
class Made:
    """A row without `prep_id`, which draw of its number it is, and how many earlier ones were dropped."""

    row: dict[str, Any]
    attempt: int
    dropped: int


def name_of(domain: str, number: int) -> str:
    """Return a row's doc id; ids of one domain sort as their numbers do."""
    return f"generated_{domain}_{number:09d}"


def made_row(seed: int, domain: str, number: int, first: int = 0) -> Made:
    """Return a row, of the draws from `first` on the earliest that is sound; it depends on these values alone.

    Raises RuntimeError when none of many draws is.
    """
    for attempt in range(first, first + _TRIES):
        rng = Random(f"fresh/{seed}/{domain}/{number}/{attempt}")  # noqa: S311 - data, no secret
        try:
            kind, drawn = drawn_document(domain, rng)
        except ValueError:  # a text or a page found no room
            continue
        row = stored_row(name_of(domain, number), domain, kind, drawn, rng.choice(_QUALITIES))
        if not faults(row):
            return Made(row, attempt, attempt - first)
    raise RuntimeError(f"no sound document {number} of {domain} in {_TRIES} draws from {first} on")


def faults(row: Mapping[str, Any]) -> list[str]:
    """Return what is wrong with a row: the target as answer must follow the schema and reach every point."""
    target, labels = json.loads(row["target_json"]), json.loads(row["evaluation_labels_json"])
    found = [] if _alike(target, labels) else ["the labels have not the target's shape"]
    score = sobench.score(
        sobench_answer(row), target=row["target_json"], schema=row["schema_json"], labels=row["evaluation_labels_json"]
    )
    if not score.followed_schema:
        found.append("the target does not follow the schema")
    if score.official is None or not score.official.total:
        found.append("there is nothing to compare")
    elif score.official.matched != score.official.total or score.strict.matched != score.strict.total:
        found.append("the target does not reach every point")
    return found if score.full_match else [*found, "the target is no full match"]


def _alike(target: Any, labels: Any) -> bool:
    if isinstance(target, dict):
        return (
            isinstance(labels, dict)
            and target.keys() == labels.keys()
            and all(_alike(part, labels[name]) for name, part in target.items())
        )
    if isinstance(target, list):
        return isinstance(labels, list) and len(target) == len(labels) and all(map(_alike, target, labels))
    return labels in _LABELS
