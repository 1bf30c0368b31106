"""From one answer to the numbers and diagnostics that every harness logs: the same names and values in each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sobench_metrics import json_schema
from sobench_metrics.findings import MAX_FINDINGS, Finding, compact
from sobench_metrics.response import looks_truncated, remove_reasoning
from sobench_metrics.sobench.score import LEFT_OUT, SampleError, Score, score

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["LOWER_IS_BETTER", "MEANS", "RATIOS", "SampleFigures", "sample_figures"]

MEANS = ("schema_validity", "strict_full_match", "exact_match", "invalid", "request_failed")
"""Figures that are averaged over all samples."""

RATIOS = (
    "field_match", "full_match", "field_match_exact", "full_match_exact",
    "strict_field_recall", "strict_field_precision", "strict_field_f1",
)  # fmt: skip
"""Figures that are micro averages: sum of numerators over sum of denominators."""

LOWER_IS_BETTER = frozenset({"invalid", "request_failed"})

_LISTED_OUTCOMES = ("match", "ignored")  # fields that need no line in the log


@dataclass(frozen=True, slots=True)
class SampleFigures:
    """One sample: a number for each of MEANS, (numerator, denominator) for each of RATIOS, and what explains them."""

    means: dict[str, float]
    ratios: dict[str, tuple[float, float]]
    diagnostics: dict[str, Any]


def sample_figures(
    doc: Mapping[str, Any], answer: str | None, *, keep_reasoning: bool = False, failure: str = ""
) -> SampleFigures:
    """Return the figures of one answer; None is a missing one, `failure` says why a server gave none.

    A doc without the column of labels is compared without them (reference B1.6).
    A sample that cannot be scored, through its own data or a fault of ours, counts as an invalid answer and says so
    in its codes; nothing is raised.
    """
    findings: list[Finding] = []
    generation: str | None = None
    reasoning: dict[str, Any] = {}
    if failure:
        findings.append(Finding("request.failed", "", failure))
    elif isinstance(answer, str):
        cleaned = remove_reasoning(answer)
        reasoning = {"removed": list(cleaned.removed), "characters": len(answer) - len(cleaned.text)}
        if cleaned.unclosed:
            findings.append(Finding("response.reasoning_unclosed", "", "the answer ends inside its reasoning"))
        generation = answer if keep_reasoning else cleaned.text
    found: Score | None = None
    try:
        found = score(
            generation,
            target=doc["target_json"],
            schema=doc["schema_json"],
            labels=doc.get("evaluation_labels_json", LEFT_OUT),
        )
    except SampleError as error:
        findings.append(Finding("row.unscorable", "", str(error)))
    except Exception as error:  # noqa: BLE001 - a fault of ours must not cost a finished run
        findings.append(Finding("scorer.fault", "", f"{type(error).__name__}: {error}"))
    if found is not None:
        findings.extend(found.errors)
        if found.invalid and generation and looks_truncated(generation):
            findings.append(Finding("response.truncated", "", "the answer stops inside an open JSON value"))
    diagnostics = {
        **compact(findings),
        "fields": _failing_fields(found),
        "reasoning": {"kept": keep_reasoning, **reasoning},
        "slices": _slices(doc),
    }
    return SampleFigures(_means(found, failed=bool(failure)), _ratios(found), diagnostics)


def _means(found: Score | None, *, failed: bool) -> dict[str, float]:
    return {
        "schema_validity": float(bool(found and found.followed_schema)),
        "strict_full_match": float(bool(found and found.strict.full_match)),
        "exact_match": float(bool(found and found.exact_match)),
        "invalid": float(found is None or found.invalid),
        "request_failed": float(failed),
    }


def _ratios(found: Score | None) -> dict[str, tuple[float, float]]:
    official = found.official if found else None
    exact = found.official_exact if found else None
    strict = found.strict if found else None
    matched, total, predicted = (strict.matched, strict.total, strict.predicted) if strict else (0, 1, 0)
    return {
        "field_match": (official.matched, official.total) if official else (0, 0),
        "full_match": (int(bool(found.full_match)), 1) if found and official else (0, 0),
        "field_match_exact": (exact.matched, exact.total) if exact else (0, 0),
        "full_match_exact": (int(bool(found.full_match_exact)), 1) if found and exact else (0, 0),
        "strict_field_recall": (matched, total),
        "strict_field_precision": (matched, predicted),
        "strict_field_f1": (2 * matched, total + predicted),
    }


def _failing_fields(found: Score | None) -> list[dict[str, str]]:
    if found is None:
        return []
    failing = [field for field in found.fields if field.outcome not in _LISTED_OUTCOMES]
    listed = [
        {"path": field.path, "kind": field.kind, "outcome": field.outcome, "reason": field.reason}
        for field in failing[:MAX_FINDINGS]
    ]
    if len(failing) > MAX_FINDINGS:
        more = f"and {len(failing) - MAX_FINDINGS} more"
        listed.append({"path": "", "kind": "", "outcome": "more", "reason": more})
    return listed


def _slices(doc: Mapping[str, Any]) -> dict[str, Any]:
    try:
        shape = {
            "schema_depth": json_schema.depth(doc["schema_json"]),
            "schema_fields": json_schema.field_count(doc["schema_json"]),
        }
    except Exception:  # noqa: BLE001 - a slice key is no reason to lose a score
        shape = {}
    return {"domain": doc["domain"], "source": doc["source"], **shape}
