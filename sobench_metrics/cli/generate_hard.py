"""`sobench generate ifstruct-hard`: the rows of the hard set, at any level, number and seed."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from sobench_metrics.cli.extras import need
from sobench_metrics.cli.row_counter import RowCounter
from sobench_metrics.data.plain_words import counted
from sobench_metrics.errors import UsageError
from sobench_metrics.ifstruct.hard.version import DEFAULT_SEED, PER_LEVEL

if TYPE_CHECKING:
    import argparse

__all__ = ["hard_arguments", "run_hard"]

_MOST = 1_000_000  # the numbers that one level has room for


def run_hard(args: argparse.Namespace) -> int:
    """Write the rows and print what they are."""
    from sobench_metrics.ifstruct.hard.files import FILE, TABLE, write_hard_set, write_hard_table
    from sobench_metrics.ifstruct.hard.levels import LEVELS

    if not 1 <= args.n <= _MOST:
        raise UsageError(f"--n {args.n} is no use: give a number of rows per level from 1 to {_MOST:,}.")
    if not args.no_parquet:
        need("generate", "pyarrow")
    levels = [level.number for level in LEVELS] if args.level == "all" else [int(args.level)]
    folder = Path(args.out).expanduser()
    seen = RowCounter(args.n * len(levels))
    try:
        manifest = write_hard_set(folder, levels, args.n, args.seed, seen)
        if not args.no_parquet:
            write_hard_table(folder)
    except KeyboardInterrupt:
        print(f"\nstopped after {counted(seen.rows, 'row')}; no file is half written", file=sys.stderr)
        raise
    finally:
        seen.close()
    words = ", ".join(map(str, levels))
    print(f"{counted(manifest['rows'], 'row')} of level {words}, version {manifest['hard_version']}, seed {args.seed}")
    print(f"every right answer passed the official and all strict rules; sha256 {manifest['sha256'][FILE][:12]}")
    for name in (FILE, *(() if args.no_parquet else (TABLE,))):
        print(folder / name)
    return 0


def hard_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "--level", choices=("1", "2", "3", "4", "5", "all"), default="all", help="how hard (default: %(default)s)"
    )
    parser.add_argument(
        "--n", type=int, default=PER_LEVEL, metavar="N", help="rows of each level (default: %(default)s)"
    )
    parser.add_argument(
        "--seed", type=int, default=DEFAULT_SEED, help="same seed, same bytes (default: that of the task, %(default)s)"
    )
    parser.add_argument("--no-parquet", action="store_true", help="write JSONL only, which needs no pyarrow")
    parser.add_argument("--out", required=True, metavar="DIR", help="folder to write into")
