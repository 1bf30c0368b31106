"""The rows of the environment: generated, or from a file in IFStruct's columns."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

from sobench_metrics.data.ifstruct_rows import load_rows
from sobench_metrics.ifstruct.generate.row_maker import Maker
from sobench_metrics.ifstruct.generate.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sobench_metrics.ifstruct.generate.entity import Split

__all__ = ["rows_of"]


def rows_of(file: str | None, *, seed: int, split: Split, number: int) -> Iterator[dict[str, Any]]:
    """Yield up to `number` rows of the file, or so many generated ones, which are made as they are asked for.

    JSON columns stay text: rows of different schemas fit into one table. Raises UsageError for a file that is none.
    """
    if file is not None:
        yield from islice(load_rows(file).rows, number)
        return
    maker = Maker(Settings(seed=seed, split=split))
    yield from (maker.row(index).row for index in range(number))
