"""Hashes of a prepared set as a small file to hand on: facts that prove equal prompts, texts and pixels.

Two people compare what their models were asked and saw by exchanging this file; pictures, and every word of a label,
stay where they are.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sobench_metrics.data.plain_words import reason
from sobench_metrics.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from sobench_metrics.data.prepared_sets import SetManifest

__all__ = ["FORMAT", "Comparison", "Hashes", "compare", "hashes_of", "read_hashes"]

FORMAT = 2
_PIXELS_ALONE = 1  # the first format: a hash of pixels by doc id, none of texts and prompts
_LARGEST = 100_000_000  # a whole benchmark's hashes take some 200 kB


@dataclass(frozen=True, slots=True)
class Hashes:
    """The pixels and the texts of a set by doc id, its prompts, and all that explains a difference.

    `rows` and `prompts_sha256` are empty when a file of the first format does not tell them.
    """

    prep_id: str
    tool: str
    commit: str
    upstream_files: Mapping[str, str]
    revisions: Mapping[str, str]
    encoder: Mapping[str, str]
    whole: bool  # all samples of the benchmark
    documents: Mapping[str, str]  # of the pixels
    rows: Mapping[str, str]  # of schema, intent, target and labels
    prompts_sha256: str

    @property
    def tells_texts(self) -> bool:
        """Whether texts and prompts can be compared, and not the pictures alone."""
        return bool(self.prompts_sha256)

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
            "prompts_sha256": self.prompts_sha256,
            "documents": {
                doc_id: {"pixel_sha256": pixels, "row_sha256": self.rows.get(doc_id, "")}
                for doc_id, pixels in sorted(self.documents.items())
            },
        }


@dataclass(frozen=True, slots=True)
class Comparison:
    """Doc ids whose pixels or texts differ, or that only one side has; `reasons` says what else differs."""

    differing: tuple[str, ...]
    other_texts: tuple[str, ...]
    other_prompts: bool
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
        rows={doc_id: entry.get("row_sha256", "") for doc_id, entry in manifest.documents.items()},
        prompts_sha256=manifest.prompts_sha256,
    )


def read_hashes(file: Path) -> Hashes:
    """Return the hashes of a file that `sobench export-hashes` wrote; raises UsageError when it is no such file."""
    remedy = "name a file that `sobench export-hashes` wrote"
    try:
        with file.open("rb") as stream:
            content = stream.read(_LARGEST + 1)
        raw = json.loads(content) if len(content) <= _LARGEST else None
    except (OSError, ValueError, RecursionError) as error:
        raise UsageError(f"cannot read {file} ({reason(error)}): {remedy}.") from error
    if not isinstance(raw, dict) or "documents" not in raw:
        raise UsageError(f"{file} holds no list of hashes: {remedy}.")
    if raw.get("format") not in (_PIXELS_ALONE, FORMAT):
        raise UsageError(
            f"{file} has the format {raw.get('format')!a}, not {_PIXELS_ALONE} or {FORMAT}: {remedy} with this version."
        )
    pixels_alone = raw["format"] == _PIXELS_ALONE
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
            documents=_texts(raw["documents"]) if pixels_alone else _column(raw["documents"], "pixel_sha256"),
            rows={} if pixels_alone else _column(raw["documents"], "row_sha256"),
            prompts_sha256="" if pixels_alone else _prompts(raw),
        )
    except TypeError as error:
        raise UsageError(f"{file} is damaged ({error}): {remedy}.") from error


def compare(mine: Hashes, theirs: Hashes) -> Comparison:
    """Return how two sets differ; the reasons name versions and revisions even where no pixel differs.

    Texts and prompts are compared when both sides tell them.
    """
    common = mine.documents.keys() & theirs.documents.keys()
    texts = mine.tells_texts and theirs.tells_texts
    differing = tuple(sorted(name for name in common if mine.documents[name] != theirs.documents[name]))
    other_texts = tuple(sorted(name for name in common if texts and mine.rows.get(name) != theirs.rows.get(name)))
    other_prompts = texts and mine.prompts_sha256 != theirs.prompts_sha256
    equal = not (differing or other_texts or other_prompts) and mine.documents.keys() == theirs.documents.keys()
    reasons = [
        *(_other_name(mine, theirs) if equal and texts else ()),
        *_different("upstream's commit", {"": mine.commit}, {"": theirs.commit}),
        *_different("upstream's file", mine.upstream_files, theirs.upstream_files),
        *_different("the revision of", mine.revisions, theirs.revisions),
        *_different("the encoder", mine.encoder, theirs.encoder),
    ]
    return Comparison(
        differing=differing,
        other_texts=other_texts,
        other_prompts=other_prompts,
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


def _other_name(mine: Hashes, theirs: Hashes) -> list[str]:
    if mine.prep_id == theirs.prep_id:
        return []
    text = (
        f"the set id is {mine.prep_id} here and {theirs.prep_id} there, with the same prompts, texts and pixels: "
        "the id is also made of the number of samples in the whole benchmark, by the rules of the tool's version"
    )
    return [text]


def _column(documents: Any, key: str) -> dict[str, str]:
    if not isinstance(documents, dict) or not all(isinstance(entry, dict) for entry in documents.values()):
        raise TypeError("'documents' is no list of hashes by name")
    return _texts({doc_id: entry.get(key) for doc_id, entry in documents.items()})


def _prompts(raw: dict[str, Any]) -> str:
    digest = raw.get("prompts_sha256")
    if not isinstance(digest, str) or not digest:
        raise TypeError("it lacks the hash of the prompts")
    return digest


def _texts(value: Any) -> dict[str, str]:
    if not isinstance(value, dict) or not all(isinstance(text, str) for text in value.values()):
        raise TypeError("a part of it is no list of texts by name")
    return value
