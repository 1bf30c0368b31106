"""Prove that a prepared set is what its manifest says, and is fit to be asked and scored.

Files are hashed, rows are read one at a time, each picture is decoded; nothing is taken from the manifest alone.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from string import Formatter
from typing import TYPE_CHECKING, Any

from sobench_metrics.data.hashes import Hashes, compare, hashes_of
from sobench_metrics.data.plain_words import counted, reason
from sobench_metrics.data.prepared_sets import (
    SetManifest,
    data_files,
    file_rows,
    n_of_n,
    read_manifest,
    size_text,
)
from sobench_metrics.data.verify_row import COLUMNS, Deviation, SeenRow, look_at_row
from sobench_metrics.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

__all__ = ["Check", "Report", "verify"]

_PIECE = 1 << 20
_CARD = "README.md"  # people write into it: a changed card is told, but proves nothing about the data


@dataclass(frozen=True, slots=True)
class Check:
    """One line of the report: what was looked at, in words and figures, and what deviates."""

    name: str
    detail: str
    deviations: tuple[Deviation, ...] = ()

    @property
    def level(self) -> str:
        """`ok`, `warn` or `FAIL`."""
        if any(not deviation.warning for deviation in self.deviations):
            return "FAIL"
        return "warn" if self.deviations else "ok"


@dataclass(frozen=True, slots=True)
class Report:
    """All checks of one set."""

    root: Path
    prep_id: str
    checks: tuple[Check, ...]

    @property
    def deviations(self) -> tuple[Deviation, ...]:
        """Everything that was found, check by check."""
        return tuple(deviation for check in self.checks for deviation in check.deviations)

    @property
    def sound(self) -> bool:
        """Whether nothing but warnings was found."""
        return all(deviation.warning for deviation in self.deviations)

    @property
    def damaged(self) -> bool:
        """Whether the set is not what it says itself, whatever a reference says."""
        return any(not found.warning and not found.code.startswith("reference.") for found in self.deviations)


def verify(root: Path, reference: Hashes | None = None, *, seen: Callable[[int], None] = lambda _: None) -> Report:
    """Return the report on a set; with `reference` its prompts, texts and pixels are compared with
    another person's.

    `seen` is called with the number of rows read so far. Raises UsageError when the manifest cannot be read; any other
    damage is a deviation.
    """
    manifest = read_manifest(root)
    damaged: list[Deviation] = []
    rows: list[SeenRow] = []
    for row in _seen_rows(root, manifest, damaged):
        rows.append(row)
        seen(len(rows))
    prompts, digest = _prompts(root, manifest)
    checks = [
        _files(root, manifest),
        _counts(manifest, rows),
        _ids(manifest, rows),
        *_row_checks(rows, damaged),
        prompts,
    ]
    if reference is not None:
        checks.append(_reference(manifest, rows, digest, reference))
    return Report(root, manifest.prep_id, tuple(checks))


def _seen_rows(root: Path, manifest: SetManifest, damaged: list[Deviation]) -> Iterator[SeenRow]:
    for file in data_files(root):
        with _noted(damaged):
            for _, row in file_rows(file, COLUMNS):
                promised = manifest.documents.get(row["doc_id"]) if isinstance(row["doc_id"], str) else None
                yield look_at_row(row, domain=file.parent.name, prep_id=manifest.prep_id, promised=promised)


@contextmanager
def _noted(damaged: list[Deviation]) -> Iterator[None]:
    try:
        yield
    except UsageError as error:
        damaged.append(Deviation("row.unreadable", "", str(error)))


# --- files and prompts -----------------------------------------------------------------------------------------------


def _files(root: Path, manifest: SetManifest) -> Check:
    found: list[Deviation] = []
    for name, promised in sorted(manifest.files.items()):
        fault = _file_fault(root, name, promised)
        if fault:
            code, message = fault
            found.append(Deviation(code, "", f"{name}: {message}", warning=name == _CARD))
    listed = {root / name for name in manifest.files}
    for file in data_files(root):
        if file not in listed:
            name = file.relative_to(root).as_posix()
            found.append(Deviation("file.unlisted", "", f"{name}: is not in the manifest, but would be read"))
    if not manifest.files:
        found.append(Deviation("file.missing", "", "the manifest lists no files"))
    size = sum(entry["bytes"] for entry in manifest.files.values() if isinstance(entry.get("bytes"), int))
    return Check("files", f"{counted(len(manifest.files), 'file')}, {size_text(size)}: size and SHA-256", tuple(found))


def _file_fault(root: Path, name: str, promised: Any) -> tuple[str, str] | None:
    place = PurePosixPath(name)
    if place.is_absolute() or ".." in place.parts or "\\" in name or "\0" in name:
        return "file.name", "is no name inside the set"
    try:
        size, digest = _facts(root / name)
    except OSError as error:
        return "file.missing", f"cannot be read ({reason(error)})"
    if size != promised.get("bytes"):
        return "file.size", f"has {counted(size, 'byte')}, the manifest says {promised.get('bytes')}"
    if digest != promised.get("sha256"):
        return "file.sha256", "does not have the SHA-256 of the manifest"
    return None


def _facts(file: Path) -> tuple[int, str]:
    digest, size = hashlib.sha256(), 0
    with file.open("rb") as stream:
        while piece := stream.read(_PIECE):
            digest.update(piece)
            size += len(piece)
    return size, digest.hexdigest()


def _prompts(root: Path, manifest: SetManifest) -> tuple[Check, str]:
    """Return the check and the hash of the two texts, "" when they cannot be read."""
    try:
        prompts = json.loads((root / "prompts.json").read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        return _unreadable(f"cannot be read ({reason(error)})"), ""
    system, user = (prompts.get(name) if isinstance(prompts, dict) else None for name in ("system", "user"))
    if not isinstance(system, str) or not isinstance(user, str):
        return _unreadable("holds no two texts, system and user"), ""
    try:
        digest = hashlib.sha256(f"{system}\0{user}".encode()).hexdigest()
        places = {name for _, name, _, _ in Formatter().parse(user) if name is not None}
    except UnicodeEncodeError:
        return _unreadable("holds half a character"), ""
    except ValueError:
        return _unreadable("has a brace in the user prompt that belongs to no place"), ""
    found = []
    for where, promised in (("prompts.json", prompts.get("sha256")), ("the manifest", manifest.prompts_sha256)):
        if promised and promised != digest:
            found.append(Deviation("prompts.sha256", "", f"the two texts do not have the hash that {where} states"))
    if places != {"schema_json", "user_intent"}:
        found.append(Deviation("prompts.placeholders", "", f"the user prompt has the places {sorted(places)}"))
    return Check("prompts", f"SHA-256 {digest[:12]}, both places", tuple(found)), digest


def _unreadable(fault: str) -> Check:
    return Check("prompts", "unreadable", (Deviation("prompts.unreadable", "", f"prompts.json: {fault}"),))


# --- counts and ids --------------------------------------------------------------------------------------------------


def _counts(manifest: SetManifest, rows: list[SeenRow]) -> Check:
    found = []
    for kind, there in (("domain", Counter(r.domain for r in rows)), ("source", Counter(r.source for r in rows))):
        promised = manifest.counts.get(kind, {})
        for name in sorted({*there, *promised}):
            if there[name] != promised.get(name, 0):
                text = f"{counted(there[name], 'row')} of the {kind} {name}, the manifest says {promised.get(name, 0)}"
                found.append(Deviation(f"counts.{kind}", "", text))
    shares = n_of_n(manifest)
    unmarked = _unmarked(manifest, shares)
    if unmarked:
        found.append(Deviation("counts.short", "", f"{', '.join(unmarked)}, and the set is not marked as partial"))
    if manifest.partial is not None:
        why = manifest.partial.get("allowed_by", "an unknown flag")
        text = f"a partial set, by {why}: every number from it must say n of N"
        found.append(Deviation("counts.partial", "", text, warning=True))
    found += [
        Deviation("counts.not_had", doc_id, f"could not be had: {why}", warning=True)
        for doc_id, why in sorted(manifest.missing.items())
    ]
    read = Counter(row.domain for row in rows)
    listed = ", ".join(f"{name} {read[name]:,} of {shares.get(name, (0, 0))[1]:,}" for name in sorted({*shares, *read}))
    return Check("counts", f"{len(rows):,} of {manifest.expected_total:,} samples ({listed})", tuple(found))


def _unmarked(manifest: SetManifest, shares: Mapping[str, tuple[int, int]]) -> list[str]:
    """Return the domains that lack samples without being marked as partial, with their n of N.

    A domain without any sample was not asked for, and lacks nothing, unless one of it is listed as missing.
    """
    marked = manifest.partial.get("domains") if manifest.partial is not None else None
    excused = marked if isinstance(marked, dict) else {}
    sought = {source.get("domain") for source in manifest.sources.values() if source["missing"]}
    return [
        f"{name} {have:,} of {of:,}"
        for name, (have, of) in shares.items()
        if have < of and (have or name in sought) and name not in excused
    ]


def _ids(manifest: SetManifest, rows: list[SeenRow]) -> Check:
    times = Counter(row.doc_id for row in rows)
    found = [
        Deviation("ids.duplicate", name, f"occurs {counted(count, 'time')}")
        for name, count in times.items()
        if count > 1
    ]
    found += [
        Deviation("ids.unlisted", name, "is not in the manifest") for name in times if name not in manifest.documents
    ]
    found += [
        Deviation("ids.missing", name, "is in the manifest only") for name in manifest.documents if name not in times
    ]
    return Check("ids", f"{len(times):,} doc ids, each once, those of the manifest", tuple(found))


# --- what the rows showed --------------------------------------------------------------------------------------------

_BY_ROW = {  # by the first word of the codes: the name of the check, and what is counted
    "row": ("rows", "text columns and their SHA-256"),
    "image": ("images", "JPEG bytes, size and pixels"),
    "schema": ("schemas", "valid JSON Schemas"),
    "target": ("targets", "targets that follow their schema"),
    "labels": ("labels", "labels exact, fuzzy or ignore, of the target's shape"),
}


def _row_checks(rows: list[SeenRow], damaged: list[Deviation]) -> Iterator[Check]:
    everything = [*damaged, *(deviation for row in rows for deviation in row.deviations)]
    for word, (name, what) in _BY_ROW.items():
        found = tuple(deviation for deviation in everything if deviation.code.partition(".")[0] == word)
        deviating = len({deviation.doc_id for deviation in found if deviation.doc_id})
        yield Check(name, f"{len(rows) - deviating:,} of {len(rows):,}: {what}", found)


def _reference(manifest: SetManifest, rows: Iterable[SeenRow], prompts_sha256: str, reference: Hashes) -> Check:
    seen_rows = {row.doc_id: row for row in rows}
    mine = replace(
        hashes_of(manifest),
        documents={doc_id: row.pixel_sha256 for doc_id, row in seen_rows.items()},
        rows={doc_id: row.row_sha256 for doc_id, row in seen_rows.items()},
        prompts_sha256=prompts_sha256 or "unreadable",
    )
    seen = compare(mine, reference)
    found = [Deviation("reference.prompts", "", "other prompts than the reference")] if seen.other_prompts else []
    found += [Deviation("reference.pixels", name, "other pixels than the reference") for name in seen.differing]
    found += [
        Deviation("reference.texts", name, "another schema, intent, target or labels than the reference")
        for name in seen.other_texts
    ]
    found += [
        Deviation("reference.missing", name, "is in the reference only", warning=not mine.whole)
        for name in seen.missing
    ]
    found += [
        Deviation("reference.extra", name, "is not in the reference", warning=not reference.whole)
        for name in seen.extra
    ]
    found += [Deviation("reference.origin", "", text, warning=True) for text in seen.reasons]
    if not reference.tells_texts:
        text = "an older file, of pictures alone: texts and prompts were not compared"
        found.append(Deviation("reference.format", "", text, warning=True))
    equal = len(mine.documents) - len({*seen.differing, *seen.other_texts}) - len(seen.extra)
    compared = "samples equal in texts and pixels" if reference.tells_texts else "pictures equal"
    what = f"{equal:,} of {len(reference.documents):,} {compared} to those of {reference.prep_id}"
    return Check("reference", what, tuple(found))
