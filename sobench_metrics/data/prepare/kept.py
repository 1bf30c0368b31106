"""Prepared sets as places to take finished images from: what was done once is not done again."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sobench_metrics.data import prepared
from sobench_metrics.data.images import ImageRef, read_bytes
from sobench_metrics.data.prepare.finished import Finished
from sobench_metrics.data.set_layout import row_sha256
from sobench_metrics.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from sobench_metrics.data.prepare.labels import Label

__all__ = ["KeptSet", "current_set", "other_sets"]


@dataclass(frozen=True, slots=True)
class KeptSet:
    """One set: its manifest, and the docs that can be read, by id; empty where there is none."""

    manifest: Mapping[str, Any] = field(default_factory=dict)
    docs: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    root: Path | None = None

    @property
    def sources(self) -> Mapping[str, Mapping[str, Any]]:
        """What the manifest tells of each source."""
        return _mapping(self.manifest.get("sources"))

    @property
    def documents(self) -> Mapping[str, Mapping[str, Any]]:
        """What the manifest tells of each doc, damaged ones among them."""
        return _mapping(self.manifest.get("documents"))

    def take(self, label: Label, made_of: str | None = None) -> Finished | None:
        """Return the finished image of a label when the set holds it unharmed and asks the same of the same picture.

        With `made_of` (see `finished.made_of`) only when it was made of just that.
        """
        doc, facts = self.docs.get(label.doc_id), self.documents.get(label.doc_id)
        if doc is None or facts is None or self.root is None:
            return None
        asked = (label.source, label.image_url, row_sha256(label.row()))
        if asked != (doc["source"], facts.get("image_url"), facts.get("row_sha256")):
            return None
        if made_of is not None and made_of != facts.get("made_of"):
            return None
        ref: ImageRef = prepared.image_of(self.root, dict(doc))
        try:
            length = len(read_bytes(ref))
        except UsageError:
            return None
        return Finished(
            label, ref, length, doc["image_sha256"], facts["pixel_sha256"], doc["width"], doc["height"],
            str(facts.get("made_of", "")),
        )  # fmt: skip


def current_set(home: Path) -> KeptSet:
    """Return the set that `prepared/current` names; an empty one when there is none or its manifest is damaged."""
    if not (home / "prepared" / "current").is_file():
        return KeptSet()
    try:
        return _read(prepared.prepared_root(home))
    except UsageError:
        return KeptSet()


def other_sets(home: Path, current: KeptSet) -> tuple[KeptSet, ...]:
    """Return the sets beside the current one."""
    roots = sorted(path.parent for path in home.glob("prepared/[!.]*/manifest.json"))
    return tuple(_read(root) for root in roots if root != current.root)


def _read(root: Path) -> KeptSet:
    """Return what can be read of a set; a damaged domain costs no other."""
    try:
        manifest = json.loads((root / "manifest.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return KeptSet()
    if not isinstance(manifest, dict):
        return KeptSet()
    docs: dict[str, Mapping[str, Any]] = {}
    for domain in prepared.DOMAINS:
        try:
            docs |= {doc["doc_id"]: doc for doc in prepared.load(root, domain).docs}
        except UsageError:  # noqa: PERF203 - each domain is a try of its own; absent or damaged, it is made anew
            continue
    return KeptSet(manifest, docs, root)


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}
