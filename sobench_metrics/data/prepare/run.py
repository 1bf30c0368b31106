"""`sobench prepare` as a function: labels, plans, images, one set; every step can be repeated and loses nothing."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sobench_metrics.data.prepare.build import build_set
from sobench_metrics.data.prepare.dry_run import megabytes
from sobench_metrics.data.prepare.kept import current_set
from sobench_metrics.data.prepare.making import Maker
from sobench_metrics.data.prepare.manifest import Told
from sobench_metrics.data.prepare.planning import plan_sources
from sobench_metrics.data.prepared import DOMAINS
from sobench_metrics.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from sobench_metrics.data.fetch.http import Http
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

    Sources that were not asked for stay in the set as they are. When images are missing and the order does not allow
    that, nothing is built and what was fetched stays on the disk. Raises UsageError for what ends the whole.
    """
    wanted = order.wanted(upstream.labels)
    earlier = current_set(home)
    planned = plan_sources(home, order, upstream, wanted, http)
    _mind_the_disk(home, planned, watch)
    made = Maker(home, order.jobs, watch).make(wanted, planned, earlier)
    if made.missing and not order.allow_partial:
        return Outcome(None, {}, {}, made.missing)
    others = (label for label in upstream.labels if label.source not in order.sources)
    finished = [*made.finished, *(image for label in others if (image := earlier.take(label)) is not None)]
    if not finished:
        raise UsageError("not one of the wanted images could be had, so there is no set to build: see the reasons.")
    watch.stage("writing", 0)
    told = Told(order, upstream, planned, made, earlier, finished)
    head, present = told.head(), told.present()
    root = build_set(home, upstream, finished, head, [name for name in DOMAINS if name in present])
    return Outcome(root, head, present, made.missing)


def _mind_the_disk(home: Path, planned: Planned, watch: Watch) -> None:
    """Say when the disk may not do: a full disk loses nothing, but an hour."""
    needed, free = sum(plan.bytes_needed or 0 for plan in planned.plans.values()), shutil.disk_usage(home).free
    if needed > free:
        watch.say(
            f"note: up to {megabytes(needed)} may be written, {megabytes(free)} are free in {home}; if the disk gets "
            "full, free space and repeat the command"
        )
