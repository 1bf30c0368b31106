"""A prepared data folder made of any pictures: what `sobench_*` tasks read through SOBENCH_HOME."""

from __future__ import annotations

import hashlib
import io
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from PIL import Image

from tests.engines import shapes

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

__all__ = ["SYSTEM", "USER_TEXT", "Sample", "shape_samples", "write_home"]

SYSTEM = "You read shapes."
USER = "Schema: {schema_json}\nTask: {user_intent}"
INTENT = "Tell the shape."
USER_TEXT = USER.format(schema_json=json.dumps(shapes.SCHEMA), user_intent=INTENT)  # of every shape


@dataclass(frozen=True)
class Sample:
    """One row of the folder to be: the encoded picture and what is asked of it."""

    doc_id: str
    image: bytes
    target: Any
    schema: Any = field(default_factory=lambda: shapes.SCHEMA)
    labels: Any = None
    intent: str = INTENT


def shape_samples(count: int, seed: int = shapes.UNSEEN_SEED) -> list[Sample]:
    """Return drawn shapes with exact labels, the same prompt for each: what the taught model was taught."""
    labels = {"colour": "exact", "corners": "exact"}
    return [
        Sample(f"shape-{number:03}", shape.jpeg(), shape.value, labels=labels)
        for number, shape in enumerate(shapes.series(count, seed))
    ]


def write_home(home: Path, samples: dict[str, Iterable[Sample]], *, rows_per_group: int = 1) -> Path:
    """Write the folder and return it; `samples` are listed by domain."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    counts = {}
    for domain, members in samples.items():
        rows = [_row(domain, sample) for sample in members]
        folder = home / "data" / domain
        folder.mkdir(parents=True)
        pq.write_table(
            pa.Table.from_pylist(rows), folder / "test-00000-of-00001.parquet", row_group_size=rows_per_group
        )
        counts[domain] = len(rows)
    (home / "prompts.json").write_text(json.dumps({"system": SYSTEM, "user": USER}))
    (home / "manifest.json").write_text(json.dumps({"prep_id": "shapes", "counts": {"domain": counts}}))
    return home


def _row(domain: str, sample: Sample) -> dict[str, Any]:
    with Image.open(io.BytesIO(sample.image)) as picture:
        width, height = picture.size
    return {
        "doc_id": sample.doc_id,
        "domain": domain,
        "source": "drawn",
        "image": {"bytes": sample.image, "path": f"{sample.doc_id}.jpg"},
        "image_sha256": hashlib.sha256(sample.image).hexdigest(),
        "width": width,
        "height": height,
        "schema_json": json.dumps(sample.schema),
        "user_intent": sample.intent,
        "target_json": json.dumps(sample.target),
        "evaluation_labels_json": json.dumps(sample.labels),
        "prep_id": "shapes",
    }
