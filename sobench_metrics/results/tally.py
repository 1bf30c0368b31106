"""What many scored samples come to: whole sums, equal in any order and however the samples were dealt out."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from sobench_metrics.moments import Moments
from sobench_metrics.results.rescoring import SKIPPED

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sobench_metrics.results.records import Sample

__all__ = ["Tally", "reference_keys"]

_UNSCORABLE: Final = ("row.unscorable", "scorer.fault")
_LABELS: Final = "evaluation_labels_json"


@dataclass(frozen=True, slots=True)
class Tally:
    """Sums over samples: of every figure, and how many samples there were of what kind.

    `missing` have no answer, `failed` none because the request failed, `skipped` were not asked and stand in no other
    figure; `faulty` have a row or meet a scorer that cannot score them, `label_free` are SO-Bench rows without labels.
    A figure that no sample has is not among `figures`.
    """

    samples: int = 0
    missing: int = 0
    failed: int = 0
    skipped: int = 0
    faulty: int = 0
    label_free: int = 0
    figures: Mapping[str, Moments] = field(default_factory=dict)

    @classmethod
    def of(cls, samples: Iterable[Sample]) -> Tally:
        """Return the tally of scored samples; all their figures are whole numbers."""
        listed = list(samples)
        columns: dict[str, list[tuple[int, int]]] = {}
        for sample in listed:
            for name, value in sample.means.items():
                columns.setdefault(name, []).append((int(value), 1))
            for name, (top, bottom) in sample.ratios.items():
                columns.setdefault(name, []).append((int(top), int(bottom)))
        skipped = sum(sample.generation.state == SKIPPED for sample in listed)
        failed = sum(bool(sample.failure) for sample in listed)
        return cls(
            samples=len(listed),
            missing=sum(sample.answer is None and not sample.failure for sample in listed),
            failed=failed,
            skipped=skipped,
            faulty=sum(any(code in sample.codes for code in _UNSCORABLE) for sample in listed),
            label_free=sum("target_json" in sample.row and _LABELS not in sample.row for sample in listed),
            figures={name: Moments.of(pairs) for name, pairs in columns.items()},
        )

    def __add__(self, other: Tally) -> Tally:
        figures = dict(self.figures)
        for name, moments in other.figures.items():
            figures[name] = figures[name] + moments if name in figures else moments
        return Tally(
            self.samples + other.samples,
            self.missing + other.missing,
            self.failed + other.failed,
            self.skipped + other.skipped,
            self.faulty + other.faulty,
            self.label_free + other.label_free,
            figures,
        )


def reference_keys(tally: Tally) -> dict[str, float]:
    """Return the six numbers of the SO-Bench reference (rule B5) under its own names; {} for other samples."""
    if "field_match" not in tally.figures:
        return {}
    figures = tally.figures
    return {
        "num_examples": figures["invalid"].n,
        "num_invalid_generation": int(figures["invalid"].a),
        "exact_match": figures["exact_match"].value,
        "followed_schema": figures["schema_validity"].value,
        "relaxed_field_match_accuracy": figures["field_match"].value,
        "relaxed_all_fields_match_accuracy": figures["full_match"].value,
    }
