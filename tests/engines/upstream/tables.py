"""Image tables in parquet, as `datasets` pushes them to the hub: several shards, several row groups."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["chart_shard", "chart_types", "question_shard", "shard_name"]

_TEXT = {"dtype": "string", "_type": "Value"}
_TEXTS = {"feature": _TEXT, "_type": "Sequence"}
_IMAGE = {"_type": "Image"}
_ROWS_PER_GROUP = 6  # 100 in the real files


def shard_name(folder: str, split: str, number: int, count: int) -> str:
    """Return the name under which `push_to_hub` stores one shard."""
    return f"{folder}/{split}-{number:05}-of-{count:05}.parquet"


def question_shard(rows: Sequence[tuple[str, bytes]], split: str) -> bytes:
    """Return a shard of the question sets: (questionId, image) with their usual other columns."""
    columns = {
        "questionId": [name for name, _ in rows],
        "question": [f"what does picture {name} say?" for name, _ in rows],
        "question_types": [["layout"] for _ in rows],
        "image": [_cell(data) for _, data in rows],
        "docId": [int(name) // 3 for name, _ in rows],
        "answers": [[] for _ in rows],
        "data_split": [split for _ in rows],
    }
    types = {
        "question_types": _TEXTS,
        "image": _IMAGE,
        "docId": {"dtype": "int64", "_type": "Value"},
        "answers": _TEXTS,
    }
    return _parquet(columns, {name: types.get(name, _TEXT) for name in columns})


def chart_types(storage: str) -> dict[str, Any]:
    """Return the features of the chart set; `storage` is "binary" or "image"."""
    image = _IMAGE if storage == "image" else {"dtype": "binary", "_type": "Value"}
    return {"Question": _TEXTS, "Answer": _TEXTS, "Question Type": _TEXT, "image": image, "Paragraph": _TEXT}


def chart_shard(images: Sequence[bytes], storage: str) -> bytes:
    """Return a shard of the chart set, whose image column is plain binary or an Image struct."""
    columns = {
        "Question": [["how many?"] for _ in images],
        "Answer": [[str(number)] for number, _ in enumerate(images)],
        "Question Type": ["Factoid" for _ in images],
        "image": [_cell(data) if storage == "image" else data for data in images],
        "Paragraph": ["" for _ in images],
    }
    return _parquet(columns, chart_types(storage))


def _cell(data: bytes) -> dict[str, Any]:
    return {"bytes": data, "path": "page.png"}


def _parquet(columns: dict[str, list[Any]], features: dict[str, Any]) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    types = {
        "Image": pa.struct([("bytes", pa.binary()), ("path", pa.string())]),
        "Sequence": pa.list_(pa.string()),
        "string": pa.string(),
        "int64": pa.int64(),
        "binary": pa.binary(),
    }
    schema = pa.schema([(name, types[kind.get("dtype") or kind["_type"]]) for name, kind in features.items()])
    note = {"huggingface": json.dumps({"info": {"features": features}})}
    sink = io.BytesIO()
    table = pa.table(columns, schema=schema.with_metadata(note))
    pq.write_table(table, sink, row_group_size=_ROWS_PER_GROUP, compression="snappy")
    return sink.getvalue()
