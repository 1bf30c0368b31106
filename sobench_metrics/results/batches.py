"""Scoring as pure functions on a batch of columns, for engines that map batches over a cluster.

datasets.Dataset.map(score_batch, batched=True, num_proc=8)
ray.data.Dataset.map_batches(score_batch)
"""

from __future__ import annotations

import json
import math
import pickle
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from sobench_metrics.errors import UsageError
from sobench_metrics.results.prediction_line import sample_of
from sobench_metrics.results.records import Run
from sobench_metrics.results.rescoring import rescored
from sobench_metrics.results.scored_pieces import score_piece

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sobench_metrics.results.formats import Item
    from sobench_metrics.results.scored_pieces import Piece

__all__ = ["COLUMNS", "FAULT", "ITEM", "NUMBER", "PIECE", "content_of", "score_batch", "score_items", "score_packed"]

COLUMNS: Final = ("scored_id", "missing", "passed", "figures", "diagnostics")
"""What `score_batch` returns for every row: its id, whether it has no answer, the official verdict (null for none),
and as JSON text the figures (a number, or numerator and denominator) and what explains them."""

NUMBER, ITEM, PIECE = "number", "item", "piece"
"""The columns that `score_items` takes, and the one that it returns."""

FAULT: Final = -1
"""The number of an item that is the words of a UsageError, met while the items were read."""

_BATCH: Final = Run(Path(), Path("the batch"), "", "", "")
_AS_TEXT: Final = {
    "json_schema": "json_schema", "schema_json": "schema_json", "target_json": "target_json",
    "evaluation_labels_json": "evaluation_labels_json", "target_content": "target_json",
    "target_schema": "schema_json", "response_format": "schema_json", "evaluation_labels": "evaluation_labels_json",
}  # fmt: skip
_OURS: Final = ("json_schema", "schema_json", "target_json", "evaluation_labels_json")
_NULL_IS_A_VALUE: Final = ("top_level_count", "top_level_key")


def score_batch(batch: Mapping[str, Sequence[Any]]) -> dict[str, list[Any]]:
    """Return the columns COLUMNS for answers that stand beside their rows' columns, row by row.

    An answer is text under `response`, `generation`, `output` or `completion`, null for a missing one. Row columns are
    those of IFStruct, or `schema_json`, `target_json` and `evaluation_labels_json` of SO-Bench, each as JSON text: a
    table merges the keys of nested values. A null in one of these is a column that the row lacks. Raises UsageError
    for a row that cannot be scored.
    """
    names = list(batch)
    columns: dict[str, list[Any]] = {name: [] for name in COLUMNS}
    for number, values in enumerate(zip(*(batch[name] for name in names), strict=True), 1):
        line = {name: _plain(value) for name, value in zip(names, values, strict=True)}
        try:
            sample = sample_of(_told(line), number, None)
            scored = rescored(_BATCH, sample)
        except UsageError as error:
            raise UsageError(f"row {number} of a batch {str(error).rstrip('.')}.") from error
        figures = {**scored.means, **{name: list(pair) for name, pair in scored.ratios.items()}}
        missing = scored.answer is None
        found = (scored.doc_id, missing, scored.passed, json.dumps(figures), json.dumps(scored.diagnostics))
        for name, value in zip(COLUMNS, found, strict=True):
            columns[name].append(value)
    return columns


def score_items(
    batch: Mapping[str, Sequence[Any]], run: Run, context: Any, *, as_lines: bool = False
) -> dict[str, list[bytes]]:
    """Return one scored piece, pickled, for the items of a run as JSON text beside their numbers.

    A user's mistake is returned in the piece's place: engines would bury it under words of their own.
    """
    items = [(int(number), json.loads(item)) for number, item in zip(batch[NUMBER], batch[ITEM], strict=True)]
    return {PIECE: [_packed(run, context, items, as_lines=as_lines)]}


def score_packed(row: Mapping[str, bytes], run: Run, context: Any, *, as_lines: bool = False) -> dict[str, bytes]:
    """Return one scored piece for one of unscored items, both pickled; a user's mistake stands in the piece's place."""
    items = pickle.loads(row[PIECE])  # noqa: S301 - our own parent's
    return {PIECE: _packed(run, context, items, as_lines=as_lines)}


def _packed(run: Run, context: Any, items: Sequence[Item], *, as_lines: bool) -> bytes:
    found: Piece | UsageError
    faults = [text for number, text in items if number == FAULT]
    try:
        found = UsageError(faults[0]) if faults else score_piece(run, context, items, as_lines=as_lines)
    except UsageError as error:
        found = error
    return pickle.dumps(found)


def content_of(pickled: bytes) -> Piece:
    """Return a piece of `score_items`; raises UsageError where that met one."""
    found: Piece | UsageError = pickle.loads(pickled)  # noqa: S301 - our own workers'
    if isinstance(found, UsageError):
        raise found
    return found


def _told(line: Mapping[str, Any]) -> dict[str, Any]:
    """Return the columns that a row of a table really has."""
    told = {name: value for name, value in line.items() if value is not None or name in _NULL_IS_A_VALUE}
    for name, wanted in _AS_TEXT.items():
        if name in told and (name not in _OURS or not isinstance(told[name], str)):
            raise UsageError(f"has {name} as a column: give it as JSON text in {wanted}")
    return told


def _plain(value: Any) -> Any:
    """Return a value of an array library as Python's own; a batch of nothing but nulls comes as NaN from Ray."""
    found = value.tolist() if hasattr(value, "tolist") else value
    return None if isinstance(found, float) and math.isnan(found) else found
