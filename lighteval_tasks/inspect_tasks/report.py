"""What is printed after a run: lighteval's own table has room for a figure named `accuracy` and no other."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from inspect_ai.log import read_eval_log

from lighteval_tasks import figures, settings, signature
from lighteval_tasks.inspect_tasks.scorers import tables_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from inspect_ai.log import EvalLog

    from lighteval_tasks.data import TaskData

__all__ = ["Result", "markdown", "pooled", "result_of"]

_SAMPLING = ("temperature", "top_p", "top_k", "frequency_penalty", "presence_penalty", "seed", "num_choices", "best_of")


@dataclass(frozen=True, slots=True)
class Result:
    """The scores of one task of one model: a table a sample, and what the numbers were made of."""

    model: str
    task: str
    tables: Sequence[Mapping[str, Any]]
    signature: str = ""
    failed: int = 0


def result_of(found: TaskData, written: EvalLog) -> Result:
    """Return what a finished run's log says."""
    reductions = written.reductions or read_eval_log(written.location).reductions or []
    samples = reductions[0].samples if reductions else []
    tables = tables_of(sample.value for sample in samples)
    failed = sum("request.failed" in json.loads(sample.explanation or "{}").get("codes", ()) for sample in samples)
    return Result(written.eval.model, found.task.name, tables, _signature(found, written, len(tables)), failed)


def pooled(results: Iterable[Result]) -> list[Result]:
    """Return one result for each model and prefix (`sobench` of `sobench:ui`) with several tasks, over all samples."""
    groups: dict[tuple[str, str], list[Result]] = {}
    for result in results:
        prefix, colon, _ = result.task.partition(":")
        if colon:
            groups.setdefault((result.model, prefix), []).append(result)
    return [
        Result(model, prefix, [table for member in members for table in member.tables])
        for (model, prefix), members in groups.items()
        if len(members) > 1
    ]


def markdown(results: Sequence[Result]) -> str:
    """Return every figure of the results, of groups over all of their samples, and a signature for each task."""
    lines = ["| Model | Task | Metric | Value | Stderr |", "|---|---|---|---:|---:|"]
    for result in [*results, *pooled(results)]:
        numbers = figures.totals(result.tables)
        for name in numbers:
            if not name.endswith("_stderr"):
                error = numbers[f"{name}_stderr"]
                told = "" if math.isnan(error) else f"{error:.4f}"
                lines.append(f"| {result.model} | {result.task} | {name} | {numbers[name]:.4f} | {told} |")
    lines += ["", *(f"sobench signature: {result.signature}" for result in results)]
    lines += [told for result in results if (told := _failures(result))]
    return "\n".join(lines) + "\n"


def _failures(result: Result) -> str:
    of_all = f"{result.failed} of {len(result.tables)} samples of {result.task}"
    return f"{of_all} have a failed request, see `request.failed` in the log" if result.failed else ""


class InspectAI:
    """The model as `signature.note_model` looks at one, which takes the name of the class for the backend's."""

    def __init__(self, config: Any) -> None:
        chosen = {name: value for name in _SAMPLING if (value := getattr(config, name)) is not None}
        self.config = SimpleNamespace(generation_parameters=SimpleNamespace(model_dump=lambda: chosen))


def _signature(found: TaskData, written: EvalLog, samples: int) -> str:
    if not samples:
        return ""
    config = written.eval.model_generate_config.merge(written.plan.config)
    max_tokens = config.max_tokens or settings.max_tokens() or found.task.generation_size
    signature.note_model(InspectAI(config))
    one = {"task": found.task.name, "data": found.revision, "reasoning": "removed", "max_tokens": str(max_tokens)}
    return signature.of_run([one] * samples)
