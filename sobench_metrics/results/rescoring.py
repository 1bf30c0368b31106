"""Score an answer once more from its text, by the scorers and under the names that every harness logs."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from sobench_metrics.errors import UsageError
from sobench_metrics.ifstruct import figures as ifstruct_figures
from sobench_metrics.ifstruct.hard import figures as hard_figures
from sobench_metrics.results.benchmark_rows import load
from sobench_metrics.results.lm_eval_line import passed_of
from sobench_metrics.results.records import CONSTRAINED
from sobench_metrics.results.row_columns import benchmark_of
from sobench_metrics.sobench import figures as sobench_figures

if TYPE_CHECKING:
    from sobench_metrics.results.records import Run, Sample
    from sobench_metrics.results.row_columns import Benchmark

__all__ = ["OURS", "SKIPPED", "benchmark_of_sample", "differing", "rescored"]

SKIPPED: Final = "skipped"
"""The state of a sample that a constrained run did not ask; the figure that counts it has the same name."""

_FREE: Final = "free"
_KEPT: Final = ("generation", "signs")
OURS: Final = (
    *sobench_figures.MEANS,
    *sobench_figures.RATIOS,
    "pass",
    *(f"pass_{name}" for name in ifstruct_figures.SLICES),
    *hard_figures.FIGURES,
    _FREE,
    SKIPPED,
)
"""Every figure that we score, in the order of tables; a log may hold others."""


def benchmark_of_sample(sample: Sample) -> Benchmark | None:
    """Return the benchmark of a sample whose row is at hand, None for one that cannot be scored."""
    return benchmark_of(sample.row)


def rescored(run: Run, sample: Sample) -> Sample:
    """Return the sample with the figures and diagnostics of its text; a skipped one has only the figure that says so.

    Reasoning is kept where the sample's own log, or else the run's signature, says that it was. Raises UsageError for
    a row that is not at hand.
    """
    benchmark = benchmark_of_sample(sample)
    if benchmark is None:
        if run.rows.task or run.rows.file:
            load(run.rows)  # says why they are not
        raise UsageError(
            f"{run.log}: the row of sample {sample.doc_id} is not at hand: name the rows that were asked with --rows."
        )
    state = sample.generation.state
    if state == SKIPPED:
        return replace(sample, means={SKIPPED: 1.0}, ratios={}, passed=None)
    means: dict[str, float]
    ratios: dict[str, tuple[float, float]]
    text = None if sample.failure else sample.answer
    if benchmark == "ifstruct" and "level" in sample.row:
        hard = hard_figures.hard_figures(sample.row, text, failure=sample.failure)
        means = {name: value for name, value in hard.table().items() if value is not None}
        ratios, diagnostics = {}, hard.diagnostics
    elif benchmark == "ifstruct":
        found = ifstruct_figures.sample_figures(sample.row, text, failure=sample.failure)
        inside = {f"pass_{name}": found.passed for name, is_in in found.inside.items() if is_in}
        means, ratios, diagnostics = {"pass": found.passed, **inside}, {}, found.diagnostics
    else:
        scored = sobench_figures.sample_figures(
            sample.row, text, keep_reasoning=_keeps_reasoning(run, sample), failure=sample.failure
        )
        means, ratios, diagnostics = scored.means, scored.ratios, scored.diagnostics
    if state is not None:
        means = {**means, SKIPPED: 0.0, _FREE: float(state != CONSTRAINED)}
    kept = {name: sample.diagnostics[name] for name in _KEPT if name in sample.diagnostics}
    return replace(
        sample,
        means=means,
        ratios=ratios,
        passed=passed_of(means, ratios),
        codes=tuple(diagnostics["codes"]),
        diagnostics={**diagnostics, **kept},
    )


def differing(logged: Sample, scored: Sample) -> tuple[str, ...]:
    """Return the names of the figures of ours that a log tells otherwise than the scorers do, bit for bit."""
    told: dict[str, Any] = {**logged.means, **{name: tuple(pair) for name, pair in logged.ratios.items()}}
    ours: dict[str, Any] = {**scored.means, **scored.ratios}
    return tuple(name for name, value in told.items() if name in OURS and ours.get(name) != value)


def _keeps_reasoning(run: Run, sample: Sample) -> bool:
    told = sample.diagnostics.get("reasoning")
    if isinstance(told, dict) and isinstance(told.get("kept"), bool):
        return bool(told["kept"])
    return run.signature.get("reasoning") == "kept"
