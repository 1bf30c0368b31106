"""`sobench score PREDICTIONS...`: score saved answers from their texts, and check the figures a run tells itself."""

from __future__ import annotations

import json
import sys
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sobench_metrics.cli.command import Command
from sobench_metrics.cli.termination import ended_cleanly
from sobench_metrics.data.plain_words import counted, one_line
from sobench_metrics.data.whole_file import whole_file
from sobench_metrics.errors import UsageError
from sobench_metrics.results.at_rest import at_rest
from sobench_metrics.results.in_processes import available_processors
from sobench_metrics.results.on_engines import ENGINES
from sobench_metrics.results.reading import open_runs, results_files, samples
from sobench_metrics.results.records import RowSource
from sobench_metrics.results.row_columns import benchmark_of
from sobench_metrics.results.score_table import as_json, is_equal, pool_json, pool_table, table
from sobench_metrics.results.scoring import score_run
from sobench_metrics.results.told_agreement import differing_figures, pools_of

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from sobench_metrics.results.records import Run
    from sobench_metrics.results.scored_pieces import Piece, Scored

__all__ = ["SCORE"]

_HARNESSES: Final = ("lm-eval", "lighteval")
_DIFFERS: Final = 1
_MOST_WORKERS: Final = 256
_A_LINE: Final = 100_000  # samples between two lines where no terminal shows a bar


def _run(args: argparse.Namespace) -> int:
    workers = available_processors() if args.workers is None else args.workers
    if not 1 <= workers <= _MOST_WORKERS:
        raise UsageError(f"--workers {workers} is no use: give a number from 1 to {_MOST_WORKERS}.")
    if args.out is not None and len(args.predictions) > 1:
        raise UsageError(
            f"--out takes the samples of one run, and {len(args.predictions)} are named: score them singly."
        )
    if args.out == "-":
        raise UsageError("--out needs a file: name one, or print the table as JSON with --json -.")
    source = RowSource(task=args.task or "", file=Path(args.rows) if args.rows else None)
    told, contents, equal = [], [], True
    with ExitStack() as stack:
        stack.enter_context(ended_cleanly())
        places = [stack.enter_context(at_rest(place)) for place in args.predictions]
        opened = [_chosen(place, open_runs(place, source), source, args.reasoning) for place in places]
        _note_older(places)
        # opened before the work: a place that cannot be written is told at once
        out = stack.enter_context(whole_file(Path(args.out))) if args.out else None
        report = stack.enter_context(whole_file(Path(args.json))) if args.json not in (None, "-") else None
        for runs in opened:
            found = [_scored(run, args, workers, out.write if out else None) for run in runs.values()]
            pools = pools_of(found)
            told += [line for one in found for line in table(one)] + [line for one in pools for line in pool_table(one)]
            contents += [as_json(one) for one in found] + [pool_json(one) for one in pools]
            equal = equal and all(map(is_equal, found)) and not any(differing_figures(one.lines) for one in pools)
        if report is not None:
            report.write(json.dumps(contents, indent=2, allow_nan=False) + "\n")
    print(json.dumps(contents, indent=2, allow_nan=False) if args.json == "-" else "\n".join(told))
    return 0 if equal else _DIFFERS


def _note_older(places: Iterable[Path]) -> None:
    for place in places:
        if place.is_dir() and (older := len(results_files(place)) - 1):
            print(
                f"note: of {place} the newest run is scored: name a results file to score one of the "
                f"{counted(older, 'older run')}",
                file=sys.stderr,
            )


