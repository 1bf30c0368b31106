"""`sobench verify`: is the prepared set what it should be, and does it equal another person's?"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from sobench_metrics.cli.command import Command
from sobench_metrics.cli.extras import need
from sobench_metrics.data.hashes import read_hashes
from sobench_metrics.data.plain_words import counted, one_line
from sobench_metrics.data.prepared_sets import LISTED, chosen_set
from sobench_metrics.data.verify import Report, verify

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

__all__ = ["VERIFY", "print_report", "progress", "set_argument"]

_COUNTED = 25  # rows between two looks of the counter


def set_argument(parser: argparse.ArgumentParser) -> None:
    """Add `--set`, by which a command is told another set than the current one."""
    parser.add_argument(
        "--set", dest="chosen", metavar="ID_OR_FOLDER", help="a prepared set by id or folder; default: the current one"
    )


def print_report(report: Report) -> None:
    """Print one line a check, the first few deviations below it, and the verdict."""
    print(f"set {report.prep_id} in {report.root}")
    for check in report.checks:
        print(f"{check.level:<5} {check.name:<10} {check.detail}")
        for deviation in sorted(check.deviations, key=lambda found: found.warning)[:LISTED]:
            print(f"      {deviation.code}: {one_line(f'{deviation.doc_id} {deviation.message}')}")
        if len(check.deviations) > LISTED:
            print(f"      and {len(check.deviations) - LISTED:,} more")
    failures = sum(not deviation.warning for deviation in report.deviations)
    warnings = len(report.deviations) - failures
    noted = ", ".join(
        counted(number, noun) for number, noun in ((failures, "failure"), (warnings, "warning")) if number
    )
    if report.sound:
        print(f"The set is sound{', ' * bool(noted)}{noted}.")
    elif report.damaged:
        print(f"The set is damaged: run `sobench prepare` ({noted}).")
    else:
        print(f"The set differs from the reference ({noted}).")


def progress() -> Callable[[int], None]:
    """Return what shows a running number of samples on a terminal; nothing elsewhere."""
    if not sys.stderr.isatty():
        return lambda _: None

    def show(rows: int) -> None:
        if rows % _COUNTED == 0:
            print(f"\r{rows:,} samples read ", end="", file=sys.stderr, flush=True)

    return show


def _run(args: argparse.Namespace) -> int:
    need("verify", "pyarrow", "PIL")
    reference = read_hashes(Path(args.reference).expanduser()) if args.reference else None
    report = verify(chosen_set(args.chosen), reference, seen=progress())
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)
    print_report(report)
    return 0 if report.sound else 1


def _arguments(parser: argparse.ArgumentParser) -> None:
    set_argument(parser)
    parser.add_argument(
        "--reference", metavar="HASHES", help="a file that another person's `sobench export-hashes` wrote"
    )


VERIFY = Command("prove that the prepared data is whole and, with --reference, equal to another's", _run, _arguments)
