"""A prepared set with a full manifest, made of drawn pictures: what `verify`, `status`, `push` and the sheet read.

`write_set` writes it as `sobench prepare` lays it out, under a home folder; a test then damages what it is about.
"""

from __future__ import annotations

import hashlib
import io
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from PIL import Image, ImageDraw

from sobench_metrics.data.set_layout import card_configs, counts, pretty, row_sha256, write_parquet

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

__all__ = [
    "COMMIT",
    "DOMAIN_OF",
    "SCHEMA",
    "Doc",
    "docs",
    "edit_manifest",
    "edit_rows",
    "picture",
    "plain_pixel_hash",
    "write_set",
]

COMMIT = "c0ffee" + "0" * 34
DOMAIN_OF = {"rico": "ui", "webui": "ui", "hiertext": "natural", "docvqa": "document", "vistext": "chart"}
EXPECTED = {"rico": 3, "webui": 2, "hiertext": 2, "docvqa": 2, "vistext": 1}  # as many as `docs()` has
COLOURS = {"red": (220, 30, 30), "green": (30, 160, 60), "blue": (40, 60, 210)}
SCHEMA = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "properties": {"colour": {"type": "string"}, "sizes": {"type": "array", "items": {"type": "integer"}}},
    "required": ["colour", "sizes"],
    "additionalProperties": False,
}
PROMPTS = {"system": "You read squares {exactly}.", "user": "Schema: {schema_json}\nTask: {user_intent}"}


@dataclass(frozen=True)
class Doc:
    """One sample of the set to be."""

    doc_id: str
    source: str
    image: bytes
    target: Any
    schema: Any = field(default_factory=lambda: SCHEMA)
    labels: Any = field(default_factory=lambda: {"colour": "exact", "sizes": ["fuzzy", "ignore"]})
    intent: str = "Tell colour and sizes."


