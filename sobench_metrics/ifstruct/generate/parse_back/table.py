"""Read a table back."""

from __future__ import annotations

from sobench_metrics.ifstruct.generate.field_lines import item_of
from sobench_metrics.ifstruct.generate.parse_back.read_back import ReadBack
from sobench_metrics.ifstruct.generate.phrases import read_field
from sobench_metrics.ifstruct.generate.presentation.table import HEADINGS

__all__ = ["read_table"]

_COLUMN = {word: column for column, words in HEADINGS.items() for word in words}


def read_table(prompt: str) -> ReadBack:
    """Return what the one table in the prompt says; ValueError when there is none or a row cannot be read."""
    lines = [line.strip() for line in prompt.split("\n")]
    rows = [[cell.strip() for cell in line[1:-1].split("|")] for line in lines if line.startswith("|")]
    if not rows or any(word not in _COLUMN for word in rows[0]):
        raise ValueError("no table was found")
    columns = [_COLUMN[word] for word in rows[0]]
    found = []
    for row in rows[1:]:
        if set(row) == {"---"}:
            continue
        cell = dict(zip(columns, row, strict=True))
        limits = cell["limits"].split("; ") if cell["limits"] else []
        found.append((cell["path"], read_field(cell["kind"], limits, cell["remark"])))
    return ReadBack(item_of(found))
