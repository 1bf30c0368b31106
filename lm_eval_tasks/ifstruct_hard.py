"""The lm-eval task of the hard set: rows made here by version and seed, official and strict figures by level."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lm_eval_tasks.answer import FailedGeneration, notes_of
from lm_eval_tasks.ifstruct_task import IFStructTask
from lm_eval_tasks.sample_log import SampleMetrics
from sobench_metrics.data.hard_rows import load_hard_rows
from sobench_metrics.ifstruct.hard.figures import hard_figures

if TYPE_CHECKING:
    from sobench_metrics.data.ifstruct_rows import RowSet

__all__ = ["IFStructHardTask", "process_results"]


class IFStructHardTask(IFStructTask):
    """The rows of the hard set. `dataset_kwargs`: `sample: true` takes the few rows of the sample task.

    `--metadata '{"hard_seed": 5, "hard_rows": 20}'` asks rows of another seed, or so many of each level; the signature
    tells them apart, since such numbers are those of another set. SOBENCH_IFSTRUCT_HARD names a file of rows to ask.
    """

    def row_set(self, *, sample: bool) -> RowSet:
        """Return the rows that the settings name."""
        return load_hard_rows(sample=sample, settings=self.config.metadata or {})

    def signature(self) -> dict[str, str]:
        """Return the plain task's signature; what is scored is more."""
        return {**super().signature(), "scores": "official+strict"}


def process_results(doc: dict[str, Any], results: list[Any]) -> SampleMetrics:
    """Return `pass`, `pass_strict` and their slices (None outside a slice); never raises."""
    answer = results[0] if results else None
    failure = answer.reason or "no reason given" if isinstance(answer, FailedGeneration) else ""
    figures = hard_figures(doc, None if failure else answer, failure=failure)
    metrics: dict[str, Any] = {}
    for name, value in figures.table().items():
        metrics[name] = value
        if name not in figures.values:
            metrics[f"{name}_stderr"] = value
    return SampleMetrics(metrics, {**figures.diagnostics, **notes_of(answer)})
