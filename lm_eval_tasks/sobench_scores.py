"""From one answer to the metrics that lm-eval aggregates, and to the diagnostics of its log line."""

from __future__ import annotations

from typing import Any

from lm_eval_tasks.answer import FailedGeneration, notes_of
from lm_eval_tasks.sample_log import SampleMetrics
from sobench_metrics.sobench.figures import sample_figures

__all__ = ["sample_metrics"]


def sample_metrics(doc: dict[str, Any], answer: Any, *, keep_reasoning: bool) -> SampleMetrics:
    """Return all metrics of one answer: numbers, and (numerator, denominator) pairs for micro averages."""
    failure = answer.reason or "no reason given" if isinstance(answer, FailedGeneration) else ""
    figures = sample_figures(
        doc, answer if isinstance(answer, str) else None, keep_reasoning=keep_reasoning, failure=failure
    )
    metrics: dict[str, Any] = {"schema_validity": figures.means["schema_validity"]}
    for name, pair in figures.ratios.items():
        metrics[name] = pair
        metrics[f"{name}_stderr"] = pair  # takes the place of the "N/A" that lm-eval gives custom aggregations
    return SampleMetrics({**metrics, **figures.means}, {**figures.diagnostics, **notes_of(answer)})
