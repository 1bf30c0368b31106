"""Score the pieces of a run on an engine that spreads batches over processes or machines: `datasets`, or Ray Data."""

from __future__ import annotations

import importlib
import json
import os
import tempfile
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

from sobench_metrics.errors import UsageError
from sobench_metrics.results.batches import ITEM, NUMBER, PIECE, content_of, score_items
from sobench_metrics.results.reading import FORMATS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sobench_metrics.results.formats import Item
    from sobench_metrics.results.records import Run
    from sobench_metrics.results.scored_pieces import Piece

__all__ = ["ENGINES", "on_datasets", "on_ray"]

_BATCH: Final = 256
_LINES: Final = ("predictions", "lm-eval")
_INSTALL: Final = {"datasets": "pip install datasets", "ray": "pip install 'ray[data]'"}


def on_datasets(run: Run, context: Any, workers: int, *, as_lines: bool = False) -> Iterator[Piece]:
    """Yield the scored pieces of a run in their order, by `datasets.Dataset.map` in that many processes.

    Items are copied to a temporary folder on the way. Raises UsageError without the library.
    """
    _need("datasets")
    import datasets

    with tempfile.TemporaryDirectory(prefix="sobench-score-") as folder:
        table = datasets.Dataset.from_generator(_columns, gen_kwargs={"items": _Items(run)}, cache_dir=folder)
        scored = table.map(
            partial(score_items, run=run, context=context, as_lines=as_lines),
            batched=True,
            batch_size=_BATCH,
            num_proc=workers if workers > 1 else None,
            remove_columns=[NUMBER, ITEM],
            load_from_cache_file=False,
            desc=run.task,
        )
        for row in scored:
            yield content_of(row[PIECE])


def on_ray(run: Run, context: Any, workers: int, *, as_lines: bool = False) -> Iterator[Piece]:
    """Yield the scored pieces of a run in their order, by Ray Data on the cluster of RAY_ADDRESS, or on this machine.

    A log of lines is read by the cluster's machines, which need the same path and this package. Raises UsageError
    without the library.
    """
    _need("ray")
    ray: Any = importlib.import_module("ray")
    started = not ray.is_initialized()
    if started:
        here = {} if os.environ.get("RAY_ADDRESS") else {"num_cpus": workers, "include_dashboard": False}
        ray.init(log_to_driver=False, logging_level="ERROR", **here)
    try:
        settings = ray.data.DataContext.get_current()
        settings.enable_progress_bars = False
        settings.execution_options.preserve_order = True
        scored = _ray_table(ray, run).map_batches(
            score_items, batch_size=_BATCH, fn_kwargs={"run": run, "context": context, "as_lines": as_lines}
        )
        for row in scored.iter_rows():
            yield content_of(row[PIECE])
    except UsageError:
        _find_fault(run, context)
        raise
    finally:
        if started:
            ray.shutdown()


def _ray_table(ray: Any, run: Run) -> Any:
    if run.format in _LINES:
        packed = {"compression": "gzip"} if run.log.suffix == ".gz" else None
        lines = ray.data.read_text(str(run.log.absolute()), arrow_open_stream_args=packed)
        return lines.map_batches(_unnumbered, batch_size=_BATCH)
    return ray.data.from_items(list(_columns(_Items(run))))


def _unnumbered(batch: Any) -> dict[str, Any]:
    """A line of a file that several machines read has no number; what cannot be scored is told by a second look."""
    return {NUMBER: [0] * len(batch["text"]), ITEM: [json.dumps(str(line)) for line in batch["text"]]}


def _find_fault(run: Run, context: Any) -> None:
    """Raise the UsageError that names the line, now that there is one."""
    format_ = FORMATS[run.format]
    for item in format_.items(run):
        format_.sample(run, context, item)


class _Items:
    """A run's items, read anew by whoever iterates; hashable and light, as engines want their arguments."""

    def __init__(self, run: Run) -> None:
        self.run = run

    def __iter__(self) -> Iterator[Item]:
        return FORMATS[self.run.format].items(self.run)


def _columns(items: Iterable[Item]) -> Iterator[dict[str, Any]]:
    for number, item in items:
        yield {NUMBER: number, ITEM: json.dumps(item)}


def _need(library: str) -> None:
    if find_spec(library) is None:
        raise UsageError(f"--engine {library} needs the library: `{_INSTALL[library]}`, or leave --engine out.")


ENGINES: Final = {"datasets": on_datasets, "ray": on_ray}
