"""`sobench gc`: give the disk back what a prepared set no longer needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sobench_metrics.cli.command import Command
from sobench_metrics.cli.extras import need
from sobench_metrics.data import gc
from sobench_metrics.data.lock import LOCK_NAME, locked
from sobench_metrics.data.prepared import sobench_home
from sobench_metrics.data.prepared_sets import size_text

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
    home = sobench_home()
    if args.dry_run or not (home / LOCK_NAME).is_file():
        items = gc.plan(home, sets=args.sets)
    else:
        with locked(home):
            items = gc.free(gc.plan(home, sets=args.sets), home)
    if not items:
        print(f"nothing to free in {home}")
        return 0
    for item in items:
        name = item.path.relative_to(home.resolve())
        print(f"{size_text(item.bytes):>12}  {name}  ({_WORDS[item.kind]}, {item.files:,} files)")
    total = size_text(sum(item.bytes for item in items))
    print(f"{total:>12}  {'would be' if args.dry_run else 'were'} freed")
    return 0


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--dry-run", action="store_true", help="tell what would be freed, remove nothing")
    parser.add_argument("--sets", action="store_true", help="also remove all prepared sets but the current one")


GC = Command("free fetched originals, half-read archives and leftovers", _run, _arguments)
