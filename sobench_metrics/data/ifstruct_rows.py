"""Read IFStruct rows: the hub's data set, a local parquet or JSONL file, or the bundled sample."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sobench_metrics import ifstruct
from sobench_metrics.errors import UsageError

__all__ = ["HUB_ID", "RowSet", "load_rows", "rows_of_file"]

HUB_ID = "LiquidAI/ifstruct-v1.0"
_JSON_COLUMNS = ("top_level_count", "json_schema")
_RULES = "content_rules"  # no column of the benchmark's: only strict findings read it
_FORMATS = ("json", "yaml")
_COLUMNS = (
    "doc_id", "entity_type", "prompt", "output_format", "top_level_count", "top_level_key",
    "require_wrapper_key", "require_code_block", "require_no_commentary", "json_schema",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class RowSet:
    """Rows in file order, the same columns in each, JSON columns as text; `revision` names their content."""

    rows: tuple[dict[str, Any], ...]
    revision: str


def load_rows(source: str | Path | None = None) -> RowSet:
    """Return all rows of `source`, of the file named by `SOBENCH_IFSTRUCT`, or of the hub's test split.

    Raises UsageError naming file, row and column when a row cannot be scored as it stands.
    """
    source = source or os.environ.get("SOBENCH_IFSTRUCT")
    if source is not None:
        return rows_of_file(source)
    raw, revision = _from_hub()
    if not raw:
        raise UsageError(f"{HUB_ID} holds no rows: point SOBENCH_IFSTRUCT to a parquet or JSONL file of IFStruct rows.")
    return RowSet(_rows(HUB_ID, raw, ()), revision)


def rows_of_file(source: str | Path, *, named_by: str = "SOBENCH_IFSTRUCT", further: tuple[str, ...] = ()) -> RowSet:
    """Return all rows of a file with their `further` columns (null in rows that lack one), and `content_rules` if any.

    Raises UsageError as `load_rows` does; `named_by` is the variable that the remedy names.
    """
    file = Path(source).expanduser()
    raw, revision = _from_file(file, named_by)
    if not raw:
        raise UsageError(f"{source} holds no rows: point {named_by} to a parquet or JSONL file of IFStruct rows.")
    return RowSet(_rows(str(source), raw, further), revision)


def _rows(name: str, raw: list[Any], further: tuple[str, ...]) -> tuple[dict[str, Any], ...]:
    ruled = any(isinstance(row, dict) and row.get(_RULES) is not None for row in raw)
    # alike in all rows: a table takes its columns from the first
    columns = tuple(dict.fromkeys((*_COLUMNS, *((_RULES,) if ruled else ()), *further)))
    return tuple(_row(name, number, row, columns) for number, row in enumerate(raw))


def _from_file(file: Path, named_by: str) -> tuple[list[Any], str]:
    if not file.is_file():
        what = "is a folder" if file.is_dir() else "does not exist"
        raise UsageError(f"{file} {what}: {named_by} must name a parquet or JSONL file.")
    try:
        data = file.read_bytes()
        if data.startswith(b"PAR1"):
            import pyarrow.parquet as pq

            rows = pq.read_table(file).to_pylist()
        else:
            # not splitlines(): U+2028 and friends are ordinary characters inside a JSON string
            lines = [line for line in data.decode("utf-8").split("\n") if line.strip()]
            rows = [_json_line(file, number, line) for number, line in enumerate(lines)]
    except UsageError:
        raise
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot read IFStruct rows from {file} ({error}): need a parquet or JSONL file.") from error
    return rows, f"file:{hashlib.sha256(data).hexdigest()[:12]}"


def _json_line(file: Path, number: int, line: str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"row {number} of {file} is no JSON ({error}): need a parquet or JSONL file.") from error


def _from_hub() -> tuple[list[Any], str]:
    try:
        import datasets
    except ModuleNotFoundError as error:
        raise UsageError("reading IFStruct from the hub needs `pip install 'sobench[lm-eval]'`.") from error
    try:
        table = datasets.load_dataset(HUB_ID, split="test")
    except Exception as error:  # the hub's client raises a dozen kinds; the remedy is one
        raise UsageError(
            f"cannot load {HUB_ID} ({type(error).__name__}: {_first_line(error)}): go online once, or set "
            "SOBENCH_IFSTRUCT to a local parquet or JSONL copy of its test split."
        ) from error
    sources = " ".join(map(str, (table.info.download_checksums or {}).keys()))
    commit = sources.partition("@")[2].partition("/")[0]
    # whole: a result that is published names the commit; without one, the fingerprint names the cached content
    return table.to_list(), f"hub:{commit}" if commit else f"cached:{table._fingerprint}"  # noqa: SLF001


def _row(name: str, number: int, raw: Any, columns: tuple[str, ...]) -> dict[str, Any]:
    if not isinstance(raw, dict):
        raise UsageError(f"row {number} of {name} is not an object: need one IFStruct row a line.")
    row = {"doc_id": number, "entity_type": "unknown", "top_level_key": None, **raw}
    row["entity_type"] = str(row["entity_type"] or "unknown")  # a name for slices, nothing depends on it
    missing = [column for column in _COLUMNS if column not in row]
    if missing:
        raise UsageError(f"row {number} of {name} lacks the column {missing[0]!r}: need the columns of {HUB_ID}.")
    if not isinstance(row["prompt"], str) or not row["prompt"].strip():
        raise UsageError(f"row {number} of {name} has no prompt: a row without a question cannot be asked.")
    if row["output_format"] not in _FORMATS:
        raise UsageError(f"row {number} of {name} has the output_format {row['output_format']!r}: need json or yaml.")
    try:
        ifstruct.Spec.from_row(row)
    except ifstruct.SpecError as error:
        raise UsageError(f"row {number} of {name} cannot be scored: {error}") from error
    for column in _JSON_COLUMNS:
        if not isinstance(row[column], str):
            row[column] = json.dumps(row[column])
    if not isinstance(row.get(_RULES), str | None):
        row[_RULES] = json.dumps(row[_RULES])
    return {column: row.get(column) for column in columns}


def _first_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [""])[0][:200]
