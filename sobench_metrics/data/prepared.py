"""Read the prepared SO-Bench: one parquet per domain, the prompts, the manifest.

Layout (see README): `$SOBENCH_HOME/prepared/<prep_id>/{data/<domain>/*.parquet, prompts.json, manifest.json}`.
Docs hold texts and a reference to the picture, never pixels: a harness copies docs freely.
"""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sobench_metrics.data.images import ImageRef, image_ref
from sobench_metrics.errors import UsageError

__all__ = ["DOMAINS", "PreparedSet", "Prompts", "image_of", "load", "prepared_root", "sobench_home"]

DOMAINS = ("ui", "natural", "document", "chart")
_COLUMNS = (
    "doc_id", "domain", "source", "image_sha256", "width", "height",
    "schema_json", "user_intent", "target_json", "evaluation_labels_json", "prep_id",
)  # fmt: skip
_REMEDY = "run `sobench prepare` (or set SOBENCH_HOME to the folder that holds it)"


@dataclass(frozen=True, slots=True)
class Prompts:
    """The system prompt (verbatim, never formatted) and the user template with its two placeholders."""

    system: str
    user: str
    sha256: str

    def user_text(self, *, schema_json: str, user_intent: str) -> str:
        """Return the user's message; braces inside the two values are safe."""
        return self.user.format(schema_json=schema_json, user_intent=user_intent)


@dataclass(frozen=True, slots=True)
class PreparedSet:
    """One domain, ready to ask: docs in the order of their ids, prompts, and what the numbers must say."""

    root: Path
    domain: str
    docs: tuple[dict[str, Any], ...]
    prompts: Prompts
    prep_id: str
    expected: int  # docs that a complete domain has; len(docs) below it means a partial set


def sobench_home() -> Path:
    """Return the folder of prepared data: `SOBENCH_HOME`, else `~/.cache/sobench`."""
    return Path(os.environ.get("SOBENCH_HOME") or "~/.cache/sobench").expanduser()


def prepared_root(home: Path) -> Path:
    """Return the folder of one prepared set: `home` itself when it holds a manifest, else the only one below.

    Raises UsageError when there is none or when it is unclear which one is meant.
    """
    if (home / "manifest.json").is_file():
        return home
    current = home / "prepared" / "current"
    if current.is_file():
        return home / "prepared" / current.read_text(encoding="utf-8").strip()
    roots = sorted(path.parent for path in home.glob("prepared/*/manifest.json"))
    if not roots:
        raise UsageError(f"no prepared SO-Bench data in {home}: {_REMEDY}.")
    if len(roots) > 1:
        names = ", ".join(root.name for root in roots)
        raise UsageError(f"{home}/prepared holds several sets ({names}): set SOBENCH_HOME to one of their folders.")
    return roots[0]


def load(root: Path, domain: str) -> PreparedSet:
    """Return the prepared set of one domain.

    Raises UsageError when a file is missing, unreadable, or lacks a column; a set that lost a sample on the way
    is a fault, never a smaller denominator.
    """
    if domain not in DOMAINS:
        raise UsageError(f"unknown SO-Bench domain {domain!r}: choose from {', '.join(DOMAINS)}.")
    manifest = _read_json(root / "manifest.json")
    files = sorted((root / "data" / domain).glob("test-*.parquet"))
    if not files:
        raise UsageError(f"no data of the domain {domain!r} in {root}: {_REMEDY}.")
    docs = tuple(doc for file in files for doc in _read_docs(root, file))
    promised = manifest.get("counts", {}).get("domain", {}).get(domain)
    if promised is not None and promised != len(docs):
        raise UsageError(
            f"{root} holds {len(docs)} {domain} samples where its manifest promises {promised}: {_REMEDY} again."
        )
    expected = manifest.get("expected", {}).get("domain", {}).get(domain, len(docs))
    return PreparedSet(root, domain, docs, _read_prompts(root), str(manifest.get("prep_id", "unknown")), expected)


def image_of(root: Path, doc: dict[str, Any]) -> ImageRef:
    """Return the reference to a doc's picture."""
    file, _, row = str(doc["image"]).partition("#")
    return image_ref(doc["image_sha256"], file=root / file, row=int(row), pixels=int(doc["width"]) * int(doc["height"]))


def _read_docs(root: Path, file: Path) -> list[dict[str, Any]]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        rows = pq.read_table(file, columns=list(_COLUMNS)).to_pylist()
    except (OSError, KeyError, pa.ArrowException) as error:
        raise UsageError(f"cannot read {file} ({error}): {_REMEDY} again.") from error
    missing = [name for name in _COLUMNS if rows and name not in rows[0]]
    if missing:
        raise UsageError(f"{file} lacks the column {missing[0]!r}: {_REMEDY} again.")
    relative = file.relative_to(root).as_posix()
    return [{**row, "image": f"{relative}#{number}"} for number, row in enumerate(rows)]


def _read_prompts(root: Path) -> Prompts:
    raw = _read_json(root / "prompts.json")
    try:
        system, user = raw["system"], raw["user"]
        user.format(schema_json="", user_intent="")
    except (KeyError, IndexError, ValueError, AttributeError) as error:
        raise UsageError(f"{root / 'prompts.json'} is not a pair of prompts ({error!r}): {_REMEDY} again.") from error
    return Prompts(system, user, hashlib.sha256(f"{system}\0{user}".encode()).hexdigest())


def _read_json(file: Path) -> dict[str, Any]:
    try:
        value = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot read {file} ({error}): {_REMEDY}.") from error
    if not isinstance(value, dict):
        raise UsageError(f"{file} does not hold a JSON object: {_REMEDY} again.")
    return value
