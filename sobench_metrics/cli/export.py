"""`sobench export`: what a run may say in public, in the form that each place takes; seen first, sent when asked."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING

from sobench_metrics.cli.command import Command
from sobench_metrics.cli.extras import need
from sobench_metrics.data.plain_words import counted, one_line
from sobench_metrics.data.whole_file import whole_file
from sobench_metrics.errors import UsageError
from sobench_metrics.export import naming
from sobench_metrics.export.collecting import collect
from sobench_metrics.export.gates import BY_KIND
from sobench_metrics.export.profiles import profile_of
from sobench_metrics.export.result import Wishes
from sobench_metrics.export.targets import OF_TABLES, TABLES, TARGETS, table

if TYPE_CHECKING:
    import argparse

    from sobench_metrics.export.files import ExportFile
    from sobench_metrics.export.profiles import Profile
    from sobench_metrics.export.result import Result
    from sobench_metrics.export.targets import Target

__all__ = ["EXPORT"]

_SHOWN_LINES, _SHOWN_CHARACTERS = 12, 200
_RELATIONS = ("first_party", "third_party", "collaborative", "other")
_AVAILABILITY = ("open_weights", "closed_weights")


def _run(args: argparse.Namespace) -> int:
    wishes = _wishes(args)
    if args.upload:
        need("export --upload", "huggingface_hub", extra=None)
    chosen = _chosen(Path(args.run), args.task)
    if args.to in TABLES:
        return _table(args, chosen, wishes)
    target = TARGETS[args.to]
    chosen = chosen if args.task else _suitable(target, chosen, wishes)
    refused = [one for result, profile in chosen for one in target.refuses(result, profile, wishes)]
    if refused:
        gates = "\n".join(f"  {one}" for one in refused)
        raise UsageError(f"nothing was exported, {counted(len(refused), 'gate')} closed:\n{gates}")
    files = target.build(chosen, wishes)
    if args.upload and not all(file.repo for file in files):
        raise UsageError(f"--to {args.to} has no repository to send to: write with --out, and `hf upload` to your own.")
    first = chosen[0][0]
    print(f"From {one_line(first.file)} ({one_line(first.harness)}, {naming.day(first) or 'no date'}):\n")
    _show(files)
    if args.out is not None:
        _write(files, Path(args.out).expanduser())
    if args.upload:
        return _upload(args.to, files, chosen, wishes)
    if args.out is None:
        print("Nothing was written: --out DIR writes", "it." if len(files) == 1 else "them.", end="")
        print(" --upload opens a pull request." if all(file.repo for file in files) else "")
    return 0


def _wishes(args: argparse.Namespace) -> Wishes:
    """Return what was said beside the run; raises UsageError for what the target would not even look at."""
    names = [one.name for one in fields(Wishes)]
    said = {name: value for name in names if (value := getattr(args, name))}
    said = {name: value.strip() if isinstance(value, str) else value for name, value in said.items()}
    reads = OF_TABLES if args.to in TABLES else TARGETS[args.to].reads
    unread = [f"--{name.replace('_', '-')}" for name in said if name not in reads]
    if unread:
        raise UsageError(f"--to {args.to} has no place for {', '.join(unread)}: leave it out.")
    wishes = Wishes(**said)
    if (wishes.source_name or wishes.source_user or wishes.source_org) and not wishes.source_url:
        raise UsageError("--source-name, --source-user and --source-org belong to an address: add --source-url.")
    return wishes


def _chosen(place: Path, named: str | None) -> list[tuple[Result, Profile]]:
    results = collect(place)
    if not results:
        raise UsageError(f"{place} has no task of SO-Bench or IFStruct.")
    names = [name.strip() for name in (named or "").split(",") if name.strip()]
    missing = [name for name in names if name not in {result.task for result in results}]
    if missing:
        there = ", ".join(one_line(result.task) for result in results)
        raise UsageError(f"the run has no task {one_line(missing[0])}: choose from {there}.")
    return [(result, profile_of(result.benchmark)) for result in results if not names or result.task in names]


def _suitable(target: Target, found: list[tuple[Result, Profile]], wishes: Wishes) -> list[tuple[Result, Profile]]:
    """Return those of all results that the target can take by their kind; all, when it can take none of them."""
    kinds = {
        result.task: sorted(BY_KIND & {one.code for one in target.refuses(result, profile, wishes)})
        for result, profile in found
    }
    chosen = [pair for pair in found if not kinds[pair[0].task]]
    if not chosen:
        return [pair for pair in found if "task.part" not in kinds[pair[0].task]] or found
    left = [f"{one_line(task)} ({', '.join(codes)})" for task, codes in kinds.items() if codes]
    if left:
        print(f"Left out, for this target does not take them: {', '.join(left)}.\n")
    return chosen


def _table(args: argparse.Namespace, chosen: list[tuple[Result, Profile]], wishes: Wishes) -> int:
    if args.upload:
        raise UsageError(f"--to {args.to} is for people and has no place to send to: leave out --upload.")
    files = table(args.to, chosen, wishes)
    if args.out is None:
        print(files[0].text, end="")
    else:
        _write(files, Path(args.out).expanduser())
    return 0


def _show(files: list[ExportFile]) -> None:
    for file in files:
        name = "the metadata of README.md" if file.card else file.path
        print(f"--- {name}" + (f" in {file.repo}" if file.repo else ""))
        lines = file.text.splitlines()
        shown = [line[:_SHOWN_CHARACTERS] for line in lines[:_SHOWN_LINES]] if file.is_long else lines
        print("\n".join(shown))
        if len(shown) < len(lines):
            print(f"... {counted(len(lines) - len(shown), 'more line')}")
        print()


def _write(files: list[ExportFile], folder: Path) -> None:
    for file in files:
        path = folder / file.path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(f"cannot make the folder {path.parent}: name a folder that you may write.") from error
        with whole_file(path) as out:
            out.write(file.text)
        print(f"wrote {path}")


def _upload(name: str, files: list[ExportFile], chosen: list[tuple[Result, Profile]], wishes: Wishes) -> int:
    from sobench_metrics.export.pull_request import check_task_id, propose

    if name == "hf-eval-results":
        for _, profile in chosen:
            remark = check_task_id(wishes.dataset_id or profile.dataset.id, wishes.task_id or profile.dataset.task_id)
            if remark:
                print(f"note: {remark}")
    benchmarks = " and ".join(dict.fromkeys(profile.name for _, profile in chosen))
    signatures = "\n".join(f"- `{result.signature_text}`" for result, _ in chosen)
    description = f"By `sobench export --to {name}`.\n\n{signatures}"
    print(f"opened {propose(files, f'Add {benchmarks} results', description)}")
    return 0


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("run", metavar="RUN", help="a folder given as --output_path (its newest run) or a results file")
    targets = "; ".join(f"{name}: {target.help}" for name, target in TARGETS.items())
    parser.add_argument(
        "--to", required=True, choices=(*TARGETS, *TABLES), help=f"{targets}; csv, markdown: every figure, for people"
    )
    parser.add_argument("--out", metavar="DIR", help="write the files into this folder; default: only show them")
    parser.add_argument("--upload", action="store_true", help="open a pull request with them")
    parser.add_argument("--task", metavar="T,T", help="comma-separated task names; default: all that the target takes")
    parser.add_argument("--model-id", metavar="ORG/NAME", help="the model's repository, where the run had a folder")
    parser.add_argument("--revision", metavar="SHA", help="the model's commit, where the backend noted none")
    parser.add_argument("--dataset-revision", metavar="SHA", help="the full commit of the data set")
    parser.add_argument("--dataset-id", metavar="ORG/NAME", help="the benchmark's data set (SO-Bench has none)")
    parser.add_argument("--task-id", metavar="ID", help="the task in the data set's eval.yaml")
    parser.add_argument("--metric", metavar="FIGURE", help="the figure that stands for the benchmark")
    parser.add_argument("--source-url", metavar="URL", help="where the logs can be read")
    parser.add_argument("--source-name", metavar="TEXT", help="how the source is called")
    parser.add_argument("--source-user", metavar="USER", help="who ran it, on the hub")
    parser.add_argument("--source-org", metavar="ORG", help="which organisation ran it, on the hub")
    parser.add_argument("--organization", metavar="TEXT", help="who ran it, in words (every-eval-ever)")
    parser.add_argument(
        "--relationship",
        choices=_RELATIONS,
        help="of who ran it to who made the model (every-eval-ever; default: other)",
    )
    parser.add_argument(
        "--availability", choices=_AVAILABILITY, help="of the model's weights (every-eval-ever; default: unknown)"
    )
    parser.add_argument(
        "--samples",
        action="store_true",
        help="also the answers, where the benchmark's terms allow it: IFStruct (every-eval-ever)",
    )


EXPORT = Command("write a run's results for leaderboards, model cards or tables", _run, _arguments)
