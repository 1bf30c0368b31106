"""Count what a generated split holds, against what it should hold."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sobench_metrics.ifstruct.generate import targets

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

__all__ = ["Share", "Tally", "tally_of"]


@dataclass(frozen=True, slots=True)
class Share:
    """How many rows have a property, and in how many of 100 it was aimed at; None where nothing was."""

    rule: str
    value: str
    rows: int
    share: float
    target: float | None


@dataclass(slots=True)
class Tally:
    """Counts of a split. `proven` counts the rows whose fields were read back, by style."""

    rows: int = 0
    counts: Counter[tuple[str, str]] = field(default_factory=Counter)
    replaced: Counter[str] = field(default_factory=Counter)
    entity_types: Counter[str] = field(default_factory=Counter)
    areas: Counter[str] = field(default_factory=Counter)
    worded_by: Counter[str] = field(default_factory=Counter)
    optional: int = 0
    rows_sharing_runs: int = 0
    most_shared: float = 0.0
    nearest: float = 0.0

    def add(self, row: Mapping[str, Any], note: Mapping[str, Any]) -> None:
        """Count one row with its note."""
        self.rows += 1
        self.entity_types[row["entity_type"]] += 1
        self.areas[note["area"]] += 1
        self.counts.update(_properties(row, note))
        self.replaced.update(note["replaced"])
        if note["style"] == "thinking":
            self.worded_by[note["worded_by"]] += 1
        self.optional += '"x-optional"' in row["json_schema"]
        self.rows_sharing_runs += note["shared_runs"] > 0
        self.most_shared = max(self.most_shared, note["shared_runs"])
        self.nearest = max(self.nearest, note["jaccard"])

    def shares(self) -> list[Share]:
        """Return each property with its share and its target, both in percent."""
        return [
            Share(rule, value, found, 100 * found / max(1, self.rows), 100 * aim if aim is not None else None)
            for (rule, value), aim in _aims().items()
            for found in (self.counts[rule, value],)
        ]


def tally_of(rows: Path, notes: Path) -> Tally:
    """Return the counts of a split's files, read line by line."""
    tally = Tally()
    with rows.open(encoding="utf-8") as row_lines, notes.open(encoding="utf-8") as note_lines:
        for row, note in zip(row_lines, note_lines, strict=True):
            tally.add(json.loads(row), json.loads(note))
    return tally


def _properties(row: Mapping[str, Any], note: Mapping[str, Any]) -> list[tuple[str, str]]:
    return [
        ("style", note["style"]),
        ("format", row["output_format"]),
        ("top level", "wrapper" if row["require_wrapper_key"] else "bare"),
        ("texts", "escaping" if "__escaping__" in row["entity_type"] else "plain"),
        ("fence", note["fence"]),
        ("commentary", "forbidden" if row["require_no_commentary"] else "allowed"),
        ("other fields", "forbidden in words" if note["closed"] else "unmentioned"),
        ("count", "range" if row["top_level_count"].startswith("[") else "exact"),
    ]


def _aims() -> dict[tuple[str, str], float]:
    """Return the share that each property should have."""
    styles = _shares(targets.STYLES)
    thinking = styles["chat"] * targets.THINKING_PERCENT / 100
    styles = {**styles, "chat": styles["chat"] - thinking, "thinking": thinking}
    closed = targets.CLOSED_PERCENT / 100
    exact = _shares(_summed())
    named: dict[str, dict[str, float]] = {
        "style": styles,
        "format": _shares(targets.FORMATS),
        "top level": _renamed(_shares(targets.WRAPS), "wrapper", "bare"),
        "texts": _renamed(_shares(targets.ESCAPING), "escaping", "plain"),
        "fence": _shares(targets.FENCES),
        "commentary": _renamed(_shares(targets.SILENT), "forbidden", "allowed"),
        "other fields": {"forbidden in words": closed, "unmentioned": 1 - closed},
        "count": _renamed(exact, "exact", "range"),
    }
    return {(rule, value): share for rule, values in named.items() for value, share in values.items()}


def _summed() -> dict[bool, int]:
    found: dict[bool, int] = {}
    for (low, high), weight in targets.COUNTS.items():
        found[low == high] = found.get(low == high, 0) + weight
    return found


def _shares(weights: Mapping[Any, int]) -> dict[Any, float]:
    total = sum(weights.values())
    return {key: weight / total for key, weight in weights.items()}


def _renamed(shares: Mapping[bool, float], yes: str, no: str) -> dict[str, float]:
    return {yes: shares[True], no: shares[False]}
