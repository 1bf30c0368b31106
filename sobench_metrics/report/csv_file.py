"""The figures as CSV."""

from __future__ import annotations

import csv
from dataclasses import astuple, fields
from typing import IO, TYPE_CHECKING, Any

from sobench_metrics.data.plain_words import one_line
from sobench_metrics.report.rows import FigureRow

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["write_csv"]

_FORMULA = (*"=+-@＝＋－＠", "\t", "\r", "\n")  # noqa: RUF001 - the wide ones are formulas, too, in East Asian settings


def write_csv(file: IO[str], rows: Iterable[FigureRow]) -> None:
    """Write a head and one line a row; a text that a spreadsheet would run as a formula gets an apostrophe.

    Texts stand on one line, without signs that a terminal or a reader of CSV would act on.
    """
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow([field.name for field in fields(FigureRow)])
    for row in rows:
        writer.writerow([_cell(value) for value in astuple(row)])


def _cell(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    plain = one_line(value)
    return f"'{plain}" if plain.startswith(_FORMULA) else plain
