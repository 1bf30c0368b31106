"""From an order to a plan for every source: what is wanted, where it lies, what it will cost."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sobench_metrics.data.prepare.workers import reason_of, workers
from sobench_metrics.data.sources import SOURCES
from sobench_metrics.data.sources.source import Plan, Request, Wanted
from sobench_metrics.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from sobench_metrics.data.fetch.http import Http
    from sobench_metrics.data.prepare.labels import Label
    from sobench_metrics.data.prepare.order import Order
    from sobench_metrics.data.prepare.upstream import Upstream

__all__ = ["Planned", "plan_sources", "raw_folder"]


@dataclass(frozen=True, slots=True)
class Planned:
    """Plans by source, and by source the reason why there is none: all of its images are missing then."""

    plans: Mapping[str, Plan]
    failed: Mapping[str, str]


def plan_sources(home: Path, order: Order, upstream: Upstream, wanted: Sequence[Label], http: Http) -> Planned:
    """Plan the sources of all wanted labels side by side; one that cannot be planned stops no other.

    Raises UsageError when it is one for which the user named a revision or a copy: what was asked for by name must not
    be replaced by something else.
    """
    requests = {
        name: Request(
            wanted=_images(name, wanted),
            labelled=_images(name, upstream.labels),
            http=http,
            cache=home / "raw" / name / "index",
            revision=order.revisions.get(name),
            local=order.archives.get(name),
            mapping=upstream.vistext_mapping,
        )
        for name in dict.fromkeys(label.source for label in wanted)
    }
    plans: dict[str, Plan] = {}
    failed: dict[str, str] = {}
    with workers(order.jobs, "plan") as pool:
        planned = {name: pool.submit(SOURCES[name].plan, request) for name, request in requests.items()}
        for name, future in planned.items():
            fault = future.exception()
            if fault is None:
                plans[name] = future.result()
            elif not isinstance(fault, Exception) or isinstance(fault, UsageError):
                raise fault
            elif name in order.revisions or name in order.archives:
                raise UsageError(f"{name}: {reason_of(fault)}") from fault
            else:
                failed[name] = reason_of(fault)
    return Planned(plans, failed)


def _images(source: str, labels: Sequence[Label]) -> tuple[Wanted, ...]:
    return tuple(Wanted(label.image, label.target) for label in labels if label.source == source)


def raw_folder(home: Path, source: str, plan: Plan) -> Path:
    """Return the folder of a source's originals; another revision has another one."""
    return home / "raw" / source / f"at-{hashlib.sha256(plan.revision.encode()).hexdigest()[:12]}"
