"""From sample scores to the numbers of a run (reference rule B5), official and strict."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sobench_metrics.sobench.counts import FieldCounts
    from sobench_metrics.sobench.score import Score

__all__ = ["aggregate"]


def aggregate(scores: Iterable[Score]) -> dict[str, float]:
    """Return the reference's six numbers, their label-free counterparts, and the strict ones.

    Official: field matches are micro averages over valid samples, full matches shares of the valid samples, exact
    match and schema shares of all (rule B5). Strict: micro averages over all samples, invalid ones in; where there is
    no field at all a rate is 1.0 if every sample was answered, else 0.0.
    """
    samples = list(scores)
    official = [sample.official for sample in samples if sample.official]
    exact = [sample.official_exact for sample in samples if sample.official_exact]
    return {
        "num_examples": len(samples),
        "num_invalid_generation": sum(sample.invalid for sample in samples),
        "exact_match": _share(sum(sample.exact_match for sample in samples), len(samples)),
        "followed_schema": _share(sum(sample.followed_schema for sample in samples), len(samples)),
        "relaxed_field_match_accuracy": _field_match(official),
        "relaxed_all_fields_match_accuracy": _full_match(official),
        "exact_relaxed_field_match_accuracy": _field_match(exact),
        "exact_relaxed_all_fields_match_accuracy": _full_match(exact),
        **_strict(samples),
    }


def _share(part: int, whole: int) -> float:
    return part / max(1, whole)


def _field_match(counts: list[FieldCounts]) -> float:
    return _share(sum(count.matched for count in counts), sum(count.total for count in counts))


def _full_match(counts: list[FieldCounts]) -> float:
    return _share(sum(count.matched == count.total for count in counts), len(counts))


def _strict(samples: list[Score]) -> dict[str, float]:
    strict = [sample.strict for sample in samples]
    matched = sum(counts.matched for counts in strict)
    total = sum(counts.total for counts in strict)
    predicted = sum(counts.predicted for counts in strict)
    without_fields = float(bool(strict) and all(counts.answered for counts in strict))
    return {
        "strict_field_recall": matched / total if total else without_fields,
        "strict_field_precision": matched / predicted if predicted else without_fields if not total else 0.0,
        "strict_field_f1": 2 * matched / (total + predicted) if total + predicted else without_fields,
        "strict_full_match": _share(sum(counts.full_match for counts in strict), len(strict)),
    }
