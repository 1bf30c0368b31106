"""Our rows in place of a download, and refusals of orders that our tasks cannot fill."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lighteval.tasks.lighteval_task import LightevalTask

from lighteval_tasks import catalog, data, settings, signature
from lighteval_tasks.configs import TaskConfig
from sobench_metrics.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

__all__ = ["install", "refuse_doubles", "rows_of"]


def install() -> None:
    """Let lighteval's loader of data sets ask here for our tasks; all others go the way they went before."""
    load_datasets, download = LightevalTask.load_datasets, LightevalTask.download_dataset_worker
    LightevalTask.load_datasets = staticmethod(_load_datasets(load_datasets))
    LightevalTask.download_dataset_worker = staticmethod(_download(download))


def rows_of(config: TaskConfig) -> dict[str, list[dict[str, Any]]]:
    """Return the split `test` of a task as rows that name their content; raises UsageError.

    The content's name and the user's limit of answers as it is now go into the configuration, and with it into the key
    of lighteval's prediction cache.
    """
    if config.num_fewshots:
        raise UsageError(f"{config.name} is asked without examples: write {config.name}|0.")
    found = data.load(config.name)
    config.hf_revision = found.revision
    config.generation_size = settings.max_tokens() or config.generation_size
    config.original_num_docs, config.effective_num_docs = found.expected, len(found.rows)
    signature.note_task(config)
    return {"test": [{"data": found.revision} for _ in found.rows]}


def _load_datasets(original: Callable[..., None]) -> Callable[..., None]:
    def load_datasets(tasks: dict[str, LightevalTask], dataset_loading_processes: int = 1) -> None:
        ours = {name: task for name, task in tasks.items() if isinstance(task.config, TaskConfig)}
        refuse_doubles([task.config for task in ours.values()])
        for task in ours.values():  # in this process: a child would keep what it learns to itself
            task.dataset = rows_of(task.config)
            task.generation_size = task.config.generation_size
        others = {name: task for name, task in tasks.items() if name not in ours}
        if others:
            original(others, dataset_loading_processes)

    return load_datasets


def _download(original: Callable[..., Any]) -> Callable[..., Any]:
    def download_dataset_worker(task: LightevalTask) -> Any:
        return rows_of(task.config) if isinstance(task.config, TaskConfig) else original(task)

    return download_dataset_worker


def refuse_doubles(configs: Iterable[Any]) -> None:
    """Raise UsageError when two of these (anything with a task's `name`) are one task."""
    named: dict[tuple[str, bool, str, str], str] = {}
    for config in configs:
        first = named.setdefault(catalog.entry(config.name).content, config.name)
        if first != config.name:
            raise UsageError(f"{first} and {config.name} are one task under two names: ask for one of them.")
