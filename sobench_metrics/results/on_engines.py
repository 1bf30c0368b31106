"""Score the pieces of a run on an engine that spreads batches over processes or machines: `datasets`, or Ray Data."""

from __future__ import annotations

import importlib
import json
import logging
import os
import pickle
import sys
import tempfile
from functools import partial
from importlib.util import find_spec
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from sobench_metrics.errors import UsageError
from sobench_metrics.results.batches import FAULT, ITEM, NUMBER, PIECE, content_of, score_items, score_packed
from sobench_metrics.results.reading import FORMATS
from sobench_metrics.results.scored_pieces import pieces_of

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from sobench_metrics.results.formats import Item
    from sobench_metrics.results.records import Run
    from sobench_metrics.results.scored_pieces import Piece

__all__ = ["ENGINES", "on_datasets", "on_ray"]

_BATCH: Final = 256
_WINDOW: Final = 128
"""Pieces that are with Ray at a time, at most some thirty thousand samples: so many are in memory here."""

_INSTALL: Final = {"datasets": "pip install datasets", "ray": "pip install 'sobench[ray]'"}


def on_datasets(run: Run, context: Any, workers: int, *, as_lines: bool = False) -> Generator[Piece, None, None]:
    """Yield the scored pieces of a run in their order, by `datasets.Dataset.map` in that many processes.

    Items are copied to a temporary folder on the way. Raises UsageError without the library.
    """
    _need("datasets")
    import datasets

    if not sys.stderr.isatty():
        datasets.disable_progress_bars()
    with tempfile.TemporaryDirectory(prefix="sobench-score-") as folder:
        table = datasets.Dataset.from_generator(_columns, gen_kwargs={"items": _Items(run)}, cache_dir=folder)
        try:
            scored = table.map(
                partial(score_items, run=run, context=context, as_lines=as_lines),
                batched=True,
                batch_size=_BATCH,
                num_proc=workers if workers > 1 else None,
                remove_columns=[NUMBER, ITEM],
                load_from_cache_file=False,
                desc=run.task,
            )
        except Exception as error:
            if isinstance(error.__context__, KeyboardInterrupt):  # its processes do not answer a Ctrl-C in time
                raise KeyboardInterrupt from error
            raise
        for row in scored:
            yield content_of(row[PIECE])


def on_ray(run: Run, context: Any, workers: int, *, as_lines: bool = False) -> Generator[Piece, None, None]:
    """Yield the scored pieces of a run in their order, by Ray Data on the cluster of RAY_ADDRESS, or on this machine.

    The log is read here and handed on piece by piece: the cluster's machines need this package and nothing else; a
    cluster uses the processors that it has, whatever `workers` says. Raises UsageError without the library, or when
    the cluster cannot be reached.
    """
    _need("ray")
    ray: Any = importlib.import_module("ray")
    importlib.import_module("ray.data")
    started = not ray.is_initialized()
    if started:
        _start(ray, workers)
    try:
        logging.getLogger("ray.data").setLevel(logging.ERROR)  # several lines for each window
        settings = ray.data.DataContext.get_current()
        settings.enable_progress_bars = False
        settings.execution_options.preserve_order = True
        pieces = pieces_of(FORMATS[run.format].items(run))
        while window := [{PIECE: pickle.dumps(piece)} for piece in islice(pieces, _WINDOW)]:
            scored = ray.data.from_items(window, override_num_blocks=len(window)).map(
                score_packed, fn_kwargs={"run": run, "context": context, "as_lines": as_lines}
            )
            for row in scored.iter_rows():
                yield content_of(row[PIECE])
    finally:
        if started:
            ray.shutdown()


def _start(ray: Any, workers: int) -> None:
    address = os.environ.get("RAY_ADDRESS")
    # `local`: without it Ray looks for the last cluster that somebody started here, and takes no number of processors
    here = {} if address else {"address": "local", "num_cpus": workers, "include_dashboard": False}
    try:
        ray.init(log_to_driver=False, logging_level="ERROR", **here)
    except (ConnectionError, RuntimeError, ValueError, TimeoutError) as error:
        if address:
            raise UsageError(
                f"no Ray cluster answers at RAY_ADDRESS={address}: start it with `ray start`, or unset the variable."
            ) from error
        raise


class _Items:
    """A run's items, read anew by whoever iterates; hashable and light, as engines want their arguments."""

    def __init__(self, run: Run) -> None:
        self.run = run

    def __iter__(self) -> Iterator[Item]:
        return FORMATS[self.run.format].items(self.run)


def _columns(items: _Items) -> Iterator[dict[str, Any]]:
    try:
        for number, item in items:
            yield {NUMBER: number, ITEM: json.dumps(item)}
    except UsageError as error:  # the engine would bury it under words of its own
        yield {NUMBER: FAULT, ITEM: json.dumps(str(error))}


def _need(library: str) -> None:
    if find_spec(library) is None:
        raise UsageError(f"--engine {library} needs the library: `{_INSTALL[library]}`, or leave --engine out.")


ENGINES: Final = {"datasets": on_datasets, "ray": on_ray}
