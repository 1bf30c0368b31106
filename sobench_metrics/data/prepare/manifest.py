"""What a prepared set says of itself: where every part came from, what is in it, and what is not."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any

from sobench_metrics import __version__
from sobench_metrics.data import pixels
from sobench_metrics.data.prepare.build import prep_id_of
from sobench_metrics.data.prepare.licences import in_words
from sobench_metrics.data.set_layout import counts
from sobench_metrics.data.sources import SOURCES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sobench_metrics.data.prepare.finished import Finished
    from sobench_metrics.data.prepare.kept import KeptSet
    from sobench_metrics.data.prepare.labels import Label
    from sobench_metrics.data.prepare.making import Made
    from sobench_metrics.data.prepare.order import Order
    from sobench_metrics.data.prepare.planning import Planned
    from sobench_metrics.data.prepare.upstream import Upstream

__all__ = ["FORMAT", "REPOSITORY", "Told"]

FORMAT = 1
REPOSITORY = "apple/ml-sobench"
_ORIGIN = ("where", "revision", "recipe", "encoder", "evidence", "retrieved_at")


@dataclass(frozen=True, slots=True)
class Told:
    """All that a manifest is made of; `finished` are the images of the set, those kept from earlier among them."""

    order: Order
    wanted: Sequence[Label]
    upstream: Upstream
    planned: Planned
    made: Made
    earlier: KeptSet
    finished: Sequence[Finished]

    def present(self) -> dict[str, int]:
        """Return the number of samples by domain."""
        return counts([image.label.row() for image in self.finished], "domain")

    def head(self) -> dict[str, Any]:
        """Return the manifest but for what only the written files tell."""
        labels = [label.row() for label in self.upstream.labels]
        expected = counts(labels, "domain")
        present = {label.domain: 0 for label in self.wanted} | self.present()
        short = {name: f"{count} of {expected[name]}" for name, count in present.items() if count < expected[name]}
        return {
            "format": FORMAT,
            "tool": f"sobench {__version__}",
            "prep_id": prep_id_of(self.upstream.prompts["sha256"], expected, self.finished),
            "upstream": {
                "repository": REPOSITORY,
                "commit": self.upstream.commit,
                "files": dict(self.upstream.files),
            },
            "sources": self._sources(),
            "encoder": pixels.encoder(),
            "prompts_sha256": self.upstream.prompts["sha256"],
            "expected_total": len(labels),
            "expected": {"domain": expected, "source": counts(labels, "source")},
            "partial": {"allowed_by": self._allowed_by(), "domains": short} if short else None,
        }

    def _allowed_by(self) -> str:
        flags = [self.order.said] if self.order.said else []
        flags += ["--allow-partial"] if self.made.missing else []
        return ", ".join(flags) or "an earlier run"

    def _sources(self) -> dict[str, dict[str, Any]]:
        """Return an entry for every source that is in the set or was asked for."""
        found = counts([image.label.row() for image in self.finished], "source")
        asked = {*self.planned.plans, *self.planned.failed}
        return {name: self._source(name, found.get(name, 0)) for name in SOURCES if name in asked or name in found}

    def _source(self, name: str, found: int) -> dict[str, Any]:
        labels = [label for label in self.upstream.labels if label.source == name]
        missing = {
            label.doc_id: self.made.missing[label.doc_id] for label in labels if label.doc_id in self.made.missing
        }
        plan = self.planned.plans.get(name)
        entry: dict[str, Any] = {
            "title": SOURCES[name].title,
            "domain": SOURCES[name].domain,
            "licence": in_words(SOURCES[name].licence),
            "wanted": len(labels),
            "found": found,
            "missing": missing,
        }
        before = self.earlier.sources.get(name, {})
        if plan is None:
            return entry | {key: before.get(key) for key in _ORIGIN}
        renewed = name in self.made.renewed
        now = datetime.now(timezone.utc).isoformat(timespec="seconds")
        return entry | {
            "where": plan.where,
            "revision": plan.revision,
            "recipe": plan.recipe,
            "encoder": pixels.encoder() if renewed else before.get("encoder") or pixels.encoder(),
            "evidence": dict(plan.evidence),
            "retrieved_at": now if renewed else before.get("retrieved_at") or now,
        }