def _chosen(place: Path, runs: Mapping[str, Run], source: RowSource, reasoning: str | None) -> dict[str, Run]:
    """Return the tasks to score: those named, all of ours otherwise."""
    some = next(iter(runs.values()))
    if some.format == "lm-eval" and source.file is not None:
        raise UsageError(f"{place} holds its rows itself: leave --rows out.")
    kept = dict(runs)
    if source.task and some.format in _HARNESSES:
        wanted = {name.strip() for name in source.task.split(",")}
        unknown = sorted(wanted - runs.keys())
        if unknown:
            raise UsageError(
                f"no task {', '.join(map(one_line, unknown))} in {place}: it holds {', '.join(map(one_line, runs))}."
            )
        kept = {name: run for name, run in runs.items() if name in wanted}
    ours = {name: run for name, run in kept.items() if run.format != "lm-eval" or _is_ours(run)}
    for name in kept.keys() - ours.keys():
        print(f"note: {one_line(name)} is no task of sobench: not scored", file=sys.stderr)
    if not ours:
        raise UsageError(f"{place} holds no task of sobench: it holds {', '.join(map(one_line, runs))}.")
    if reasoning is None:
        return ours
    if some.format != "predictions":
        raise UsageError(f"{place} says itself what became of reasoning: leave --reasoning out.")
    said = {"keep": "kept", "remove": "removed"}[reasoning]
    return {
        name: replace(run, signature={**run.signature, "reasoning": said}) if run.chosen == "sobench" else run
        for name, run in ours.items()
    }


def _is_ours(run: Run) -> bool:
    """Return whether the first sample of a log of lm-eval has a row of ours, whatever the task's name."""
    first = next(samples(run), None)
    return first is not None and benchmark_of(first.row) is not None


def _scored(run: Run, args: argparse.Namespace, workers: int, write: Callable[[str], object] | None) -> Scored:
    return score_run(
        run,
        workers=workers,
        engine=args.engine or "",
        write=write,
        allow_repeats=args.repeats,
        watched=lambda pieces: _shown(run, pieces),
    )


def _shown(run: Run, pieces: Iterable[Piece]) -> Iterator[Piece]:
    """Yield the pieces and show how many samples are done: a bar on a terminal, a line now and then elsewhere."""
    done = 0
    if not sys.stderr.isatty():
        for piece in pieces:
            before, done = done, done + piece.tally.samples
            if done // _A_LINE > before // _A_LINE:
                print(f"{one_line(run.task)}: {done:,} samples scored", file=sys.stderr, flush=True)
            yield piece
        return
    for piece in pieces:
        done += piece.tally.samples
        of_all = f" of {run.planned:,}" if run.planned else ""
        print(f"\r\033[K{one_line(run.task)}: {done:,}{of_all} samples scored ", end="", file=sys.stderr, flush=True)
        yield piece
    print("\r\033[K", end="", file=sys.stderr, flush=True)


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "predictions",
        nargs="+",
        metavar="PREDICTIONS",
        help="a run of lm-eval (--log_samples) or lighteval (--save-details): its folder, results file or sample file; "
        "a results file of IFStruct's runner; JSONL, packed or not, with an id and a text a line; or `-`, for such "
        "lines from another command",
    )
    parser.add_argument(
        "--task", help="for JSONL: the task whose rows were answered (ifstruct, sobench_ui, ..., each also _sample); "
        "for a harness's run: the tasks to score, comma-separated",
    )  # fmt: skip
    parser.add_argument("--rows", metavar="FILE", help="the rows that were answered: JSONL, parquet, or a prepared set")
    parser.add_argument(
        "--repeats", action="store_true", help="several lines may answer one row, without a `rollout` number each"
    )
    parser.add_argument(
        "--reasoning", choices=("remove", "keep"),
        help="for SO-Bench answers in JSONL: cut reasoning first, as the tasks do (default), or not, as its reference",
    )  # fmt: skip
    parser.add_argument("--workers", type=int, metavar="N", help="processes (default: one a processor)")
    parser.add_argument(
        "--engine",
        choices=tuple(ENGINES),
        help="spread the work by `datasets`, or by Ray Data (RAY_ADDRESS: on a cluster)",
    )
    parser.add_argument("--out", metavar="FILE", help="write figures and findings of every sample as JSONL")
    parser.add_argument("--json", metavar="FILE", help="write the table as JSON; `-` prints it in place of the table")


SCORE = Command("score saved answers without a model, and check a run's own figures", _run, _arguments)
