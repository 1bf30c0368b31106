"""`sobench compare A B...`: is B better than A, on the samples that both answered?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from sobench_metrics.cli.command import Command
from sobench_metrics.data.whole_file import whole_file
from sobench_metrics.errors import UsageError
from sobench_metrics.results.comparison import compare
from sobench_metrics.results.comparison_json import as_json
from sobench_metrics.results.comparison_many import overview
from sobench_metrics.results.comparison_table import lines
from sobench_metrics.results.pairing import pair, pool
from sobench_metrics.results.partners import partners
from sobench_metrics.results.reading import open_runs, samples

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping

    from sobench_metrics.results.comparison import Comparison
    from sobench_metrics.results.records import Run

__all__ = ["COMPARE"]

_MOST_RESAMPLES = 100_000
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def _run(args: argparse.Namespace) -> int:
    if len(args.runs) > len(_LETTERS):
        raise UsageError(f"{len(args.runs)} runs are named: compare at most {len(_LETTERS)} at once.")
    if not 1 <= args.resamples <= _MOST_RESAMPLES:
        raise UsageError(f"--resamples {args.resamples} is no use: give a number from 1 to {_MOST_RESAMPLES:,}.")
    first = open_runs(Path(args.runs[0]))
    others = [open_runs(Path(place)) for place in args.runs[1:]] or [first]
    compared = [
        _compared(args, first, other, ("A", letter)) for letter, other in zip(_LETTERS[1:], others, strict=False)
    ]
    if args.json is not None:
        found = [as_json(one, seed=args.seed, resamples=args.resamples) for one in compared]
        text = json.dumps(found[0] if len(found) == 1 else found, indent=2, default=str)
        if args.json == "-":
            print(text)
            return 0
        with whole_file(Path(args.json)) as file:
            file.write(text + "\n")
    if len(compared) > 1:
        for line in overview(compared):
            print(line)
        print()
    for number, comparisons in enumerate(compared):
        if number:
            print()
        for line in lines(comparisons, listed=args.list):
            print(line)
    return 0


def _compared(
    args: argparse.Namespace, first: Mapping[str, Run], other: Mapping[str, Run], sides: tuple[str, str]
) -> list[Comparison]:
    chosen = [name.strip() for name in (args.tasks or "").split(",") if name.strip()]
    pairings = [
        pair(runs, (samples(runs[0]), samples(runs[1])), args.common, sides)
        for runs in partners(first, other, chosen, sides)
    ]
    return [
        compare(pairing, resamples=args.resamples, seed=args.seed, clustered=not args.no_clusters)
        for pairing in (*pairings, *pool(pairings))
    ]


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "runs",
        nargs="+",
        metavar="RUN",
        help="A, B and more, each of which is compared with A: a folder given as --output_path (its newest run) or a "
        "results file, made with --log_samples; one alone, that holds tasks and their constrained variants, is "
        "compared with itself",
    )
    parser.add_argument("--tasks", help="comma-separated task names; default: all, each of which must be in both runs")
    parser.add_argument(
        "--common",
        choices=("constrained", "all"),
        help="which samples: `constrained` (default when a run is constrained) takes those really constrained there "
        "and answered on both sides",
    )
    parser.add_argument(
        "--list",
        action="store_true",
        help="name every sample that is left out, with the reason, and every one that changed its verdict",
    )
    parser.add_argument("--json", metavar="FILE", help="write everything as JSON; `-` prints it in place of the tables")
    parser.add_argument(
        "--no-clusters", action="store_true", help="draw samples for the intervals, not pictures or entity types whole"
    )
    parser.add_argument("--seed", type=int, default=0, help="of the bootstrap (default: %(default)s)")
    parser.add_argument("--resamples", type=int, default=2000, help="of the bootstrap (default: %(default)s)")


COMPARE = Command("compare runs sample by sample, with paired intervals", _run, _arguments)
