"""The figures as CSV."""

from __future__ import annotations

import csv
from dataclasses import astuple, fields
from typing import IO, TYPE_CHECKING, Any

from sobench_metrics.report.rows import FigureRow

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["write_csv"]

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def write_csv(file: IO[str], rows: Iterable[FigureRow]) -> None:
    """Write a head and one line a row; a text that a spreadsheet would run as a formula gets an apostrophe."""
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow([field.name for field in fields(FigureRow)])
    for row in rows:
        writer.writerow([_cell(value) for value in astuple(row)])


def _cell(value: Any) -> Any:
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value
