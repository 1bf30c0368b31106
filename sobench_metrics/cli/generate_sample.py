"""`sobench generate sobench-sample`: pictures with schemas and answers, any number."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from sobench_metrics.cli.extras import need
from sobench_metrics.cli.row_counter import RowCounter
from sobench_metrics.data.plain_words import counted
from sobench_metrics.data.prepared import DOMAINS
from sobench_metrics.data.prepared_sets import size_text
from sobench_metrics.errors import UsageError

if TYPE_CHECKING:
    import argparse

__all__ = ["run_sample", "sample_arguments"]

_MOST = 1_000_000_000  # what the numbers in doc ids have room for
_MOST_WORKERS = 256


def run_sample(args: argparse.Namespace) -> int:
    """Make the set and print what it is."""
    domains = _domains(args)
    need("generate sobench-sample", "PIL", "filelock", "matplotlib", "pyarrow", extra="prepare,report")
    from sobench_metrics.data.sample_maker.fresh.generation import generate
    from sobench_metrics.data.sample_maker.fresh.settings import Settings

    settings = Settings(args.seed, args.n, domains)
    folder = Path(args.out).expanduser()
    seen = RowCounter(args.n)
    try:
        made = generate(settings, folder, workers=args.workers, seen=seen)
    except KeyboardInterrupt:
        print(
            f"\nstopped after {counted(seen.rows, 'row')}; the same command goes on behind whole files", file=sys.stderr
        )
        raise
    finally:
        seen.close()
    manifest = made.manifest
    kinds = manifest["counts"]["source"]
    shares = ", ".join(f"{domain} {rows:,}" for domain, rows in manifest["counts"]["domain"].items())
    size = size_text(sum(entry["bytes"] for entry in manifest["files"].values()))
    print(f"{counted(args.n, 'row')} of {counted(len(kinds), 'kind')} ({shares}), {size}: set {manifest['prep_id']}")
    print(f"oracle: schema, official and strict points in all {args.n:,}; no two pictures the same; "
          f"{manifest['draws_replaced']:,} draws dropped and replaced")  # fmt: skip
    rate = (
        f"{counted(made.made, 'row')} made in {made.seconds:.1f} s, {made.made / max(made.seconds, 1e-9):,.1f} rows/s"
    )
    print(rate if made.made else "the set was there with these settings; nothing was made")
    print(f"ask them: SOBENCH_SAMPLE={folder} sobench lm-eval --tasks sobench_sample ...")
    return 0


def sample_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("--n", type=int, required=True, metavar="N", help="how many rows; any number")
    parser.add_argument("--seed", type=int, default=0, help="same seed, same bytes (default: %(default)s)")
    parser.add_argument("--out", required=True, metavar="DIR", help="folder to write into")
    parser.add_argument(
        "--domains", default=",".join(DOMAINS), metavar="NAMES", help="of %(default)s, with commas (default: all)"
    )
    parser.add_argument(
        "--workers", type=int, default=1, help="processes; the rows are the same (default: %(default)s)"
    )


def _domains(args: argparse.Namespace) -> tuple[str, ...]:
    """Return the chosen domains; raises UsageError for arguments that no set follows from."""
    asked = {name.strip() for name in args.domains.split(",") if name.strip()}
    unknown = sorted(asked.difference(DOMAINS))
    if unknown or not asked:
        raise UsageError(f"--domains {unknown[0] if unknown else args.domains!r}: choose from {', '.join(DOMAINS)}.")
    if not len(asked) <= args.n <= _MOST:
        raise UsageError(f"--n {args.n} is no use: give a number of rows from {len(asked)} (one a domain) on.")
    if not 1 <= args.workers <= _MOST_WORKERS:
        raise UsageError(f"--workers {args.workers} is no use: give a number from 1 to {_MOST_WORKERS}.")
    return tuple(name for name in DOMAINS if name in asked)