def picture(colour: tuple[int, int, int], size: tuple[int, int] = (64, 48)) -> bytes:
    """A JPEG: a square of the colour on white, a quarter of the area."""
    image = Image.new("RGB", size, "white")
    ImageDraw.Draw(image).rectangle((0, 0, size[0] // 2 - 1, size[1] // 2 - 1), fill=colour)
    stored = io.BytesIO()
    image.save(stored, "JPEG", quality=95)
    return stored.getvalue()


def docs() -> list[Doc]:
    """Ten documents of five sources, all pictures distinct."""
    names = list(COLOURS)
    return [
        Doc(
            f"{source}_{number:04}",
            source,
            picture(COLOURS[names[number % 3]], (64 + 8 * place, 48 + 4 * number)),
            {"colour": names[number % 3], "sizes": [number, place]},
        )
        for place, (source, count) in enumerate(EXPECTED.items())
        for number in range(count)
    ]


def plain_pixel_hash(jpeg: bytes) -> str:
    """What a model sees: the size and the RGB samples."""
    with Image.open(io.BytesIO(jpeg)) as image:
        rgb = image.convert("RGB")
        return hashlib.sha256(f"{rgb.width}x{rgb.height}\n".encode() + rgb.tobytes()).hexdigest()


def write_set(
    home: Path,
    members: Sequence[Doc] | None = None,
    *,
    prep_id: str = "set-0001",
    current: bool = True,
    partial: dict[str, Any] | None = None,
    missing: dict[str, dict[str, str]] | None = None,
    revisions: dict[str, str] | None = None,
    shards: int = 1,
) -> Path:
    """Write the set and return its folder; `missing` lists reasons by doc id, by source."""
    root = home / "prepared" / prep_id
    rows = [_row(doc, prep_id) for doc in (docs() if members is None else members)]
    files = {"prompts.json": _put(root, "prompts.json", pretty({**PROMPTS, "sha256": prompts_sha256()}))}
    for domain in ("ui", "natural", "document", "chart"):
        of_domain = sorted((row for row in rows if row["domain"] == domain), key=lambda row: row["doc_id"])
        for shard in range(shards if of_domain else 0):
            sink = io.BytesIO()
            write_parquet(sink, of_domain[shard::shards] if shards > 1 else of_domain)
            name = f"data/{domain}/test-{shard:05}-of-{shards:05}.parquet"
            files[name] = _put(root, name, sink.getvalue())
    _put(root, "README.md", "\n".join(["---", *card_configs(DOMAIN_OF.values()), "---", "# A set", ""]).encode())
    _put(root, "LICENSES/LICENSE.md", b"Terms of the upstream repository.\n")
    _put(root, "manifest.json", pretty(_manifest(rows, files, prep_id, partial, missing or {}, revisions or {})))
    if current:
        (home / "prepared" / "current").write_text(prep_id + "\n")
    return root


def prompts_sha256() -> str:
    return hashlib.sha256(f"{PROMPTS['system']}\0{PROMPTS['user']}".encode()).hexdigest()


def edit_manifest(root: Path, change: Callable[[dict[str, Any]], Any]) -> None:
    """Let `change` alter the manifest in place."""
    manifest = json.loads((root / "manifest.json").read_text())
    change(manifest)
    (root / "manifest.json").write_bytes(pretty(manifest))


def edit_rows(root: Path, name: str, change: Callable[[list[dict[str, Any]]], Any], *, honest: bool = True) -> None:
    """Let `change` alter the rows of a file; an `honest` edit gives the manifest the new size and hash of the file."""
    import pyarrow.parquet as pq

    file = root / name
    rows = pq.read_table(file).to_pylist()
    change(rows)
    sink = io.BytesIO()
    write_parquet(sink, rows)
    entry = _put(root, name, sink.getvalue())
    if honest:
        edit_manifest(root, lambda manifest: manifest["files"].update({name: entry}))


def _put(root: Path, name: str, content: bytes) -> dict[str, Any]:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}


def _row(doc: Doc, prep_id: str) -> dict[str, Any]:
    with Image.open(io.BytesIO(doc.image)) as image:
        width, height = image.size
    return {
        "doc_id": doc.doc_id,
        "domain": DOMAIN_OF[doc.source],
        "source": doc.source,
        "image": {"bytes": doc.image, "path": f"{doc.doc_id}.jpg"},
        "image_sha256": hashlib.sha256(doc.image).hexdigest(),
        "pixel_sha256": plain_pixel_hash(doc.image),
        "width": width,
        "height": height,
        "schema_json": json.dumps(doc.schema),
        "user_intent": doc.intent,
        "target_json": json.dumps(doc.target, ensure_ascii=False),
        "evaluation_labels_json": json.dumps(doc.labels),
        "upstream_image_url": f"data/{doc.source}/images/{doc.doc_id}.jpg",
        "prep_id": prep_id,
    }


def _manifest(rows, files, prep_id, partial, missing, revisions):
    by_domain: dict[str, int] = {}
    for source, number in EXPECTED.items():
        by_domain[DOMAIN_OF[source]] = by_domain.get(DOMAIN_OF[source], 0) + number
    found = counts(rows, "source")
    return {
        "format": 1,
        "tool": "sobench 0.2.0",
        "prep_id": prep_id,
        "upstream": {
            "repository": "https://example.org/bench",
            "commit": COMMIT,
            "files": {"data/labels.zip": "ab" * 32},
        },
        "sources": {
            source: {
                "title": source.title(),
                "domain": DOMAIN_OF[source],
                "where": f"https://example.org/{source}",
                "revision": revisions.get(source, f"{source}-rev-1"),
                "recipe": "as_is",
                "licence": f"terms of {source}",
                "wanted": EXPECTED[source],
                "found": found.get(source, 0),
                "missing": missing.get(source, {}),
                "evidence": {},
                "retrieved_at": "2026-01-02T03:04:05Z",
            }
            for source in EXPECTED
        },
        "encoder": {"pillow": "13.0.0", "libjpeg_turbo": "3.2.0"},
        "prompts_sha256": prompts_sha256(),
        "expected_total": sum(EXPECTED.values()),
        "expected": {"domain": by_domain, "source": EXPECTED},
        "counts": {"domain": counts(rows, "domain"), "source": found},
        "partial": partial,
        "files": files,
        "documents": {
            row["doc_id"]: {
                "image_sha256": row["image_sha256"],
                "pixel_sha256": row["pixel_sha256"],
                "row_sha256": row_sha256(row),
            }
            for row in rows
        },
    }
