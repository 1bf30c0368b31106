"""`sobench compare A B`: is B better than A, on the samples that both answered?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from sobench_metrics.cli.command import Command
from sobench_metrics.data.whole_file import whole_file
from sobench_metrics.errors import UsageError
from sobench_metrics.results.comparison import compare
from sobench_metrics.results.comparison_json import as_json
from sobench_metrics.results.comparison_table import lines
from sobench_metrics.results.pairing import pair, pool
from sobench_metrics.results.partners import partners
from sobench_metrics.results.reading import open_runs, samples

if TYPE_CHECKING:
    import argparse

__all__ = ["COMPARE"]

_MOST_RESAMPLES = 100_000


def _run(args: argparse.Namespace) -> int:
    if len(args.runs) > 2:
        raise UsageError(f"two runs are compared, {len(args.runs)} are named: name A and B.")
    if not 1 <= args.resamples <= _MOST_RESAMPLES:
        raise UsageError(f"--resamples {args.resamples} is no use: give a number from 1 to {_MOST_RESAMPLES:,}.")
    a = open_runs(Path(args.runs[0]))
    b = open_runs(Path(args.runs[-1]))
    chosen = [name.strip() for name in (args.tasks or "").split(",") if name.strip()]
    pairings = [pair(runs, (samples(runs[0]), samples(runs[1])), args.common) for runs in partners(a, b, chosen)]
    comparisons = [
        compare(pairing, resamples=args.resamples, seed=args.seed) for pairing in (*pairings, *pool(pairings))
    ]
    if args.json is not None:
        found = as_json(comparisons, seed=args.seed, resamples=args.resamples)
        text = json.dumps(found, indent=2, default=str)
        if args.json == "-":
            print(text)
            return 0
        with whole_file(Path(args.json)) as file:
            file.write(text + "\n")
    for line in lines(comparisons, listed=args.list):
        print(line)
    return 0


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "runs",
        nargs="+",
        metavar="RUN",
        help="A and B: a folder given as --output_path (its newest run) or a results file, made with --log_samples; "
        "one alone, that holds tasks and their constrained variants, is compared with itself",
    )
    parser.add_argument("--tasks", help="comma-separated task names; default: all, each of which must be in both runs")
    parser.add_argument(
        "--common",
        choices=("constrained", "all"),
        help="which samples: `constrained` (default when a run is constrained) takes those really constrained there "
        "and answered on both sides",
    )
    parser.add_argument("--list", action="store_true", help="name every sample that is left out, with the reason")
    parser.add_argument("--json", metavar="FILE", help="write everything as JSON; `-` prints it in place of the tables")
    parser.add_argument("--seed", type=int, default=0, help="of the bootstrap (default: %(default)s)")
    parser.add_argument("--resamples", type=int, default=2000, help="of the bootstrap (default: %(default)s)")


COMPARE = Command("compare two runs sample by sample, with paired intervals", _run, _arguments)
