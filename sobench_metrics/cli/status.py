"""`sobench status`: what is prepared, what lies on the disk, what is missing."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from sobench_metrics.cli.command import Command
from sobench_metrics.cli.extras import need
from sobench_metrics.data.prepared import sobench_home
from sobench_metrics.data.prepared_sets import LISTED, size_text
from sobench_metrics.data.status import survey

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from sobench_metrics.data.status import Place, SetStatus, Status

__all__ = ["STATUS"]

_REVISION = 20  # characters of a revision that tell it from others


def _run(args: argparse.Namespace) -> int:
    need("status", "filelock")
    status = survey(sobench_home())
    if args.json:
        print(json.dumps(status.as_json(), indent=2))
        return 0
    for line in _lines(status):
        print(line)
    return 0


def _lines(status: Status) -> Iterator[str]:
    yield f"home {status.home}" + (" (a prepare or gc is at work)" if status.preparing else "")
    if not status.sets:
        yield (
            "No set is prepared here: `sobench prepare --dry-run` tells what all of SO-Bench costs, "
            "`sobench prepare --domains natural` is a quick start."
        )
    for entry in status.sets:
        yield from _set_lines(entry)
    if status.missing:
        yield f"missing: {len(status.missing):,} samples could not be had in the last run"
        yield from (f"    {doc_id}: {why}" for doc_id, why in [*status.missing.items()][:LISTED])
        if len(status.missing) > LISTED:
            yield f"    and {len(status.missing) - LISTED:,} more (--json lists all)"
    yield from _place_lines("originals", status.originals)
    yield from _place_lines("of that half-read", status.half_read)
    yield from _place_lines("rendered", status.rendered)
    yield from _place_lines("leftovers", status.leftovers)
    yield from _place_lines("upstream", status.upstream)
    if status.freed_by_gc:
        yield f"`sobench gc` would free {size_text(status.freed_by_gc)}"
    if status.freed_by_gc_sets:
        yield f"`sobench gc --sets` would free {size_text(status.freed_by_gc_sets)} of sets that are not current"


def _set_lines(entry: SetStatus) -> Iterator[str]:
    mark = "* " if entry.current else "  "
    if entry.fault:
        yield f"{mark}set {entry.prep_id}: {entry.fault}"
        return
    yield (
        f"{mark}set {entry.prep_id}{' (current)' if entry.current else ''}: {entry.samples:,} of {entry.expected:,} "
        f"samples, {size_text(entry.bytes)}, by {entry.tool or 'an unnamed tool'}"
    )
    for name, (have, expected) in (entry.domains or {}).items():
        yield f"    {name:<10} {have:,} of {expected:,}"
    if entry.partial:
        yield f"    partial, by {entry.partial.get('allowed_by', 'an unknown flag')}: its numbers say n of N"
    if entry.commit:
        yield f"    labels and prompts at {entry.commit[:_REVISION]}"
    for name, source in (entry.sources or {}).items():
        revision = str(source.get("revision") or "no revision")[:_REVISION]
        yield f"    {name:<16} {source.get('found')} of {source.get('wanted')} at {revision}"


def _place_lines(title: str, places: tuple[Place, ...]) -> Iterator[str]:
    if places:
        listed = ", ".join(f"{place.name} {size_text(place.bytes)}" for place in places)
        yield f"{title}: {size_text(sum(place.bytes for place in places))} ({listed})"


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="everything, for machines")


STATUS = Command("tell what is prepared, what lies on the disk, and what is missing", _run, _arguments)
