"""`sobench generate KIND`: fresh rows to train and to measure on."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from sobench_metrics.cli.command import Command
from sobench_metrics.cli.extras import need
from sobench_metrics.cli.generate_hard import hard_arguments, run_hard
from sobench_metrics.cli.generate_sample import run_sample, sample_arguments
from sobench_metrics.cli.row_counter import RowCounter
from sobench_metrics.data.plain_words import counted
from sobench_metrics.errors import UsageError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from sobench_metrics.ifstruct.generate.settings import Rewriting

__all__ = ["GENERATE"]

_MOST_WORKERS = 256


def _ifstruct(args: argparse.Namespace) -> int:
    from sobench_metrics.ifstruct.generate.against import prompts_to_avoid
    from sobench_metrics.ifstruct.generate.generation import generate
    from sobench_metrics.ifstruct.generate.settings import Settings
    from sobench_metrics.ifstruct.generate.table import account

    _check_numbers(args)
    formats = ("jsonl",) if args.no_parquet else ("jsonl", "parquet")
    if not args.no_parquet:
        need("generate", "pyarrow")
    against, revision = prompts_to_avoid(args.against)
    settings = Settings(args.seed, args.split, against=against, against_revision=revision, rewriting=_rewriting(args))
    folder = Path(args.out).expanduser()
    seen = RowCounter(args.n)
    try:
        made = generate(settings, args.n, folder, formats=formats, workers=args.workers, seen=seen)
    except KeyboardInterrupt:
        print(f"\nstopped after {counted(seen.rows, 'row')}; the same command goes on behind them", file=sys.stderr)
        raise
    finally:
        seen.close()
    for line in account(made.tally, settings):
        print(line)
    rate = (
        f"{counted(made.made, 'row')} made in {made.seconds:.1f} s, {made.made / max(made.seconds, 1e-9):,.0f} rows/s"
    )
    print(rate if made.made else f"the split was there with these settings; nothing was made ({folder})")
    for file in made.files:
        print(file)
    return 0


def _check_numbers(args: argparse.Namespace) -> None:
    if args.n < 1:
        raise UsageError(f"--n {args.n} is no use: give a number of rows from 1 on.")
    if not 1 <= args.workers <= _MOST_WORKERS:
        raise UsageError(f"--workers {args.workers} is no use: give a number from 1 to {_MOST_WORKERS}.")
    if args.rewrite_concurrency < 1 or args.rewrite_tries < 1:
        raise UsageError("--rewrite-concurrency and --rewrite-tries are numbers from 1 on: correct them.")


def _rewriting(args: argparse.Namespace) -> Rewriting | None:
    from sobench_metrics.ifstruct.generate.settings import Rewriting

    if (args.rewrite_url is None) != (args.rewrite_model is None):
        raise UsageError("--rewrite-url and --rewrite-model belong together: give both, or neither.")
    if args.rewrite_url is None:
        return None
    if not args.rewrite_url.startswith(("http://", "https://")):
        raise UsageError(f"--rewrite-url {args.rewrite_url} is no web address: it begins with http:// or https://.")
    return Rewriting(args.rewrite_url, args.rewrite_model, args.rewrite_concurrency, args.rewrite_tries)


def _ifstruct_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--n", type=int, required=True, metavar="N", help="how many rows; any number")
    parser.add_argument("--seed", type=int, default=0, help="same seed, same bytes (default: %(default)s)")
    parser.add_argument("--split", choices=("train", "eval"), required=True, help="they share no entity type")
    parser.add_argument("--out", required=True, metavar="DIR", help="both splits may go into one folder")
    parser.add_argument(
        "--against",
        metavar="FILE",
        help="your copy of the test rows, parquet or JSONL: what comes near to one is replaced; default: what "
        "SOBENCH_IFSTRUCT names, when that is the test set",
    )
    parser.add_argument(
        "--workers", type=int, default=1, help="processes; the rows are the same (default: %(default)s)"
    )
    parser.add_argument("--no-parquet", action="store_true", help="write JSONL only, which needs no pyarrow")
    parser.add_argument(
        "--rewrite-url",
        metavar="URL",
        help="an OpenAI-compatible server (address up to /v1; key in OPENAI_API_KEY) words the prompts that think out "
        "loud; what the check refuses is worded by our own rules",
    )
    parser.add_argument("--rewrite-model", metavar="NAME", help="the model to ask there")
    parser.add_argument("--rewrite-concurrency", type=int, default=8, help="requests at once (default: %(default)s)")
    parser.add_argument("--rewrite-tries", type=int, default=3, help="per prompt (default: %(default)s)")


# One line a kind: its help, its arguments, what makes it.
_KINDS: dict[str, tuple[str, Callable[[argparse.ArgumentParser], None], Callable[[argparse.Namespace], int]]] = {
    "ifstruct": ("IFStruct rows of entity types that the test set does not have", _ifstruct_arguments, _ifstruct),
    "ifstruct-hard": (
        "IFStruct rows of five levels under strict rules, as the task ifstruct_hard asks them",
        hard_arguments,
        run_hard,
    ),
    "sobench-sample": (
        "pictures with schemas and answers, in the four domains of SO-Bench and in its layout",
        sample_arguments,
        run_sample,
    ),
}


def _run(args: argparse.Namespace) -> int:
    if args.kind is None:
        raise UsageError(f"say what to generate: `sobench generate {'|'.join(_KINDS)}`.")
    return _KINDS[args.kind][2](args)


def _arguments(parser: argparse.ArgumentParser) -> None:
    children = parser.add_subparsers(dest="kind", metavar="KIND")
    for name, (line, arguments, _) in _KINDS.items():
        arguments(children.add_parser(name, help=line, description=line))


GENERATE = Command("make fresh rows, any number, proven one by one", _run, _arguments)
