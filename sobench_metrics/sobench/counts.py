"""Counters of compared fields."""

from __future__ import annotations

from dataclasses import dataclass, fields

__all__ = ["FieldCounts", "StrictCounts", "Tally"]


@dataclass(frozen=True, slots=True)
class FieldCounts:
    """Fields compared and matched by the released rules; `matched` is the sum of the four kinds (rule B1.6)."""

    total: int
    matched: int
    lists: int
    dicts: int
    numbers: int
    strings: int


@dataclass(frozen=True, slots=True)
class StrictCounts:
    """Fields of one sample by the strict rules of `comparison`.

    `total` labelled fields of the target, `matched` of them (the sum of the six kinds), `predicted` fields of the
    answer, `extra` of which stand where the target has none. `answered` is False for an invalid or missing answer.
    """

    total: int
    matched: int
    lists: int
    dicts: int
    numbers: int
    strings: int
    booleans: int
    nulls: int
    predicted: int
    extra: int
    answered: bool = True

    @property
    def recall(self) -> float:
        """Share of the target's fields that match; with no field to find 1.0 for an answer, 0.0 for none."""
        return self.matched / self.total if self.total else float(self.answered)

    @property
    def precision(self) -> float:
        """Share of the answer's fields that match; with no field given 1.0 only where none was wanted."""
        return self.matched / self.predicted if self.predicted else float(self.answered and not self.total)

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall."""
        fields_of_both = self.total + self.predicted
        return 2 * self.matched / fields_of_both if fields_of_both else float(self.answered)

    @property
    def full_match(self) -> bool:
        """Whether there is an answer and every labelled field of the target matches; extra fields are no matter."""
        return self.answered and self.matched == self.total

    @property
    def no_extra(self) -> bool:
        """Whether there is an answer and it has no field that the target lacks."""
        return self.answered and not self.extra


@dataclass(slots=True)
class Tally:
    """Counts while a walk is under way."""

    total: int = 0
    lists: int = 0
    dicts: int = 0
    numbers: int = 0
    strings: int = 0
    booleans: int = 0
    nulls: int = 0
    predicted: int = 0
    extra: int = 0

    @property
    def matched(self) -> int:
        """The sum of all kinds."""
        return self.lists + self.dicts + self.numbers + self.strings + self.booleans + self.nulls

    def official(self) -> FieldCounts:
        """Return the counts that the reference keeps."""
        return FieldCounts(self.total, self.matched, self.lists, self.dicts, self.numbers, self.strings)

    def strict(self, *, answered: bool) -> StrictCounts:
        """Return the strict counts."""
        kept = {field.name: getattr(self, field.name) for field in fields(self)}
        return StrictCounts(matched=self.matched, answered=answered, **kept)
