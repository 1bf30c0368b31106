"""`sobench prepare`: the real SO-Bench on this machine's disk."""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from sobench_metrics.cli.command import Command
from sobench_metrics.data.prepared import DOMAINS, sobench_home
from sobench_metrics.errors import UsageError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping

    from sobench_metrics.data.fetch.http import Http
    from sobench_metrics.data.prepare.order import Order
    from sobench_metrics.data.prepare.run import Outcome
    from sobench_metrics.data.prepare.upstream import Upstream

__all__ = ["PREPARE"]

_PARTIAL_STATUS = 3
_INTERRUPTED_STATUS = 130
_USAGE_STATUS = 2
_MODULES = {
    "requests": "requests", "huggingface_hub": "huggingface_hub", "pyarrow": "pyarrow", "PIL": "pillow",
    "tqdm": "tqdm", "filelock": "filelock", "urllib3": "urllib3",
}  # fmt: skip
_SHOWN = 20


def _run(args: argparse.Namespace) -> int:
    missing = [package for module, package in _MODULES.items() if find_spec(module) is None]
    if missing:
        raise UsageError(f"`sobench prepare` lacks {', '.join(missing)}: `pip install 'sobench[prepare]'`.")
    from sobench_metrics.data.lock import locked

    home = _home()
    order = _order(args)
    try:
        with locked(home):
            return _dry_run(home, order) if args.dry_run else _prepare(home, order)
    except KeyboardInterrupt:
        _leave("interrupted; repeat the command to go on from here", _INTERRUPTED_STATUS)
    except UsageError as error:
        _leave(str(error), _USAGE_STATUS)


def _leave(sentence: str, status: int) -> NoReturn:
    """End at once: a thread may sit in a socket for minutes, and every file is whole or not there."""
    print(f"sobench: {sentence}", file=sys.stderr, flush=True)
    sys.stdout.flush()
    os._exit(status)


def _home() -> Path:
    home = sobench_home()
    if (home / "manifest.json").exists():
        raise UsageError(f"SOBENCH_HOME ({home}) is one prepared set: set it to the folder that shall hold the sets.")
    return home


def _order(args: argparse.Namespace) -> Order:
    from sobench_metrics.data.prepare.order import UPSTREAM, Order, assignments, parse_names
    from sobench_metrics.data.sources import SOURCES

    domains = parse_names("--domains", args.domains, DOMAINS)
    sources = parse_names("--sources", args.sources, SOURCES)
    archives = assignments("--local-archive", "PATH", args.local_archive, SOURCES)
    said = [f"--sources {' '.join(sources)}"] if len(sources) < len(SOURCES) else []
    said += [f"--limit {args.limit}"] if args.limit is not None else []
    return Order(
        sources=tuple(name for name in sources if SOURCES[name].domain in domains),
        limit=args.limit,
        revisions=assignments("--revision", "SHA", args.revision, (UPSTREAM, *SOURCES)),
        archives={name: _existing("--local-archive", path) for name, path in archives.items()},
        upstream_dir=_existing("--upstream-dir", args.upstream_dir) if args.upstream_dir else None,
        jobs=args.jobs,
        allow_partial=args.allow_partial,
        keep_archives=args.keep_archives,
        said=", ".join(said),
    )


def _existing(flag: str, path: str) -> Path:
    found = Path(path).expanduser()
    if not found.exists():
        raise UsageError(f"{flag} {path} does not exist: name a file or folder that does.")
    return found.resolve()


def _upstream(home: Path, order: Order, http: Http) -> Upstream:
    from sobench_metrics.data.prepare.upstream import PINNED_COMMIT, from_clone, from_web

    if order.upstream_dir is not None:
        return from_clone(order.upstream_dir)
    return from_web(http, home / "upstream", order.revisions.get("upstream", PINNED_COMMIT))


def _dry_run(home: Path, order: Order) -> int:
    from sobench_metrics.data.fetch.http import Http
    from sobench_metrics.data.prepare.dry_run import describe
    from sobench_metrics.data.prepare.making import left_to_fetch
    from sobench_metrics.data.prepare.planning import plan_sources

    http = Http()
    upstream = _upstream(home, order, http)
    wanted = order.wanted(upstream.labels)
    planned = plan_sources(home, order, upstream, wanted, http)
    left = left_to_fetch(home, wanted, planned)
    for line in describe(upstream, wanted, planned, left, plan_sources(home, order, upstream, left, http)):
        print(line)
    return _PARTIAL_STATUS if planned.failed else 0


