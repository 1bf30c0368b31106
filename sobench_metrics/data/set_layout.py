"""The files of a prepared set and their shape: what every writer writes and every reader may rely on.

Row groups hold one row, so that a reader fetches one image at a time; statistics are left out, since they would
repeat every image in the footer.
"""

from __future__ import annotations

import hashlib
import json
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

__all__ = ["card_configs", "counts", "pretty", "row_sha256", "write_parquet"]

_STRINGS = ("schema_json", "user_intent", "target_json", "evaluation_labels_json", "upstream_image_url", "prep_id")


def write_parquet(sink: Path | IO[bytes], rows: Iterable[Mapping[str, Any]]) -> None:
    """Write rows as they come, one in memory at a time, one a row group; equal rows give equal bytes."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    fields = [
        *((name, pa.string()) for name in ("doc_id", "domain", "source")),
        ("image", pa.struct([("bytes", pa.binary()), ("path", pa.string())])),
        *((name, pa.string()) for name in ("image_sha256", "pixel_sha256")),
        *((name, pa.int32()) for name in ("width", "height")),
        *((name, pa.string()) for name in _STRINGS),
    ]
    plain = pa.schema(fields)
    note = {"info": {"features": {field.name: _feature(field) for field in plain}}}
    schema = plain.with_metadata({"huggingface": json.dumps(note)})
    with pq.ParquetWriter(sink, schema, compression="zstd", use_dictionary=False, write_statistics=False) as writer:
        for row in rows:
            writer.write_table(pa.Table.from_pylist([row], schema=schema))


def row_sha256(row: Mapping[str, Any]) -> str:
    """Hash what is asked and how it is scored: schema, intent, target, labels."""
    return hashlib.sha256(json.dumps([row[name] for name in _STRINGS[:4]]).encode()).hexdigest()


def card_configs(domains: Iterable[str]) -> list[str]:
    """Return the lines of a dataset card by which `datasets.load_dataset(DIR, NAME)` finds each domain, and all."""
    lines = ["configs:"]
    for name, pattern in (*((domain, f"data/{domain}/*.parquet") for domain in domains), ("all", "data/*/*.parquet")):
        lines += [f"- config_name: {name}", "  data_files:", "  - split: test", f"    path: {pattern}"]
    return lines


def counts(rows: Iterable[Mapping[str, Any]], column: str) -> dict[str, int]:
    """Return how many rows have each value of a column, sorted by value."""
    found: dict[str, int] = {}
    for row in rows:
        found[row[column]] = found.get(row[column], 0) + 1
    return dict(sorted(found.items()))


def pretty(value: Any) -> bytes:
    """Return JSON for people and machines, ending in a newline."""
    return (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode()


def _feature(field: Any) -> dict[str, str]:
    if field.name == "image":
        return {"_type": "Image"}
    return {"dtype": str(field.type), "_type": "Value"}
