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
from string import Formatter
from typing import Any

from sobench_metrics.data.images import ImageRef, image_ref
from sobench_metrics.errors import UsageError

__all__ = ["DOMAINS", "PreparedSet", "Prompts", "image_of", "load", "prepared_root", "sobench_home"]

DOMAINS = ("ui", "natural", "document", "chart")
_JSON_COLUMNS = ("schema_json", "target_json", "evaluation_labels_json")
_TEXT_COLUMNS = ("doc_id", "domain", "source", "image_sha256", "user_intent", "prep_id", *_JSON_COLUMNS)
_NUMBER_COLUMNS = ("width", "height")
_COLUMNS = (*_TEXT_COLUMNS, *_NUMBER_COLUMNS)
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
        name = current.read_text(encoding="utf-8").strip()
        if Path(name).name != name or not (home / "prepared" / name / "manifest.json").is_file():
            raise UsageError(f"{current} names the set {name!r}, which is not there: {_REMEDY}.")
        return home / "prepared" / name
    roots = sorted(path.parent for path in home.glob("prepared/[!.]*/manifest.json"))
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
    docs = tuple(doc for file in files for doc in _read_docs(root, file, domain))
    promised = _count(manifest, "counts", domain)
    if promised is not None and promised != len(docs):
        raise UsageError(
            f"{root} holds {len(docs)} {domain} samples where its manifest promises {promised}: {_REMEDY} again."
        )
    expected = _count(manifest, "expected", domain) or len(docs)
    return PreparedSet(root, domain, docs, _read_prompts(root), str(manifest.get("prep_id", "unknown")), expected)


def _count(manifest: dict[str, Any], kind: str, domain: str) -> int | None:
    counts = manifest.get(kind, {})
    by_domain = counts.get("domain", {}) if isinstance(counts, dict) else None
    if not isinstance(by_domain, dict):
        raise UsageError(f"{kind!r} of the manifest lists no numbers by domain: {_REMEDY} again.")
    count = by_domain.get(domain)
    return count if isinstance(count, int) else None


def image_of(root: Path, doc: dict[str, Any]) -> ImageRef:
    """Return the reference to a doc's picture."""
    file, _, row = str(doc["image"]).partition("#")
    return image_ref(doc["image_sha256"], file=root / file, row=int(row), pixels=int(doc["width"]) * int(doc["height"]))


def _read_docs(root: Path, file: Path, domain: str) -> list[dict[str, Any]]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        rows = pq.read_table(file, columns=list(_COLUMNS)).to_pylist()
    except (OSError, KeyError, pa.ArrowException) as error:
        raise UsageError(f"cannot read {file} ({error}): {_REMEDY} again.") from error
    missing = [name for name in _COLUMNS if rows and name not in rows[0]]
    if missing:
        raise UsageError(f"{file} lacks the column {missing[0]!r}: {_REMEDY} again.")
    for number, row in enumerate(rows):
        fault = _row_fault(row, domain)
        if fault:
            raise UsageError(f"row {number} of {file} cannot be asked or scored ({fault}): {_REMEDY} again.")
    relative = file.relative_to(root).as_posix()
    return [{**row, "image": f"{relative}#{number}"} for number, row in enumerate(rows)]


def _row_fault(row: dict[str, Any], domain: str) -> str | None:
    for column in _TEXT_COLUMNS:
        if not isinstance(row[column], str):
            return f"{column} is no text"
    for column in _NUMBER_COLUMNS:
        if not isinstance(row[column], int) or row[column] < 1:
            return f"{column} is no positive number"
    broken = next((column for column in _JSON_COLUMNS if not _is_json(row[column])), None)
    if broken:
        return f"{broken} is no JSON"
    return None if row["domain"] == domain else f"its domain is {row['domain']!r}, not {domain!r}"


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _read_prompts(root: Path) -> Prompts:
    raw = _read_json(root / "prompts.json")
    try:
        system, user = raw["system"], raw["user"]
        places = {name for _, name, _, _ in Formatter().parse(user) if name is not None}
        if not isinstance(system, str) or places != {"schema_json", "user_intent"}:
            raise ValueError("need a text `system`, and a `user` with {schema_json} and {user_intent}")  # noqa: TRY301
    except (KeyError, ValueError, TypeError) as error:
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
