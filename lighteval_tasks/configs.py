"""The tasks as lighteval's configurations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lighteval.tasks.lighteval_task import LightevalTaskConfig

from lighteval_tasks import catalog, data, docs, figures

if TYPE_CHECKING:
    from lighteval.tasks.requests import Doc

__all__ = ["VERSION", "TaskConfig", "table"]

VERSION = 1
"""Rises with every change that alters scores, together with lm-eval's."""

_NUMBER = "__index"  # where lighteval puts a row's place


@dataclass
class TaskConfig(LightevalTaskConfig):
    """lighteval's configuration with a place for the signature of the numbers; see `lighteval_tasks.signature`."""

    signature: str = ""


def table() -> list[TaskConfig]:
    """Return the configuration of every task."""
    return [_config(entry) for entry in catalog.entries()]


def _config(entry: catalog.Entry) -> TaskConfig:
    return TaskConfig(
        name=entry.name,
        prompt_function=_doc,
        # no repository: `guards.rows` brings the rows, and puts the name of their content in the revision's place
        hf_repo=f"sobench-plugin/{entry.benchmark}",
        hf_subset=entry.domain or entry.only_format or "default",
        hf_avail_splits=["test"],
        evaluation_splits=["test"],
        metrics=[figures.metric_of(entry.benchmark)],
        generation_size=entry.generation_size,  # a limit of the user's is read when a run begins, in `guards.rows`
        stop_sequence=[],
        version=VERSION,
    )


def _doc(line: dict[str, Any], task_name: str) -> Doc:
    return docs.doc_of(data.loaded(task_name, line["data"]), line[_NUMBER])
