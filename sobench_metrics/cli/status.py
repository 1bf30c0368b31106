"""`sobench status`: what is prepared, what lies on the disk, what is missing."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from sobench_metrics.cli.command import Command
from sobench_metrics.cli.extras import need
from sobench_metrics.data.plain_words import counted, one_line
from sobench_metrics.data.prepared_sets import LISTED, home_folder, size_text
from sobench_metrics.data.status import survey

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Mapping

    from sobench_metrics.data.status import Place, SetStatus, Status

__all__ = ["STATUS"]

_REVISION = 20  # characters of a revision that tell it from others
_IDS = 3  # doc ids that are shown with a reason


def _run(args: argparse.Namespace) -> int:
    need("status", "filelock")
    status = survey(home_folder())
    if args.json:
        print(json.dumps(status.as_json(), indent=2))
        return 0
    for line in _lines(status):
        print(line)
    return 0


def _lines(status: Status) -> Iterator[str]:
    yield f"home {status.home}" + (" (a prepare or gc is at work)" if status.preparing else "")
    if status.unfinished:
        yield "unfinished: repeat `sobench prepare` with the same words, it goes on from here"
    elif not status.sets:
        yield (
            "No set is prepared here: `sobench prepare --dry-run` tells what all of SO-Bench costs, "
            "`sobench prepare --domains natural` is a quick start."
        )
    for entry in status.sets:
        yield from _set_lines(entry)
    if status.missing:
        yield f"missing: {counted(len(status.missing), 'image')} could not be had in the last run"
        yield from _missing_lines(status.missing)
    yield from _place_lines("originals", status.originals)
    yield from _place_lines("of that half-read", status.half_read)
    yield from _place_lines("rendered", status.rendered)
    yield from _place_lines("leftovers", status.leftovers)
    if status.upstream:
        yield f"labels and prompts: {size_text(sum(place.bytes for place in status.upstream))}"
    yield from _gc_lines(status)


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
        yield f"    {_partial_line(entry, entry.partial)}"
    if entry.commit:
        yield f"    labels and prompts at {entry.commit[:_REVISION]}"
    for name, source in (entry.sources or {}).items():
        revision = str(source.get("revision") or "")[:_REVISION]
        yield f"    {name:<16} {source.get('found')} of {source.get('wanted')}{' at ' * bool(revision)}{revision}"


def _partial_line(entry: SetStatus, partial: Mapping[str, Any]) -> str:
    """Return what a partial set lacks, and for the current one the command that fetches it."""
    marked = partial.get("domains")
    lacking = {
        name: whole - have
        for name, (have, whole) in (entry.domains or {}).items()
        if have < whole and (have or (isinstance(marked, dict) and name in marked))
    }
    listed = ", ".join(f"{number:,} {name}" for name, number in lacking.items())
    command = f"; `sobench prepare --domains {' '.join(lacking)}` fetches the rest" if entry.current else ""
    return f"partial, its numbers say n of N: lacks {listed}{command}" if lacking else "marked as partial"


def _missing_lines(missing: Mapping[str, str]) -> Iterator[str]:
    """Yield each reason once with how many images it stands for, the most frequent first."""
    ids: dict[str, list[str]] = {}
    for doc_id, why in missing.items():
        ids.setdefault(one_line(why), []).append(doc_id)
    for why, named in sorted(ids.items(), key=lambda found: -len(found[1]))[:LISTED]:
        more = ", ..." if len(named) > _IDS else ""
        yield f"    {counted(len(named), 'image')}: {why} ({one_line(', '.join(named[:_IDS]))}{more})"
    if len(ids) > LISTED:
        yield f"    and {counted(len(ids) - LISTED, 'other reason')}"
    if len(ids) > LISTED or any(len(named) > _IDS for named in ids.values()):
        yield "    (--json lists all)"


def _gc_lines(status: Status) -> Iterator[str]:
    if status.freed_by_gc:
        again = f", of which {size_text(status.needed_of_freed)} would have to be fetched again"
        yield f"`sobench gc` would free {size_text(status.freed_by_gc)}{again if status.needed_of_freed else ''}"
    if status.larger_sets:
        sets = ", ".join(status.larger_sets)
        yield f"`sobench gc --sets` would remove sets with MORE samples than the current one: {sets}"
    elif status.freed_by_gc_sets:
        yield f"`sobench gc --sets` would free {size_text(status.freed_by_gc_sets)} of sets that are not current"


def _place_lines(title: str, places: tuple[Place, ...]) -> Iterator[str]:
    if places:
        listed = ", ".join(f"{place.name} {size_text(place.bytes)}" for place in places)
        yield f"{title}: {size_text(sum(place.bytes for place in places))} ({listed})"


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="everything, for machines")


STATUS = Command("tell what is prepared, what lies on the disk, and what is missing", _run, _arguments)
