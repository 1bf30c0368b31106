"""Rows as parquet, batch by batch; equal rows give equal bytes with equal versions of pyarrow."""

from __future__ import annotations

import json
from itertools import islice
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

__all__ = ["write_parquet"]

_BATCH = 1000
_COLUMNS = {
    "doc_id": "int64", "entity_type": "string", "prompt": "string", "output_format": "string",
    "top_level_count": "string", "top_level_key": "string", "require_wrapper_key": "bool",
    "require_code_block": "bool", "require_no_commentary": "bool", "json_schema": "string",
}  # fmt: skip


def write_parquet(lines: Path, sink: Path, further: Mapping[str, str] = MappingProxyType({})) -> None:
    """Write the rows of a JSONL file as parquet, a thousand in memory at a time.

    `further` are columns beside IFStruct's, each with its kind: "int64", "string" or "bool".
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns = {**_COLUMNS, **further}
    kinds = {"int64": pa.int64(), "string": pa.string(), "bool": pa.bool_()}
    features = {name: {"dtype": kind, "_type": "Value"} for name, kind in columns.items()}
    schema = pa.schema([(name, kinds[kind]) for name, kind in columns.items()]).with_metadata(
        {"huggingface": json.dumps({"info": {"features": features}})}
    )
    with lines.open("rb") as file, pq.ParquetWriter(sink, schema, compression="zstd") as writer:
        while batch := [_row(line) for line in islice(file, _BATCH)]:
            writer.write_table(pa.Table.from_pylist(batch, schema=schema))


def _row(line: bytes) -> dict[str, Any]:
    row: dict[str, Any] = json.loads(line)
    return row
