"""`sobench report RUN...`: one page of figures, slices, errors and samples, for people."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from sobench_metrics.cli.command import Command
from sobench_metrics.cli.extras import need
from sobench_metrics.data.plain_words import counted
from sobench_metrics.data.prepared_sets import size_text
from sobench_metrics.data.whole_file import whole_file
from sobench_metrics.errors import UsageError
from sobench_metrics.results.records import RowSource

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable

    from sobench_metrics.report.model import Gathered
    from sobench_metrics.report.pictures import Shown
    from sobench_metrics.results.published import Published

__all__ = ["REPORT"]

_OUT = "report.html"
_MEGABYTES = 15.0
_MOST_MEGABYTES = 500.0
_SHOWN_EVERY = 25
_BENCHMARKS = ("ifstruct", "sobench")


def _run(args: argparse.Namespace) -> int:
    from sobench_metrics.report.columns import open_columns
    from sobench_metrics.report.csv_file import write_csv
    from sobench_metrics.report.gathering import gather
    from sobench_metrics.report.markdown import write_markdown
    from sobench_metrics.report.page import write_page
    from sobench_metrics.report.rows import figure_rows
    from sobench_metrics.report.texts import notice

    if not 0 < args.picture_megabytes <= _MOST_MEGABYTES:
        raise UsageError(
            f"--picture-megabytes {args.picture_megabytes:g} is no use: give a number up to {_MOST_MEGABYTES:g}, or "
            "--no-images."
        )
    outs = _outs(args)
    chosen = [name.strip() for name in (args.tasks or "").split(",") if name.strip()]
    columns = open_columns([Path(place) for place in args.runs], chosen, _rows(args.rows))
    with ExitStack() as stack:
        # opened before the work: a place that cannot be written is told at once
        files = {name: stack.enter_context(whole_file(out)) for name, out in outs.items()}
        gathered = gather(columns, seen=_progress("answers read"))
        published = _published(gathered) if args.published else ()
        pictures: Iterable[tuple[str, Shown]] = ()
        if args.images:
            pictures = _pictures(gathered, int(args.picture_megabytes * 1e6))
        written = write_page(files["page"], gathered, published=published, pictures=pictures)
        if "markdown" in files:
            write_markdown(files["markdown"], gathered, published)
        if "csv" in files:
            write_csv(files["csv"], figure_rows(gathered, published))
    _clear()
    size = size_text(outs["page"].expanduser().stat().st_size)
    told = f"{counted(written.samples, 'sample')}, {counted(written.answers, 'answer')}"
    print(f"{told} written to {outs['page']} ({size}): open it in a browser")
    print(notice(gathered))
    if written.pictures_left_out:
        whole = written.pictures + written.pictures_left_out
        print(f"{written.pictures_left_out:,} of {counted(whole, 'picture')} not shown: each sample says why")
    for name in ("markdown", "csv"):
        if name in outs:
            print(f"{outs[name]} written")
    for warning in gathered.warnings:
        print(f"note: {warning}", file=sys.stderr)
    return 0


def _rows(told: str | None) -> RowSource:
    """Return what was asked where a log does not say: the name of a task, or else a file or a prepared set."""
    if not told:
        return RowSource()
    place = Path(told).expanduser()
    return RowSource(file=place) if place.exists() or not told.startswith(_BENCHMARKS) else RowSource(task=told)


def _outs(args: argparse.Namespace) -> dict[str, Path]:
    outs = {"page": args.out, "markdown": args.markdown, "csv": args.csv}
    named = {name: Path(out) for name, out in outs.items() if out is not None}
    if len({out.expanduser().absolute() for out in named.values()}) < len(named):
        raise UsageError("--out, --markdown and --csv name the same file: give each its own.")
    return named


def _published(gathered: Gathered) -> tuple[Published, ...]:
    from sobench_metrics.results.published import PUBLISHED

    names = {view.name for view in (*gathered.pooled, *gathered.tasks)}
    found = tuple(entry for entry in PUBLISHED if entry.task in names)
    if not found:
        print(
            "note: published figures are about the whole of sobench or ifstruct, which these runs are not: none shown",
            file=sys.stderr,
        )
    return found


def _pictures(gathered: Gathered, budget: int) -> Iterable[tuple[str, Shown]]:
    from sobench_metrics.data.prepared import sobench_home
    from sobench_metrics.data.prepared_sets import all_sets
    from sobench_metrics.data.sample import sample_home
    from sobench_metrics.report.pictures import find_pictures, shrunk

    wanted = [asked.image for asked in gathered.samples() if asked.image]
    if not wanted:
        return ()
    need("report", "pyarrow", "PIL")
    home = sobench_home()
    roots = [*(all_sets(home) if home.is_dir() else []), sample_home()]
    return shrunk(wanted, find_pictures(roots, wanted), budget, seen=_progress("pictures made small"))


def _progress(what: str) -> Callable[[int], None]:
    if not sys.stderr.isatty():
        return lambda _: None

    def show(number: int) -> None:
        if number % _SHOWN_EVERY == 0:
            print(f"\r\033[K{number:,} {what} ", end="", file=sys.stderr, flush=True)

    return show


def _clear() -> None:
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "runs",
        nargs="+",
        metavar="RUN",
        help="a run of lm-eval (--log_samples) or lighteval (--save-details): its folder (the newest run in it), "
        "results file or sample file; a results file of IFStruct's runner; or answers as JSONL",
    )
    parser.add_argument("-o", "--out", metavar="FILE", default=_OUT, help="the page (default: %(default)s)")
    parser.add_argument("--markdown", metavar="FILE", help="write the figures as Markdown, too")
    parser.add_argument("--csv", metavar="FILE", help="write the figures as CSV, too, slices included")
    parser.add_argument("--tasks", help="comma-separated task names (default: all)")
    parser.add_argument(
        "--rows", metavar="ROWS", help="for answers saved without their rows: the task that was asked (ifstruct, "
        "sobench_ui, ..., each also _sample), or its rows as JSONL, parquet or a prepared set",
    )  # fmt: skip
    parser.add_argument("--published", action="store_true", help="show published figures, marked, in the same tables")
    parser.add_argument("--no-images", dest="images", action="store_false", help="leave the pictures out")
    parser.add_argument(
        "--picture-megabytes", metavar="MB", type=float, default=_MEGABYTES, help="what all pictures may weigh on the "
        "page (default: %(default)s)",
    )  # fmt: skip


REPORT = Command("write one page of figures, slices, errors and all samples of one or several runs", _run, _arguments)
