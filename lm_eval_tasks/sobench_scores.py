"""From one answer to the metrics that lm-eval aggregates, and to the diagnostics of its log line."""

from __future__ import annotations

from typing import Any

from lm_eval_tasks.chat_server import FailedGeneration
from lm_eval_tasks.sample_log import MAX_FINDINGS, SampleMetrics, compact
from sobench_metrics import json_schema, sobench
from sobench_metrics.findings import Finding
from sobench_metrics.response import looks_truncated, remove_reasoning

__all__ = ["sample_metrics"]

_LISTED_OUTCOMES = ("match", "ignored")  # fields that need no line in the log


def sample_metrics(doc: dict[str, Any], answer: Any, *, keep_reasoning: bool) -> SampleMetrics:
    """Return all metrics of one answer: numbers, and (numerator, denominator) pairs for micro averages.

    A sample that cannot be scored, through its own data or a fault of ours, counts as an invalid answer and says so
    in its codes; nothing is raised.
    """
    findings: list[Finding] = []
    generation: str | None = None
    reasoning: dict[str, Any] = {}
    if isinstance(answer, FailedGeneration):
        findings.append(Finding("request.failed", "", answer.reason))
    elif isinstance(answer, str):
        cleaned = remove_reasoning(answer)
        reasoning = {"removed": list(cleaned.removed), "characters": len(answer) - len(cleaned.text)}
        if cleaned.unclosed:
            findings.append(Finding("response.reasoning_unclosed", "", "the answer ends inside its reasoning"))
        generation = answer if keep_reasoning else cleaned.text
    score: sobench.Score | None = None
    try:
        score = sobench.score(
            generation, target=doc["target_json"], schema=doc["schema_json"], labels=doc["evaluation_labels_json"]
        )
    except sobench.SampleError as error:
        findings.append(Finding("row.unscorable", "", str(error)))
    except Exception as error:  # noqa: BLE001 - a fault of ours must not cost a finished run
        findings.append(Finding("scorer.fault", "", f"{type(error).__name__}: {error}"))
    if score is not None:
        findings.extend(score.errors)
        if score.invalid and generation and looks_truncated(generation):
            findings.append(Finding("response.truncated", "", "the answer stops inside an open JSON value"))
    diagnostics = {
        **compact(findings),
        "fields": _failing_fields(score),
        "reasoning": {"kept": keep_reasoning, **reasoning},
        "slices": _slices(doc),
    }
    return SampleMetrics(_metrics(score, failed=isinstance(answer, FailedGeneration)), diagnostics)


def _metrics(score: sobench.Score | None, *, failed: bool) -> dict[str, Any]:
    official = score.official if score else None
    exact = score.official_exact if score else None
    field_match = (official.matched, official.total) if official else (0, 0)
    field_match_exact = (exact.matched, exact.total) if exact else (0, 0)
    full_match = (int(bool(score.full_match)), 1) if score and official else (0, 0)
    full_match_exact = (int(bool(score.full_match_exact)), 1) if score and exact else (0, 0)
    strict = score.strict if score else None
    matched, total, predicted = (strict.matched, strict.total, strict.predicted) if strict else (0, 1, 0)
    pairs = {
        "field_match": field_match,
        "full_match": full_match,
        "field_match_exact": field_match_exact,
        "full_match_exact": full_match_exact,
        "strict_field_recall": (matched, total),
        "strict_field_precision": (matched, predicted),
        "strict_field_f1": (2 * matched, total + predicted),
    }
    metrics: dict[str, Any] = {"schema_validity": float(bool(score and score.followed_schema))}
    for name, pair in pairs.items():
        metrics[name] = pair
        metrics[f"{name}_stderr"] = pair  # takes the place of the "N/A" that lm-eval gives custom aggregations
    return {
        **metrics,
        "strict_full_match": float(bool(strict and strict.full_match)),
        "exact_match": float(bool(score and score.exact_match)),
        "invalid": float(score is None or score.invalid),
        "request_failed": float(failed),
    }


def _failing_fields(score: sobench.Score | None) -> list[dict[str, str]]:
    if score is None:
        return []
    failing = [field for field in score.fields if field.outcome not in _LISTED_OUTCOMES]
    listed = [
        {"path": field.path, "kind": field.kind, "outcome": field.outcome, "reason": field.reason}
        for field in failing[:MAX_FINDINGS]
    ]
    if len(failing) > MAX_FINDINGS:
        more = f"and {len(failing) - MAX_FINDINGS} more"
        listed.append({"path": "", "kind": "", "outcome": "more", "reason": more})
    return listed


def _slices(doc: dict[str, Any]) -> dict[str, Any]:
    try:
        shape = {
            "schema_depth": json_schema.depth(doc["schema_json"]),
            "schema_fields": json_schema.field_count(doc["schema_json"]),
        }
    except Exception:  # noqa: BLE001 - a slice key is no reason to lose a score
        shape = {}
    return {"domain": doc["domain"], "source": doc["source"], **shape}
