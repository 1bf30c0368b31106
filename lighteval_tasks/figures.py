"""The scores as lighteval metrics: one pass over a sample, exact figures over the corpus, no bootstrap.

Each metric returns a table of one fixed shape for a sample, and a dict of final numbers for the corpus; lighteval
computes its thousand resamples only for metrics that return one number.
"""

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING, Any

from lighteval.metrics.metrics_corpus import CorpusLevelComputation
from lighteval.metrics.metrics_sample import SampleLevelComputation
from lighteval.metrics.utils.metric_utils import CorpusLevelMetric
from lighteval.tasks.requests import SamplingMethod

from lighteval_tasks import data, pooled, settings, signature
from sobench_metrics.ifstruct import figures as ifstruct_figures
from sobench_metrics.ifstruct.hard import figures as hard_figures
from sobench_metrics.moments import Moments
from sobench_metrics.sobench import figures as sobench_figures

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from lighteval.models.model_output import ModelResponse
    from lighteval.tasks.requests import Doc

__all__ = ["FAILED", "hard_table", "ifstruct_table", "metric_of", "sobench_table", "text_table", "totals"]

FAILED = "request failed: "
"""How a backend of ours says in `ModelResponse.reasonings` that a server gave no answer, and why."""

_SLICE = "pass_"
log = logging.getLogger(f"lighteval.{__name__}")


class _Sample(SampleLevelComputation):
    """From one answer to its table; a class, not a function, so that lighteval can name it in its cache key."""

    def __init__(self, benchmark: str) -> None:
        self.benchmark = benchmark

    def compute(self, doc: Doc, model_response: ModelResponse, **_: Any) -> dict[str, Any]:
        """Return the figures and diagnostics of one answer; never raises."""
        row = data.row_behind(doc)
        answer, failure = _answer(model_response), _failure(model_response)
        if self.benchmark == "sobench":
            table = sobench_table(row, answer, failure=failure, keep_reasoning=_keeps_reasoning(model_response))
        else:
            table = text_table(self.benchmark, row, answer, failure=failure)
        return {**table, "sample": signature.of_sample(doc, model_response)}


class _Corpus(CorpusLevelComputation):
    """From the tables of all samples to the numbers of the results file."""

    def compute_corpus(self, items: Sequence[Mapping[str, Any]]) -> dict[str, float]:
        """Return each figure and its standard error under the names that lm-eval gives them."""
        log.info("sobench signature: %s", signature.of_run([item["sample"] for item in items]))
        return totals(items)


def metric_of(benchmark: str) -> CorpusLevelMetric:
    """Return the metric of a benchmark's tasks."""
    return CorpusLevelMetric(
        metric_name=benchmark,
        higher_is_better=True,
        category=SamplingMethod.GENERATIVE,
        sample_level_fn=_Sample(benchmark),
        corpus_level_fn=_Corpus(),
    )


def sobench_table(
    row: Mapping[str, Any], answer: str | None, *, failure: str = "", keep_reasoning: bool = False
) -> dict[str, Any]:
    """Return (numerator, denominator) of every figure of a SO-Bench sample, and what explains them as JSON text."""
    found = sobench_figures.sample_figures(row, answer, failure=failure, keep_reasoning=keep_reasoning)
    figures = {name: [found.means[name], 1.0] for name in sobench_figures.MEANS}
    figures |= {name: [float(part) for part in found.ratios[name]] for name in sobench_figures.RATIOS}
    diagnostics = found.diagnostics if settings.labels_wanted() else _without_values(found.diagnostics)
    return {"figures": figures, "diagnostics": json.dumps(diagnostics)}


def ifstruct_table(row: Mapping[str, Any], answer: str | None, *, failure: str = "") -> dict[str, Any]:
    """Return (numerator, denominator) of `pass` and its slices, and what explains them as JSON text."""
    found = ifstruct_figures.sample_figures(row, answer, failure=failure)
    figures = {"pass": [found.passed, 1.0]}
    for name in ifstruct_figures.SLICES:
        figures[f"pass_{name}"] = [found.passed, 1.0] if found.inside[name] else [0.0, 0.0]
    return {"figures": figures, "diagnostics": json.dumps(found.diagnostics)}


def hard_table(row: Mapping[str, Any], answer: str | None, *, failure: str = "") -> dict[str, Any]:
    """Return (numerator, denominator) of the hard set's figures, and what explains them as JSON text."""
    found = hard_figures.hard_figures(row, answer, failure=failure)
    figures = {name: [0.0, 0.0] if value is None else [value, 1.0] for name, value in found.table().items()}
    return {"figures": figures, "diagnostics": json.dumps(found.diagnostics)}


def text_table(benchmark: str, row: Mapping[str, Any], answer: str | None, *, failure: str = "") -> dict[str, Any]:
    """Return the table of a benchmark that asks without pictures."""
    return (hard_table if benchmark == "ifstruct_hard" else ifstruct_table)(row, answer, failure=failure)


def totals(tables: Iterable[Mapping[str, Any]]) -> dict[str, float]:
    """Return each figure over all samples and its standard error; a slice without samples is left out."""
    pairs: dict[str, list[tuple[float, float]]] = {}
    for table in tables:
        for name, (above, below) in table["figures"].items():
            found = pairs.setdefault(name, [])
            if below or not name.startswith(_SLICE):
                found.append((above, below))
    numbers: dict[str, float] = {}
    for name, found in pairs.items():
        if found or not name.startswith(_SLICE):
            moments = Moments.of(found)
            numbers[name], numbers[f"{name}_stderr"] = pooled.figure(moments), pooled.stderr(moments)
    return numbers


def _answer(response: ModelResponse) -> str | None:
    """The raw text: our own cut of the reasoning is the one that every harness applies."""
    text = response.text
    if isinstance(text, str):  # the vision backend's form, should its repair be switched off
        return text
    return text[0] if text else None


def _failure(response: ModelResponse) -> str:
    notes = [note for note in response.reasonings or () if isinstance(note, str) and note.startswith(FAILED)]
    return notes[0].removeprefix(FAILED) if notes else ""


def _keeps_reasoning(response: ModelResponse) -> bool:
    """`--no-remove-reasoning-tags` leaves no post-processed text."""
    return response.text_post_processed is None


def _without_values(diagnostics: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out the reasons of fields, which quote the expected values: details may be pushed to a hub."""
    fields = [{**field, "reason": ""} for field in diagnostics["fields"]]
    return {**diagnostics, "fields": fields}
