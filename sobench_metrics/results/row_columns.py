"""From the columns that stand beside an answer, in our layout or a reference's, to the benchmark's row."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, Literal

from sobench_metrics.errors import UsageError
from sobench_metrics.sobench.score import sample_schema, score

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Benchmark", "benchmark_of", "check", "row_of"]

Benchmark = Literal["sobench", "ifstruct"]

_SOBENCH: Final = ("schema_json", "target_json")
_REFERENCE: Final = "target_content"
_IFSTRUCT: Final = ("json_schema", "output_format")
_NEEDED: Final = (
    *_IFSTRUCT, "top_level_count", "require_wrapper_key", "require_code_block", "require_no_commentary",
)  # fmt: skip
_LABELS: Final = "evaluation_labels_json"
_ANSWERS: Final = ("response", "generation", "output", "completion", "response_format")


def benchmark_of(columns: Mapping[str, Any]) -> Benchmark | None:
    """Return the benchmark whose row stands in these columns, None where they hold no row."""
    if all(name in columns for name in _SOBENCH) or _REFERENCE in columns:
        return "sobench"
    return "ifstruct" if all(name in columns for name in _IFSTRUCT) else None


def row_of(columns: Mapping[str, Any]) -> dict[str, Any]:
    """Return the row in the layout of `sobench_metrics.data`; an answer among the columns is left out of it.

    A SO-Bench row without labels has no `evaluation_labels_json`: it is compared without labels (reference B1.6).
    Raises UsageError or SampleError for a row that lacks a column.
    """
    if benchmark_of(columns) == "sobench":
        return _sobench(columns)
    row = {"entity_type": "unknown", "top_level_key": None, **_without_answers(columns)}
    row["entity_type"] = str(row["entity_type"] or "unknown")
    missing = [name for name in _NEEDED if name not in row]
    if missing:
        raise UsageError(f"it lacks the column {missing[0]!r}: need the columns of IFStruct.")
    return row


def check(row: Mapping[str, Any]) -> None:
    """Raise UsageError or SampleError for a row of `row_of` that cannot be scored whatever the answer."""
    if "target_json" in row:
        score(None, target=row["target_json"], schema=row["schema_json"])
        return
    from sobench_metrics.ifstruct.spec import Spec

    Spec.from_row(row)


def _sobench(columns: Mapping[str, Any]) -> dict[str, Any]:
    row = {"domain": "unknown", "source": "unknown", **_without_answers(columns)}
    if _REFERENCE in columns and "target_json" not in columns:
        row["target_json"] = columns[_REFERENCE]
        row["schema_json"] = json.dumps(sample_schema(columns))
        if "evaluation_labels" in columns:
            row[_LABELS] = json.dumps(columns["evaluation_labels"])
        for name in (_REFERENCE, "target_schema", "evaluation_labels"):
            row.pop(name, None)
    for name in (*_SOBENCH, _LABELS):
        if name in row and not isinstance(row[name], str):
            row[name] = json.dumps(row[name])
    return row


def _without_answers(columns: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in columns.items() if name not in _ANSWERS}
