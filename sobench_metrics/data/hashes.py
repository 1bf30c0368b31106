"""Hashes of a prepared set as a small file to hand on: facts that prove equal pixels, without a word of any label.

Two people compare what their models saw by exchanging this file; pictures and labels stay where they are.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sobench_metrics.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from sobench_metrics.data.prepared_sets import SetManifest

__all__ = ["FORMAT", "Comparison", "Hashes", "compare", "hashes_of", "read_hashes"]

FORMAT = 1
_LARGEST = 100_000_000  # a whole benchmark's hashes take some 200 kB


@dataclass(frozen=True, slots=True)
class Hashes:
    """The pixels of a set by doc id, and all that explains a difference."""

    prep_id: str
    tool: str
    commit: str
    upstream_files: Mapping[str, str]
    revisions: Mapping[str, str]
    encoder: Mapping[str, str]
    whole: bool  # all samples of the benchmark
    documents: Mapping[str, str]

    def as_json(self) -> dict[str, Any]:
        """Return the content of the file."""
        return {
            "format": FORMAT,
            "prep_id": self.prep_id,
            "tool": self.tool,
            "upstream": {"commit": self.commit, "files": dict(self.upstream_files)},
            "sources": dict(self.revisions),
            "encoder": dict(self.encoder),
            "whole": self.whole,
            "documents": dict(sorted(self.documents.items())),
        }


@dataclass(frozen=True, slots=True)
class Comparison:
    """Doc ids whose pixels differ, or that only one side has; `reasons` says what else differs, a sentence each."""

    differing: tuple[str, ...]
    missing: tuple[str, ...]
    extra: tuple[str, ...]
    reasons: tuple[str, ...]


def hashes_of(manifest: SetManifest) -> Hashes:
    """Return the hashes that a manifest lists (`sobench verify` proves that the pictures have them)."""
    files = manifest.upstream.get("files", {})
    return Hashes(
        prep_id=manifest.prep_id,
        tool=manifest.tool,
        commit=manifest.commit,
        upstream_files=files if isinstance(files, dict) else {},
        revisions=manifest.revisions,
        encoder=manifest.encoder,
        whole=manifest.total == manifest.expected_total,
        documents={doc_id: entry.get("pixel_sha256", "") for doc_id, entry in manifest.documents.items()},
    )


def read_hashes(file: Path) -> Hashes:
    """Return the hashes of a file that `sobench export-hashes` wrote; raises UsageError when it is no such file."""
    remedy = "name a file that `sobench export-hashes` wrote"
    try:
        with file.open("rb") as stream:
            content = stream.read(_LARGEST + 1)
        raw = json.loads(content) if len(content) <= _LARGEST else None
    except (OSError, ValueError, RecursionError) as error:
        raise UsageError(f"cannot read {file} ({error}): {remedy}.") from error
    if not isinstance(raw, dict) or "documents" not in raw:
        raise UsageError(f"{file} holds no list of hashes: {remedy}.")
    if raw.get("format") != FORMAT:
        raise UsageError(f"{file} has the format {raw.get('format')!r}, not {FORMAT}: {remedy} with this version.")
    upstream = raw.get("upstream")
    try:
        return Hashes(
            prep_id=str(raw.get("prep_id", "")),
            tool=str(raw.get("tool", "")),
            commit=str(upstream.get("commit", "")) if isinstance(upstream, dict) else "",
            upstream_files=_texts(upstream.get("files", {}) if isinstance(upstream, dict) else {}),
            revisions=_texts(raw.get("sources", {})),
            encoder=_texts(raw.get("encoder", {})),
            whole=raw.get("whole") is not False,
            documents=_texts(raw["documents"]),
        )
    except TypeError as error:
        raise UsageError(f"{file} is damaged ({error}): {remedy}.") from error


def compare(mine: Hashes, theirs: Hashes) -> Comparison:
    """Return how two sets differ; the reasons name versions and revisions even where no pixel differs."""
    common = mine.documents.keys() & theirs.documents.keys()
    reasons = [
        *_different("upstream's commit", {"": mine.commit}, {"": theirs.commit}),
        *_different("upstream's file", mine.upstream_files, theirs.upstream_files),
        *_different("the revision of", mine.revisions, theirs.revisions),
        *_different("the encoder", mine.encoder, theirs.encoder),
    ]
    return Comparison(
        differing=tuple(sorted(name for name in common if mine.documents[name] != theirs.documents[name])),
        missing=tuple(sorted(theirs.documents.keys() - common)),
        extra=tuple(sorted(mine.documents.keys() - common)),
        reasons=tuple(reasons),
    )


def _different(what: str, mine: Mapping[str, str], theirs: Mapping[str, str]) -> list[str]:
    return [
        f"{what} {name}".rstrip() + f" is {mine[name]} here and {theirs[name]} there"
        for name in sorted(mine.keys() & theirs.keys())
        if mine[name] != theirs[name]
    ]


def _texts(value: Any) -> dict[str, str]:
    if not isinstance(value, dict) or not all(isinstance(text, str) for text in value.values()):
        raise TypeError("a part of it is no list of texts by name")
    return value
