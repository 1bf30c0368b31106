"""What a preparation would do, as a table: counts, revisions, bytes, licences; nothing is fetched but indexes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sobench_metrics.data.prepare.licences import LABELS_LICENCE, in_words
from sobench_metrics.data.sources import SOURCES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sobench_metrics.data.prepare.labels import Label
    from sobench_metrics.data.prepare.planning import Planned
    from sobench_metrics.data.prepare.upstream import Upstream

__all__ = ["USABLE_SAMPLES", "describe", "megabytes"]

USABLE_SAMPLES = 1751
"""What upstream's README states; another number of labels is worth a word."""


def describe(upstream: Upstream, wanted: Sequence[Label], planned: Planned) -> Iterator[str]:
    """Return the lines of the dry run for the wanted labels."""
    total = len(upstream.labels)
    yield f"upstream  commit {upstream.commit}: {total} labels, prompts {upstream.prompts['sha256'][:12]}"
    if total != USABLE_SAMPLES:
        yield f"          note: the published set has {USABLE_SAMPLES} samples"
    yield ""
    names = [name for name in SOURCES if any(label.source == name for label in wanted)]
    rows = [("source", "domain", "samples", "images", "to move", "whole", "revision"), *_rows(names, wanted, planned)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
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


def _rows(names: Iterable[str], wanted: Sequence[Label], planned: Planned) -> Iterator[tuple[str, ...]]:
    needed = whole = 0
    known = True
    for name in names:
        labels = [label for label in wanted if label.source == name]
        plan = planned.plans.get(name)
        head = (name, SOURCES[name].domain, str(len(labels)), str(len({label.image for label in labels})))
        if plan is None:
            yield (*head, "?", "?", "cannot be planned, see below")
            known = False
            continue
        known = known and plan.bytes_needed is not None
        needed, whole = needed + (plan.bytes_needed or 0), whole + (plan.bytes_full or 0)
        yield (*head, megabytes(plan.bytes_needed), megabytes(plan.bytes_full), plan.revision[:12] or "unversioned")
    at_least = "" if known else ">= "
    yield ("all", "", str(len(wanted)), "", at_least + megabytes(needed), at_least + megabytes(whole), "")


def _missing(wanted: Sequence[Label], planned: Planned) -> Iterator[str]:
    for name, reason in planned.failed.items():
        yield f"{name} cannot be planned: {reason}"
    for label in wanted:
        plan = planned.plans.get(label.source)
        if plan is not None and label.image not in plan.originals:
            yield f"{label.doc_id} will be missing: {plan.unavailable.get(label.image, 'not in the source')}"


def megabytes(count: int | None) -> str:
    """Return a byte count for people, in decimal megabytes; a question mark for what only the transfer tells."""
    if count is None:
        return "?"
    return f"{count / 1e6:,.1f} MB"
