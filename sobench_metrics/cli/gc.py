"""`sobench gc`: give the disk back what a prepared set no longer needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sobench_metrics.cli.command import Command
from sobench_metrics.cli.extras import need
from sobench_metrics.data import gc
from sobench_metrics.data.lock import LOCK_NAME, locked
from sobench_metrics.data.plain_words import counted
from sobench_metrics.data.prepared_sets import home_folder, size_text

if TYPE_CHECKING:
    import argparse

__all__ = ["GC"]

_WORDS = {
    "originals": "fetched originals and indexes",
    "rendered": "rendered images",
    "leftover": "left by a killed run",
    "set": "prepared set that is not the current one",
}


def _run(args: argparse.Namespace) -> int:
    need("gc", "filelock")
    home = home_folder()
    if args.dry_run or not (home / LOCK_NAME).is_file():
        items = gc.plan(home, sets=args.sets)
        _warn(items)
    else:
        with locked(home):
            items = gc.plan(home, sets=args.sets)
            _warn(items)
            gc.free(items, home)
    if not items:
        print(f"nothing to free in {home}")
        return 0
    for item in items:
        name = item.path.relative_to(home.resolve())
        parts = [_WORDS[item.kind], counted(item.files, "file")]
        parts += [f"{item.samples:,} of {item.expected:,} samples"] if item.kind == "set" else []
        parts += ["unfinished"] if item.needed else []
        print(f"{size_text(item.bytes):>12}  {name}  ({', '.join(parts)})")
    total = size_text(sum(item.bytes for item in items))
    print(f"{total:>12}  {'would be' if args.dry_run else 'were'} freed")
    again = sum(item.bytes for item in items if item.needed)
    if again:
        print(f"{size_text(again):>12}  of that has to be fetched again by the next `sobench prepare`")
    return 0


def _warn(items: tuple[gc.Item, ...]) -> None:
    """Say before anything goes which sets hold more than the one that stays."""
    for item in items:
        if item.larger:
            share = f"{item.samples:,} of {item.expected:,}"
            print(f"NOTE: {item.path.name} has MORE samples ({share}) than the current set", flush=True)


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--dry-run", action="store_true", help="tell what would be freed, remove nothing")
    parser.add_argument("--sets", action="store_true", help="also remove all prepared sets but the current one")


GC = Command("free fetched originals, half-read archives and leftovers", _run, _arguments)
