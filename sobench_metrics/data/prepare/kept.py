"""The current prepared set as a place to take finished images from: what was done once is not done again."""

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
    from sobench_metrics.data.sources.source import Plan

__all__ = ["KeptSet", "current_set"]


@dataclass(frozen=True, slots=True)
class KeptSet:
    """Images of an earlier set by doc id, and what its manifest tells of their sources; empty where there is none."""

    sources: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    documents: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    docs: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    root: Path | None = None

    def made_like(self, source: str, plan: Plan, encoder: Mapping[str, str]) -> bool:
        """Tell whether the set's images of a source came from the plan's revision and recipe, and this encoder."""
        entry = self.sources.get(source, {})
        made = (entry.get("revision"), entry.get("recipe"), entry.get("encoder"))
        return made == (plan.revision, plan.recipe, dict(encoder))

    def take(self, label: Label) -> Finished | None:
        """Return the finished image of a label when the set holds it unharmed and asks the same of it, else None."""
        doc, facts = self.docs.get(label.doc_id), self.documents.get(label.doc_id)
        if doc is None or facts is None or self.root is None:
            return None
        if doc["source"] != label.source or facts.get("row_sha256") != row_sha256(label.row()):
            return None
        ref: ImageRef = prepared.image_of(self.root, dict(doc))
        try:
            length = len(read_bytes(ref))
        except UsageError:
            return None
        return Finished(label, ref, length, doc["image_sha256"], facts["pixel_sha256"], doc["width"], doc["height"])


def current_set(home: Path) -> KeptSet:
    """Return the set that `prepared/current` names; an empty one when there is none or when it cannot be read."""
    pointer = home / "prepared" / "current"
    if not pointer.is_file():
        return KeptSet()
    try:
        root = prepared.prepared_root(home)
        manifest = json.loads((root / "manifest.json").read_text(encoding="utf-8"))
        domains = [name for name in prepared.DOMAINS if manifest["counts"]["domain"].get(name)]
        docs = {doc["doc_id"]: doc for name in domains for doc in prepared.load(root, name).docs}
        return KeptSet(manifest["sources"], manifest["documents"], docs, root)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):  # damaged: it is made anew (UsageError included)
        return KeptSet()
