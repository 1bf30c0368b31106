"""`sobench prepare` as a function: labels, plans, images, one set; every step can be repeated and loses nothing."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sobench_metrics.data.prepare.build import build_set, is_whole
from sobench_metrics.data.prepare.kept import current_set, other_sets
from sobench_metrics.data.prepare.making import Maker
from sobench_metrics.data.prepare.manifest import Told
from sobench_metrics.data.prepare.planning import plan_sources
from sobench_metrics.data.prepared import DOMAINS
from sobench_metrics.data.prepared_sets import size_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from sobench_metrics.data.fetch.http import Http
    from sobench_metrics.data.prepare.finished import Finished
    from sobench_metrics.data.prepare.kept import KeptSet
    from sobench_metrics.data.prepare.labels import Label
    from sobench_metrics.data.prepare.making import Watch
    from sobench_metrics.data.prepare.order import Order
    from sobench_metrics.data.prepare.planning import Planned
    from sobench_metrics.data.prepare.upstream import Upstream

__all__ = ["Outcome", "prepare"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of it: the set's folder (None: not built), its manifest's head, samples by domain, what is missing."""

    root: Path | None
    manifest: Mapping[str, Any]
    counts: Mapping[str, int]
    missing: Mapping[str, str]


def prepare(home: Path, order: Order, upstream: Upstream, http: Http, watch: Watch) -> Outcome:
    """Make what the order wants and write a set of it; the caller holds the lock of `home`.

    What the current set holds beyond that stays in it, so that a set never loses a sample to a smaller order. When
    images are missing and the order does not allow that, nothing is built and what was fetched stays on the disk.
    Raises UsageError for what ends the whole.
    """
    current = current_set(home)
    sets = (current, *other_sets(home, current))
    asked = _asked(order, upstream.labels, current)
    carried, lost = _carried(upstream.labels, asked, current)
    if lost:
        sources = ", ".join(dict.fromkeys(label.source for label in lost))
        watch.say(f"samples of {sources} in the current set are damaged or ask something else now: made again")
    wanted = (*asked, *lost)
    watch.stage("asking the sources", None)
    planned = plan_sources(home, order, upstream, wanted, http)
    _mind_the_disk(home, planned, watch)
    made = Maker(home, order.jobs, watch).make(wanted, planned, sets)
    finished = [*made.finished, *carried]
    if not finished or (made.missing and not order.allow_partial):
        return Outcome(None, {}, {}, made.missing)
    told = Told(order, wanted, upstream, planned, made, current, finished)
    head, present = told.head(), told.present()
    if current.root is not None and _says_the_same(head, current) and is_whole(current.root):
        return Outcome(current.root, head, present, made.missing)
    watch.stage("writing", None)
    root = build_set(home, upstream, finished, head, [name for name in DOMAINS if name in present])
    return Outcome(root, head, present, made.missing)


def _asked(order: Order, labels: Sequence[Label], current: KeptSet) -> tuple[Label, ...]:
    """Return what the order wants, and of its sources what the set has: a source has one revision in a set."""
    ids = {label.doc_id for label in order.wanted(labels)}
    ids |= {label.doc_id for label in labels if label.source in order.sources and label.doc_id in current.documents}
    return tuple(label for label in labels if label.doc_id in ids)


def _carried(
    labels: Sequence[Label], asked: Sequence[Label], current: KeptSet
) -> tuple[list[Finished], tuple[Label, ...]]:
    """Return the images of sources that were not asked for, and the labels of those sources that lost one.

    A source that lost one is gone through as if it had been asked for, since it has one revision in a set.
    """
    ids = {label.doc_id for label in asked}
    rest = [label for label in labels if label.doc_id in current.documents and label.doc_id not in ids]
    taken = [(label, current.take(label)) for label in rest]
    damaged = {label.source for label, image in taken if image is None}
    carried = [image for label, image in taken if image is not None and label.source not in damaged]
    return carried, tuple(label for label in rest if label.source in damaged)


def _says_the_same(head: Mapping[str, Any], current: KeptSet) -> bool:
    """Tell whether the current set's manifest says all that the new one would: then nothing changed at all."""
    return all(current.manifest.get(name) == value for name, value in json.loads(json.dumps(head)).items())


def _mind_the_disk(home: Path, planned: Planned, watch: Watch) -> None:
    """Say when the disk may not do: a full disk loses nothing, but an hour."""
    needed, free = sum(plan.bytes_needed or 0 for plan in planned.plans.values()), shutil.disk_usage(home).free
    if needed > free:
        watch.say(
            f"note: up to {size_text(needed)} may be written, {size_text(free)} are free in {home}; if the disk gets "
            "full, free space and repeat the command"
        )
