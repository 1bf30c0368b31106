"""`lighteval eval` with our tasks: rows of ours, an inspect log without pictures, and all figures in the table.

lighteval would load a repository, write every picture into the log, stop after 30 seconds, and print dashes.
"""

from __future__ import annotations

import importlib
import logging
import sys
from dataclasses import dataclass, replace
from functools import wraps
from typing import TYPE_CHECKING, Any

from lighteval_tasks import catalog, data, settings
from lighteval_tasks.configs import TaskConfig
from lighteval_tasks.guards import orders, rows
from lighteval_tasks.inspect_tasks import report
from lighteval_tasks.inspect_tasks.samples import TaskRows
from lighteval_tasks.inspect_tasks.scorers import task_scorer
from lighteval_tasks.inspect_tasks.solver import ask, faults
from sobench_metrics.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspect_ai import Task

__all__ = ["install"]

log = logging.getLogger(f"lighteval.{__name__}")

_PATIENCE = 1800
"""Seconds for a sample with all its tries, unless the user names another number."""


@dataclass(frozen=True, slots=True)
class _Rows:
    """Stands where lighteval has a function from a record to a sample, and names rows of ours instead."""

    task: str
    revision: str


_results: list[report.Result] = []  # of the latest run: lighteval hands on nothing but averages


def install() -> None:
    """Stand between `lighteval eval` and inspect for tasks of ours; all others go the way they went before."""
    main_inspect: Any = importlib.import_module("lighteval.main_inspect")  # also names that it imported itself
    main_inspect.get_inspect_ai_task = _with_parts(main_inspect.get_inspect_ai_task)
    main_inspect.hf_dataset = _with_rows(main_inspect.hf_dataset)
    main_inspect.inspect_ai_eval_set = _with_care(main_inspect.inspect_ai_eval_set)
    main_inspect.mean_metrics_by_prefix = _of_others(main_inspect.mean_metrics_by_prefix)
    main_inspect.results_to_markdown_table = _with_ours(main_inspect.results_to_markdown_table)


def _with_parts(original: Callable[..., Task]) -> Callable[..., Task]:
    @wraps(original)
    def get_inspect_ai_task(config: Any, epochs: int = 1, epochs_reducer: str | None = None) -> Task:
        if not isinstance(config, TaskConfig):
            return original(config, epochs=epochs, epochs_reducer=epochs_reducer)
        rows.rows_of(config)  # names the content
        timeout = None if _chosen("--timeout") else _PATIENCE
        longest = config.generation_size or catalog.entry(config.name).generation_size
        parts: dict[str, Any] = {
            "sample_fields": _Rows(config.name, str(config.hf_revision)),
            "solver": [ask(longest, timeout, content=str(config.hf_revision))],
            "scorer": task_scorer(ratios=epochs_reducer in (None, "mean")),
        }
        # not in the table of tasks: functions in it would change lighteval's cache key with every process
        return original(replace(config, **parts), epochs=epochs, epochs_reducer=epochs_reducer)

    return get_inspect_ai_task


def _with_rows(original: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(original)
    def hf_dataset(*args: Any, sample_fields: Any = None, **options: Any) -> Any:
        if isinstance(sample_fields, _Rows):
            return TaskRows(data.loaded(sample_fields.task, sample_fields.revision))
        return original(*args, sample_fields=sample_fields, **options)

    return hf_dataset


def _with_care(original: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(original)
    def eval_set(tasks: list[Task], *args: Any, **options: Any) -> Any:
        ours = {task.name: task.dataset.found for task in tasks if isinstance(task.dataset, TaskRows)}
        _results.clear()
        if not ours:
            return original(tasks, *args, **options)
        rows.refuse_doubles([task for task in tasks if task.name in ours])
        orders.refuse_count(options.get("limit"))
        orders.refuse_folder(options.get("log_dir"), "--log-dir")
        _tell(options)
        if len(ours) == len(tasks):
            options.update(retry_attempts=0, retry_immediate=False)  # what fails here is data, not a model
        if not settings.labels_wanted():
            options["log_images"] = False
        faults.clear()
        try:
            success, logs = original(tasks, *args, **options)
        except BaseException as error:
            if faults and isinstance(error, Exception):  # the repaired command leaves with a status
                raise faults[0] from error
            raise
        if faults and not success:
            raise faults[0]
        if any(log_.status == "cancelled" for log_ in logs):  # which inspect calls a success
            raise KeyboardInterrupt
        if success:
            _results.extend(report.result_of(ours[log_.eval.task], log_) for log_ in logs if log_.eval.task in ours)
            _refuse_nothing(_results, options)
        return success, logs

    return eval_set


def _of_others(original: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(original)
    def mean_metrics_by_prefix(by_model: dict[str, dict[str, Any]], *args: Any, **options: Any) -> Any:
        """Ours are left out: their averages over tasks would not be averages over samples."""
        known = {entry.name for entry in catalog.entries()}
        others = {
            model: {task: metrics for task, metrics in of_model.items() if task not in known}
            for model, of_model in by_model.items()
        }
        return original(others, *args, **options)

    return mean_metrics_by_prefix


def _with_ours(original: Callable[..., str]) -> Callable[..., str]:
    @wraps(original)
    def results_to_markdown_table(by_model: dict[str, Any], *args: Any, **options: Any) -> str:
        tables = [original(by_model, *args, **options)] if any(by_model.values()) or not _results else []
        tables += [report.markdown(_results)] if _results else []
        _results.clear()
        return "\n".join(tables)

    return results_to_markdown_table


def _tell(options: dict[str, Any]) -> None:
    if options.get("system_message"):
        log.warning(
            "--system-message goes before SO-Bench's own system prompt and not in its place: the numbers are no longer "
            "those of SO-Bench"
        )


def _refuse_nothing(results: list[report.Result], options: dict[str, Any]) -> None:
    """Numbers of no answer at all would look like those of a model that knows nothing."""
    if results and all(result.failed == len(result.tables) for result in results):
        results.clear()
        raise UsageError(
            f"every request failed, nothing was measured: check address, key and model name (the reasons are in "
            f"{options.get('log_dir')}), and use a new --log-dir."
        )


def _chosen(option: str) -> bool:
    """Return whether the command line names the option: lighteval's default looks like a choice of the user's."""
    return any(word == option or word.startswith(f"{option}=") for word in sys.argv)
