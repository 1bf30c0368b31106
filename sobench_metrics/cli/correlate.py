"""`sobench correlate RUN...`: do benchmarks order models alike?"""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING

from sobench_metrics.cli.command import Command
from sobench_metrics.data.whole_file import whole_file
from sobench_metrics.errors import UsageError
from sobench_metrics.results import aggregates
from sobench_metrics.results.correlation import correlate, scores_of
from sobench_metrics.results.correlation_picture import draw, refuse_kind
from sobench_metrics.results.correlation_table import lines, rows

if TYPE_CHECKING:
    import argparse

__all__ = ["CORRELATE"]


def _run(args: argparse.Namespace) -> int:
    if not args.runs and not args.scores:
        raise UsageError("nothing to correlate: name runs, or --scores FILE.csv of model, benchmark, score.")
    if args.picture:
        refuse_kind(Path(args.picture))
    found = [figure for place in args.runs for figure in aggregates.of_place(Path(place))]
    found += [figure for file in args.scores for figure in aggregates.of_scores(Path(file))]
    chosen = [name.strip() for name in (args.figures or "").split(",") if name.strip()]
    scores = scores_of(found, chosen)
    correlations = correlate(scores, args.method)
    for line in lines(scores, correlations, args.method):
        print(line)
    if args.csv:
        with whole_file(Path(args.csv)) as file:
            csv.writer(file, lineterminator="\n").writerows(rows(correlations))
    if args.picture:
        draw(scores, correlations, args.method, Path(args.picture))
    return 0


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "runs",
        nargs="*",
        metavar="RUN",
        help="results files of lm-eval or lighteval, or folders of them; tasks of one model may lie in several, the "
        "newest of a task counts",
    )
    parser.add_argument(
        "--scores",
        action="append",
        default=[],
        metavar="FILE.csv",
        help="more figures, published ones or of other harnesses: the columns model, benchmark, score in the first "
        "line, a line for each score; models are joined by their names, and a name may stand in runs, too",
    )
    parser.add_argument("--figures", help="comma-separated TASK or TASK/FIGURE; default: the main figure of each task")
    parser.add_argument("--method", choices=("pearson", "spearman"), default="pearson")
    parser.add_argument("--picture", metavar="FILE", help="draw the matrix into a .png, .svg or .pdf")
    parser.add_argument("--csv", metavar="FILE", help="write every pair with r, interval and number of models")


CORRELATE = Command("correlate benchmarks over the results of many models", _run, _arguments)
