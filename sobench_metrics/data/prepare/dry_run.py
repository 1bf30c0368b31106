"""What a preparation would do, as a table: counts, revisions, bytes, licences; nothing is fetched but indexes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sobench_metrics.data.prepare.licences import LABELS_LICENCE, in_words
from sobench_metrics.data.prepared_sets import size_text
from sobench_metrics.data.sources import SOURCES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sobench_metrics.data.prepare.labels import Label
    from sobench_metrics.data.prepare.planning import Planned
    from sobench_metrics.data.prepare.upstream import Upstream

__all__ = ["USABLE_SAMPLES", "describe", "told_size"]

USABLE_SAMPLES = 1751
"""What upstream's README states; another number of labels is worth a word."""


def describe(
    upstream: Upstream, wanted: Sequence[Label], planned: Planned, left: Sequence[Label], rest: Planned
) -> Iterator[str]:
    """Return the lines of the dry run: `left` of the wanted labels lack their picture, `rest` is the plan for those."""
    total = len(upstream.labels)
    yield f"upstream  commit {upstream.commit}: {total} labels, prompts {upstream.prompts['sha256'][:12]}"
    if total != USABLE_SAMPLES:
        yield f"          note: the published set has {USABLE_SAMPLES} samples"
    yield ""
    names = [name for name in SOURCES if any(label.source == name for label in wanted)]
    head = ("source", "domain", "samples", "to fetch", "to move", "whole", "revision")
    rows = [head, *(_row(name, wanted, planned, left, rest) for name in names), _sum(wanted, planned, left, rest)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(head))]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
    yield ""
    by_domain: dict[str, int] = {}
    for label in wanted:
        by_domain[label.domain] = by_domain.get(label.domain, 0) + 1
    yield "samples by domain: " + ", ".join(f"{name} {count}" for name, count in by_domain.items())
    yield from _missing(wanted, planned)
    yield ""
    yield "licences"
    yield f"  {LABELS_LICENCE}"
    for name in names:
        yield f"  {name}: {in_words(SOURCES[name].licence)}"


def _row(name: str, wanted: Sequence[Label], planned: Planned, left: Sequence[Label], rest: Planned) -> tuple[str, ...]:
    samples = str(sum(label.source == name for label in wanted))
    plan = planned.plans.get(name)
    if plan is None:
        return name, SOURCES[name].domain, samples, "?", "?", "?", "cannot be planned, see below"
    count = len({label.image for label in left if label.source == name})
    needed = rest.plans[name].bytes_needed if name in rest.plans else 0
    whole, revision = told_size(plan.bytes_full), plan.revision.removeprefix("etag:").strip('"')[:12]
    return name, SOURCES[name].domain, samples, str(count), told_size(needed), whole, revision or "unversioned"


def _sum(wanted: Sequence[Label], planned: Planned, left: Sequence[Label], rest: Planned) -> tuple[str, ...]:
    needed = [plan.bytes_needed for plan in rest.plans.values()]
    whole = [plan.bytes_full for plan in planned.plans.values()]
    unknown = planned.failed or None in needed
    count = len({(label.source, label.image) for label in left})
    to_move, all_of_it = (size_text(sum(each or 0 for each in sizes)) for sizes in (needed, whole))
    sign = ">= " if unknown else ""
    return "all", "", str(len(wanted)), sign + str(count), sign + to_move, sign + all_of_it, ""


def _missing(wanted: Sequence[Label], planned: Planned) -> Iterator[str]:
    for name, reason in planned.failed.items():
        yield f"{name} cannot be planned: {reason}"
    for label in wanted:
        plan = planned.plans.get(label.source)
        if plan is not None and label.image not in plan.originals:
            yield f"{label.doc_id} will be missing: {plan.unavailable.get(label.image, 'not in the source')}"


def told_size(count: int | None) -> str:
    """Return a byte count for people; a question mark for what only the transfer tells."""
    return "?" if count is None else size_text(count)