def _prepare(home: Path, order: Order) -> int:
    from sobench_metrics.cli.progress import Progress
    from sobench_metrics.data.fetch.http import Http
    from sobench_metrics.data.prepare.leftovers import forget_missing, note_missing, tidy
    from sobench_metrics.data.prepare.run import prepare
    from sobench_metrics.data.prepared_sets import size_text

    http = Http()
    upstream = _upstream(home, order, http)
    with Progress(http.traffic) as progress:
        outcome = prepare(home, order, upstream, http, progress.watch())
    _report_missing(outcome.missing)
    print(f"moved {size_text(http.traffic.bytes)}")
    if outcome.missing:
        print(f"{_samples(len(outcome.missing))} missing, by name and reason in {note_missing(home, outcome.missing)}")
    else:
        forget_missing(home)
    if outcome.root is None:
        print(
            f"no set was built, since {_samples(len(outcome.missing))} missing; what was fetched stays. Mend what the "
            "reasons say and repeat the command, or add --allow-partial for a set that says n of N",
            file=sys.stderr,
        )
        return _PARTIAL_STATUS
    keep = order.keep_archives or order.limit is not None or bool(outcome.missing)
    tidy(home, done_with=() if keep else order.sources)
    for line in _set_lines(outcome):
        print(line)
    return 0


def _report_missing(missing: Mapping[str, str]) -> None:
    """Name every missing sample; a reason that many share is printed once."""
    by_reason: dict[str, list[str]] = {}
    for doc_id, reason in missing.items():
        by_reason.setdefault(reason, []).append(doc_id)
    for reason, ids in list(by_reason.items())[:_SHOWN]:
        print(f"missing: {', '.join(ids[:_SHOWN])}{_more(ids)}: {reason}", file=sys.stderr)
    if len(by_reason) > _SHOWN:
        print(f"missing: and {len(by_reason) - _SHOWN} more reasons", file=sys.stderr)


def _more(ids: list[str]) -> str:
    return f" and {len(ids) - _SHOWN} more" if len(ids) > _SHOWN else ""


def _set_lines(outcome: Outcome) -> list[str]:
    manifest = outcome.manifest
    expected = manifest["expected"]["domain"]
    shares = [f"{name} {count} of {expected[name]}" for name, count in outcome.counts.items()]
    lines = [f"set {manifest['prep_id']} in {outcome.root}", f"samples: {', '.join(shares)}"]
    if manifest["partial"]:
        lines.append(f"PARTIAL ({manifest['partial']['allowed_by']}): every number from it will say n of N")
    lines.append(f"next: `sobench verify`, `sobench contact-sheet`, `sobench lm-eval --tasks {_tasks(outcome)} ...`")
    return lines


def _samples(count: int) -> str:
    return "1 sample is" if count == 1 else f"{count} samples are"


def _tasks(outcome: Outcome) -> str:
    whole = len(outcome.counts) == len(DOMAINS)
    return "sobench" if whole else ",".join(f"sobench_{name}" for name in outcome.counts)


def _arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "--domains",
        nargs="+",
        action="extend",
        default=[],
        metavar="DOMAIN",
        help=f"some of {', '.join(DOMAINS)} (default: all)",
    )
    add(
        "--sources",
        nargs="+",
        action="extend",
        default=[],
        metavar="SOURCE",
        help="some of the ten: see the README; default: all",
    )
    add("--limit", type=int, metavar="N", help="the first N samples of each source: a partial set, for a first try")
    add("--dry-run", action="store_true", help="print counts, revisions, bytes and licences; fetch only indexes")
    add("--revision", action="append", default=[], metavar="SOURCE=SHA", help="pin a source, or `upstream`")
    add("--local-archive", action="append", default=[], metavar="SOURCE=PATH", help="take a source from your own copy")
    add("--upstream-dir", metavar="DIR", help="a checkout of apple/ml-sobench for labels and prompts")
    add("--jobs", type=int, default=4, metavar="N", help="transfers side by side (default: %(default)s)")
    add("--allow-partial", action="store_true", help="build a set although images are missing; it is marked partial")
    add("--keep-archives", action="store_true", help="keep half-read archives after success (RICO: up to 6 GB)")


PREPARE = Command("fetch labels, prompts and images of SO-Bench and write one data set", _run, _arguments)
