"""A table in plain signs, its columns in a drawn order."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sobench_metrics.ifstruct.generate.field_lines import field_lines
from sobench_metrics.ifstruct.generate.phrases import kind_word, limit_words

if TYPE_CHECKING:
    from random import Random

    from sobench_metrics.ifstruct.generate.phrases import Dialect
    from sobench_metrics.ifstruct.generate.request import Request

__all__ = ["HEADINGS", "table"]

HEADINGS = {
    "path": ("path", "field", "key"),
    "kind": ("type", "kind", "data type"),
    "limits": ("limits", "allowed", "rules"),
    "remark": ("remark", "meaning", "comment"),
}
"""Words that may stand over each column; no word stands over two."""

_LEADS = ("The columns of one element:", "Per element:", "Fields, as a table:", "Data dictionary of an element:")
_PIPES = 2  # the form of choices that a table cannot hold


def table(request: Request, dialect: Dialect, rng: Random) -> str:
    """Return lead and table: Markdown, or ruled with plus signs and dashes."""
    if dialect.choices == _PIPES:
        dialect = replace(dialect, choices=0)
    ruled = rng.randrange(2) == 0
    columns = list(HEADINGS)
    rng.shuffle(columns)
    head = [rng.choice(HEADINGS[column]) for column in columns]
    cells = [
        {
            "path": line.path,
            "kind": kind_word(line, dialect),
            "limits": "; ".join(limit_words(line, dialect)),
            "remark": line.schema.get("description", ""),
        }
        for line in field_lines(request.item)
    ]
    rows = [[cell[column] for column in columns] for cell in cells]
    return "\n".join([rng.choice(_LEADS), *(_ruled(head, rows) if ruled else _markdown(head, rows))])


def _markdown(head: list[str], rows: list[list[str]]) -> list[str]:
    return ["| " + " | ".join(row) + " |" for row in [head, ["---"] * len(head), *rows]]


def _ruled(head: list[str], rows: list[list[str]]) -> list[str]:
    widths = [max(len(row[index]) for row in [head, *rows]) for index in range(len(head))]
    rule = "+" + "+".join("-" * (width + 2) for width in widths) + "+"
    padded = [
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |"
        for row in [head, *rows]
    ]
    return [rule, padded[0], rule, *padded[1:], rule]
