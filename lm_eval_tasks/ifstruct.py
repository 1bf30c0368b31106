"""What the plain YAML tasks of IFStruct call: rows in, verdicts out."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from lm_eval_tasks import versions
from lm_eval_tasks.answer import FailedGeneration, notes_of
from lm_eval_tasks.sample_log import SampleMetrics
from sobench_metrics import __version__, uncaught
from sobench_metrics.data.ifstruct_rows import load_rows
from sobench_metrics.data.sample import sample_home
from sobench_metrics.errors import UsageError
from sobench_metrics.ifstruct.figures import sample_figures

if TYPE_CHECKING:
    import datasets

__all__ = ["benchmark_dataset", "process_results", "sample_dataset"]

log = logging.getLogger(f"lm_eval.{__name__}")  # the harness shows its own loggers only


def benchmark_dataset(
    *, only_format: str | None = None, version: float | None = None, **_metadata: Any
) -> dict[str, datasets.Dataset]:
    """Return the test split (hub, or the file that SOBENCH_IFSTRUCT names), whole or of one output format."""
    return _dataset("ifstruct", None, only_format, version)


def sample_dataset(
    *, only_format: str | None = None, version: float | None = None, **_metadata: Any
) -> dict[str, datasets.Dataset]:
    """Return the bundled sample rows, whole or of one output format."""
    return _dataset("ifstruct_sample", sample_home() / "ifstruct.jsonl", only_format, version)


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


def _dataset(name: str, source: Any, only_format: str | None, version: float | None) -> dict[str, datasets.Dataset]:
    import datasets

    uncaught.install()
    versions.require_lm_eval()
    found = load_rows(source)
    rows = [row for row in found.rows if only_format in (None, row["output_format"])]
    if not rows:
        raise UsageError(f"none of the {len(found.rows)} rows of {name} asks for {only_format}: choose another task.")
    log.info(
        "ifstruct signature: task=%s:%s|scores=official|reasoning=removed by the scorer|rows=%d/%d|data=%s|sobench=%s",
        name,
        version,
        len(rows),
        len(found.rows),
        found.revision,
        __version__,
    )
    return {"test": datasets.Dataset.from_list(rows)}
