"""The built-in tasks fetch a pickle over the network when they are loaded, whatever task was asked for.

Every start needs the network and a writable installation because of tinyBenchmarks: its metric downloads
`tinyBenchmarks.pkl` in its constructor, from the head of a branch, into the package folder. Nothing reads it there:
the scores unpickle another path, below the current folder. To unpickle is to run what the file says, so a file that
nobody asked for is not fetched here, neither at the start nor later. Whoever asks for a tinyBenchmarks task
is told before any generation where to put a copy that they trust; with the file in place the task runs as before.

The word models of the built-in IFEval and IFBench, which the same import fetches, wait until one of them is run.

Upstream: no issue of lighteval found (the symptom is told in huggingface/open-r1 #651).
"""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from lighteval_tasks.repairs.repair import Repair, is_repaired, repaired
from lighteval_tasks.repairs.source import calls
from sobench_metrics.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["OFFLINE_START"]

_MODULE = "lighteval.tasks.tasks.tiny_benchmarks"
_CLASS = "TinyCorpusAggregator"
_FILE = "tinyBenchmarks.pkl"
_READ_FROM = Path("extended_tasks/tiny_benchmarks") / _FILE  # the harness's own, from the current folder
_WITH_WORD_MODELS = ("ifeval", "ifbench")
_HOME = "github.com/felipemaiapolo/tinyBenchmarks"


def _needed() -> bool:
    if not calls(_MODULE, f"{_CLASS}.__init__", "download"):
        return False
    from lighteval.tasks.registry import Registry

    return not is_repaired(Registry._load_from_files)  # noqa: SLF001


def _apply() -> None:
    from lighteval.tasks.lighteval_task import LightevalTask
    from lighteval.tasks.registry import Registry

    waiting: list[str] = []
    load_datasets = LightevalTask.load_datasets

    def without_fetching(load: Any) -> Any:
        def loaded(*args: Any, **options: Any) -> Any:
            with _no_fetching(waiting):
                return load(*args, **options)

        return staticmethod(repaired(loaded, load))

    def load_data(tasks: dict[str, Any], *args: Any, **options: Any) -> None:
        # the first step of a run, and none of `tasks list` or `tasks inspect`
        _require_file(tasks)
        if any(name.startswith(_WITH_WORD_MODELS) for name in tasks):
            _fetch_word_models(waiting)
        load_datasets(tasks, *args, **options)

    Registry._load_from_files = without_fetching(Registry._load_from_files)  # noqa: SLF001
    Registry._load_from_subdirs = without_fetching(Registry._load_from_subdirs)  # noqa: SLF001
    LightevalTask.load_datasets = staticmethod(repaired(load_data, load_datasets))


@contextmanager
def _no_fetching(waiting: list[str]) -> Iterator[None]:
    """Answer the request for the pickle with a refusal, which the harness takes as nothing to write.

    The word models asked for meanwhile are added to `waiting`.
    """
    import nltk
    import requests

    real_get, real_download = requests.get, nltk.download

    def get(url: str, *args: Any, **options: Any) -> Any:
        return SimpleNamespace(status_code=0, content=b"") if url.endswith(_FILE) else real_get(url, *args, **options)

    requests.get, nltk.download = get, waiting.append
    try:
        yield
    finally:
        requests.get, nltk.download = real_get, real_download


def _fetch_word_models(waiting: list[str]) -> None:
    import nltk

    while waiting:
        nltk.download(waiting.pop())


def _require_file(tasks: dict[str, Any]) -> None:
    needing = [name for name, task in tasks.items() if any(_reads_file(metric) for metric in task.metrics)]
    if needing and not _READ_FROM.is_file():
        raise UsageError(
            f"{needing[0]} unpickles {_READ_FROM} below the current folder, which is not there: put a copy that you "
            f"trust in its place (from {_HOME}), or leave the task out."
        )


def _reads_file(metric: Any) -> bool:
    return type(getattr(metric, "corpus_level_fn", None)).__name__ == _CLASS


OFFLINE_START = Repair("offline start", "none found", _needed, _apply)
