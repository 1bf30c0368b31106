"""Read answers from a JSONL file, plain or gzipped: SO-Bench's own layout, rollouts of a trainer, or ids and texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from sobench_metrics.data.plain_words import one_line
from sobench_metrics.errors import UsageError
from sobench_metrics.results.benchmark_rows import Rows, load
from sobench_metrics.results.formats import Format, Item, key_of
from sobench_metrics.results.prediction_line import absent, decoded, sample_of
from sobench_metrics.results.records import RowSource, Run
from sobench_metrics.results.row_columns import benchmark_of
from sobench_metrics.results.task_names import plain_name
from sobench_metrics.results.text_lines import numbered_lines
from sobench_metrics.sobench.figures import LOWER_IS_BETTER

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping
    from pathlib import Path

    from sobench_metrics.results.records import Sample

__all__ = ["PREDICTIONS", "open_runs"]

_RULES: Final = {
    "sobench": {"scores": "official+strict", "reasoning": "removed"},
    "ifstruct": {"scores": "official", "reasoning": "removed by the scorer"},
}
_IS_HARD: Final = "level"  # the column of the hard set, whose strict figures are told too
_REMEDY: Final = "name a JSONL file of predictions"


def open_runs(file: Path, first: Mapping[str, Any], rows: RowSource) -> dict[str, Run]:
    """Return the one task of a file whose first line is `first`; its rows stand in the lines or come from `rows`.

    A line may say its `task` (all lines answer one) and its `model`. Raises UsageError when nothing says whose rows
    were answered, or when they are not there.
    """
    own = benchmark_of(first)
    told = str(first.get("task") or "")
    if rows.file is None and not rows.task:
        if own is None and not told:
            raise UsageError(
                f"{file} holds answers without rows: say with --rows FILE (`score` takes --task, too) what they "
                "answer, or give each line its row's columns or a `task`."
            )
        rows = RowSource() if own else RowSource(task=told)
    planned, revision, benchmark, a_row = None, "", str(own), first
    if rows.task or rows.file:
        loaded = load(rows)
        planned, revision, benchmark = len(loaded.by_id), loaded.revision, loaded.benchmark
        a_row = next(iter(loaded.by_id.values()))
    signature = {
        **_RULES[benchmark],
        **({"scores": "official+strict"} if _IS_HARD in a_row else {}),
        **({"data": revision} if revision else {}),
    }
    run = Run(
        where=file,
        log=file,
        task=rows.task or told or benchmark,
        harness="",
        model=str(first.get("model") or ""),
        signature=signature,
        planned=planned,
        lower_is_better=LOWER_IS_BETTER,
        format="predictions",
        chosen=benchmark,
        rows=rows,
    )
    return {run.task: run}


def _items(run: Run) -> Iterator[Item]:
    return numbered_lines(run.log, remedy=_REMEDY)


def _rows(run: Run) -> Rows | None:
    return load(run.rows) if run.rows.task or run.rows.file else None


def _sample(run: Run, rows: Rows | None, item: Item) -> Sample:
    number, line = item
    try:
        content = decoded(line)
        sample = sample_of(content, number, rows)
    except UsageError as error:
        raise UsageError(f"{run.log}, line {number} {error}.") from error
    _refuse_another(run, content, number, "model", run.model)
    if run.rows.task:
        _refuse_another(run, content, number, "task", run.task)
    if rows is None and benchmark_of(content) != run.chosen:
        raise UsageError(
            f"{run.log}, line {number} is of another benchmark than the first, {run.chosen}: give each its own file."
        )
    return sample


def _refuse_another(run: Run, line: Mapping[str, Any], number: int, name: str, known: str) -> None:
    """Raise UsageError for a line of another model or task: sums over both would be nobody's."""
    told = str(line.get(name) or "")
    if told and plain_name(told) != plain_name(known):
        first = f"the others are of {one_line(known)}" if known else "the first line names none"
        raise UsageError(
            f"{run.log}, line {number} is of the {name} {one_line(told)}, {first}: give each {name} its own file."
        )


def _absent(rows: Rows | None, seen: Container[int]) -> Iterator[Sample]:
    for row_id, row in rows.by_id.items() if rows else ():
        if key_of(row_id) not in seen:
            yield absent(row_id, row)


PREDICTIONS: Final = Format(items=_items, sample=_sample, context=_rows, absent=_absent)
