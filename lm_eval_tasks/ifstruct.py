"""From one answer to the metrics of IFStruct that lm-eval aggregates, and to the diagnostics of its log line."""

from __future__ import annotations

from typing import Any

from lm_eval_tasks.answer import FailedGeneration, notes_of
from lm_eval_tasks.sample_log import SampleMetrics
from sobench_metrics.ifstruct.figures import sample_figures

__all__ = ["process_results"]


def process_results(doc: dict[str, Any], results: list[Any]) -> SampleMetrics:
    """Return `pass` and its slices (None outside a slice); never raises."""
    answer = results[0] if results else None
    failure = answer.reason or "no reason given" if isinstance(answer, FailedGeneration) else ""
    figures = sample_figures(doc, None if failure else answer, failure=failure)
    metrics: dict[str, Any] = {"pass": figures.passed}
    for name, is_in in figures.inside.items():
        metrics[f"pass_{name}"] = figures.passed if is_in else None
        metrics[f"pass_{name}_stderr"] = metrics[f"pass_{name}"]
    return SampleMetrics(metrics, {**figures.diagnostics, **notes_of(answer)})
