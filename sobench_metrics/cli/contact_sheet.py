"""`sobench contact-sheet`: a page of pictures and targets to look at."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sobench_metrics.cli.command import Command
from sobench_metrics.cli.extras import need
from sobench_metrics.cli.verify import progress, set_argument
from sobench_metrics.data.contact_sheet import write_sheet
from sobench_metrics.data.plain_words import counted
from sobench_metrics.data.prepared import DOMAINS
from sobench_metrics.data.prepared_sets import LISTED, chosen_set, size_text
from sobench_metrics.errors import UsageError

if TYPE_CHECKING:
    import argparse

__all__ = ["CONTACT_SHEET"]

_DEFAULT_OUT = "contact-sheet.html"


def _run(args: argparse.Namespace) -> int:
    need("contact-sheet", "pyarrow", "PIL")
    if args.limit is not None and args.limit < 1:
        raise UsageError(f"--limit {args.limit}: need a number of samples per source from 1.")
    asked = {name for word in args.domains for name in word.split(",") if name}
    unknown = sorted(asked.difference(DOMAINS))
    if unknown:
        raise UsageError(f"--domains {unknown[0]}: choose from {', '.join(DOMAINS)}.")
    out = Path(args.out)
    domains = [name for name in DOMAINS if not asked or name in asked]
    sheet = write_sheet(chosen_set(args.chosen), out, domains=domains, limit=args.limit, seen=progress())
    size = size_text(out.expanduser().stat().st_size)
    print(f"{counted(sheet.shown, 'sample')} written to {out} ({size}): open it in a browser, and do not publish it")
    if sheet.broken:
        print(f"{counted(len(sheet.broken), 'picture')} cannot be decoded: {', '.join(sheet.broken[:LISTED])}")
    return 1 if sheet.broken else 0


def _arguments(parser: argparse.ArgumentParser) -> None:
    set_argument(parser)
    parser.add_argument("--out", metavar="FILE", default=_DEFAULT_OUT, help=f"default: {_DEFAULT_OUT}")
    parser.add_argument("--domains", nargs="+", default=[], metavar="DOMAIN", help=f"some of {', '.join(DOMAINS)}")
    parser.add_argument("--limit", type=int, metavar="N", help="at most N samples of each source")


CONTACT_SHEET = Command("write one HTML page of all pictures, intents and targets for a spot check", _run, _arguments)
