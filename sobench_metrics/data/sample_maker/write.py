"""Write the sample set in the prepared layout: the same seed and libraries give the same bytes."""

import hashlib
import json
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

from sobench_metrics.data.sample_maker import MAKER_VERSION, ifstruct_rows, prompts
from sobench_metrics.data.sample_maker.drawn import Drawn, Kind
from sobench_metrics.data.sample_maker.kinds import DOMAINS
from sobench_metrics.data.sample_maker.libraries import libraries
from sobench_metrics.data.sample_maker.stored import stored_row
from sobench_metrics.data.set_layout import card_configs, counts, pretty, row_sha256, write_parquet

__all__ = ["DOMAINS", "libraries", "sobench_rows", "write_sample_set"]

_JPEG_QUALITY = 85  # keeps the whole set under 3 MB; text stays crisp at the sizes drawn
_TRIES = 6  # see _unlike


@dataclass(frozen=True, slots=True)
class _Document:
    doc_id: str
    domain: str
    source: str
    drawn: Drawn


def sobench_rows(seed: int, per_kind: int) -> list[dict[str, Any]]:
    """Return all SO-Bench-like rows, sorted by doc_id, with one common prep_id."""
    rows = sorted((_row(entry) for entry in _documents(seed, per_kind)), key=lambda row: str(row["doc_id"]))
    prep_id = "sample-" + _sha256(json.dumps([MAKER_VERSION, [row["pixel_sha256"] for row in rows]]).encode())[:12]
    return [{**row, "prep_id": prep_id} for row in rows]


def write_sample_set(out: Path, seed: int = 0, per_kind: int = 2) -> dict[str, Any]:
    """Write parquet files, prompts, IFStruct-like rows, dataset card and manifest under `out`; return the manifest."""
    rows = sobench_rows(seed, per_kind)
    written: dict[str, bytes] = {
        "ifstruct.jsonl": _lines(ifstruct_rows.rows(seed)),
        "prompts.json": pretty(prompts.as_mapping()),
        "README.md": _dataset_card().encode(),
    }
    for domain in DOMAINS:
        name = f"data/{domain}/test-00000-of-00001.parquet"
        written[name] = _parquet([row for row in rows if row["domain"] == domain])
    manifest = _manifest(rows, written, seed, per_kind)
    written["manifest.json"] = pretty(manifest)
    for name, content in written.items():
        path = out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return manifest


def _documents(seed: int, per_kind: int) -> list[_Document]:
    found = []
    for domain, kinds in DOMAINS.items():
        for kind, draw in kinds.items():
            earlier: list[Drawn] = []
            for index in range(per_kind):
                drawn = _unlike(earlier, draw, f"{seed}/{domain}/{kind}/{index}")
                earlier.append(drawn)
                found.append(_Document(f"sample_{domain}_{kind}_{index:03d}", domain, kind, drawn))
    return found


def _unlike(earlier: list[Drawn], draw: Kind, name: str) -> Drawn:
    """Draw a few times and keep what shares the least with the documents of this kind drawn before."""
    seen = [word for other in earlier for word in _words(other)]
    tries = [draw(Random(f"{name}/{turn}")) for turn in range(_TRIES if seen else 1)]  # noqa: S311 - data, no secret
    return min(tries, key=lambda drawn: sum(seen.count(word) for word in _words(drawn)))


def _words(drawn: Drawn) -> set[str]:
    """Return the words of the intent and of all texts in the target, and its other values with their keys."""
    return {*drawn.user_intent.split(), *_leaves(drawn.target, "")}


def _leaves(value: Any, key: str) -> list[str]:
    if isinstance(value, dict):
        return [word for name, child in value.items() for word in _leaves(child, name)]
    if isinstance(value, list):
        return [word for child in value for word in _leaves(child, key)]
    return value.split() if isinstance(value, str) else [f"{key}={value}"]


def _row(entry: _Document) -> dict[str, Any]:
    return stored_row(entry.doc_id, entry.domain, entry.source, entry.drawn, _JPEG_QUALITY)


def _parquet(rows: list[dict[str, Any]]) -> bytes:
    sink = BytesIO()
    write_parquet(sink, rows)
    return sink.getvalue()


def _manifest(rows: list[dict[str, Any]], written: dict[str, bytes], seed: int, per_kind: int) -> dict[str, Any]:
    ifstruct = [json.loads(line) for line in written["ifstruct.jsonl"].decode().splitlines()]
    return {
        "what": "sample set drawn by sobench_metrics.data.sample_maker; not comparable with SO-Bench or IFStruct",
        "licence": "Apache-2.0 (all pictures, rows and wording made for this project)",
        "maker_version": MAKER_VERSION,
        "seed": seed,
        "per_kind": per_kind,
        "libraries": libraries(),
        "prep_id": rows[0]["prep_id"],
        "expected_total": len(rows),
        "expected": {"domain": counts(rows, "domain")},
        "counts": {"domain": counts(rows, "domain"), "source": counts(rows, "source")},
        "ifstruct": {
            "expected_total": len(ifstruct),
            "output_format": counts(ifstruct, "output_format"),
            "entity_type": counts(ifstruct, "entity_type"),
        },
        "files": {
            name: {"sha256": _sha256(content), "bytes": len(content)} for name, content in sorted(written.items())
        },
        "documents": {
            row["doc_id"]: {
                "image_sha256": row["image_sha256"],
                "pixel_sha256": row["pixel_sha256"],
                "row_sha256": row_sha256(row),
            }
            for row in rows
        },
    }


def _dataset_card() -> str:
    lines = ["---", "license: apache-2.0", *card_configs(DOMAINS)]
    lines += [
        "---",
        "# Sample set",
        "",
        "Drawn by `python -m sobench_metrics.data.sample_maker`; no picture, name or sentence comes from elsewhere.",
        "It serves tests and first steps. Its numbers are never comparable with those of SO-Bench or IFStruct.",
        "",
    ]
    return "\n".join(lines)


def _lines(rows: list[dict[str, Any]]) -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
