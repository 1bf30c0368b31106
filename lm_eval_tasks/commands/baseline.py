"""`sobench baseline oracle|empty|placeholder`: the tasks, the harness and the scorers, without a model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lm_eval_tasks import autoload, catalog
from lm_eval_tasks.commands.check import data_failures
from lm_eval_tasks.versions import require_lm_eval
from sobench_metrics.cli.command import Command
from sobench_metrics.errors import UsageError

if TYPE_CHECKING:
    import argparse

__all__ = ["BASELINE", "imperfect", "run_baseline"]

_KINDS = ("oracle", "empty", "placeholder")
_PERFECT_IS_ZERO = ("invalid", "request_failed", "free", "skipped")
_SAMPLES = "sobench_sample,ifstruct_sample"


def _run(args: argparse.Namespace) -> int:
    if args.limit is not None and args.limit < 1:
        raise UsageError(f"--limit {args.limit} leaves no sample: give a number from 1.")
    names = [name.strip() for name in args.tasks.split(",") if name.strip()]
    results = run_baseline(args.kind, names, limit=args.limit)
    if args.output_path:
        _save(args.kind, results, args.output_path)
    from lm_eval.utils import make_table

    print(f"baseline: {args.kind}")
    print(make_table(results))
    if "groups" in results:
        print(make_table(results, "groups"))
    for task, config in results["configs"].items():
        counts = results["n-samples"][task]
        signature = config["metadata"].get("signature", f"task={task}:{results['versions'][task]}|scores=official")
        print(
            f"{signature}|baseline={args.kind}|scored={counts['effective']} of {counts['original']}|limit={args.limit}"
        )
    if args.kind == "oracle":
        short = imperfect(results)
        print("oracle: every score is 100" if not short else f"oracle below 100: {'; '.join(short)}")
        return 1 if short else 0
    return 0


def run_baseline(kind: str, names: list[str], *, limit: int | None = None) -> dict[str, Any]:
    """Return lm-eval's results of the tasks answered by a baseline; raises UsageError before anything is run."""
    require_lm_eval()
    catalog.leaf_tasks(names)
    failures = data_failures(names)
    if failures:
        raise UsageError(failures[0])
    from lm_eval import simple_evaluate
    from lm_eval.tasks import TaskManager

    from lm_eval_tasks.baselines import BaselineLM

    results: dict[str, Any] = simple_evaluate(
        model=BaselineLM(kind),
        tasks=names,
        task_manager=TaskManager(include_path=autoload.TASKS_DIR, include_defaults=False),
        apply_chat_template=True,
        limit=limit,
        log_samples=True,
    )
    return results


def _save(kind: str, results: dict[str, Any], folder: str) -> None:
    """Write results and samples as the harness writes a model's, so that a report can set them beside one."""
    from lm_eval.loggers import EvaluationTracker

    tracker = EvaluationTracker(output_path=folder)
    tracker.general_config_tracker.log_experiment_args("baseline", f"pretrained=baseline/{kind}", None, None, None)
    logged = results["samples"]
    tracker.save_results_aggregated({key: part for key, part in results.items() if key != "samples"}, logged)
    for task, lines in logged.items():
        tracker.save_results_samples(task, lines)


def imperfect(results: dict[str, Any]) -> list[str]:
    """Return every figure in which an oracle falls short; slices without samples are left out."""
    short = []
    for task, metrics in results["results"].items():
        for key, value in metrics.items():
            name = key.partition(",")[0]
            if not isinstance(value, float) or name.endswith("_stderr"):
                continue
            if value != (0.0 if name in _PERFECT_IS_ZERO else 1.0):
                short.append(f"{task} {name} = {value:.4f}")
    return short


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("kind", choices=_KINDS, help="which answers to give")
    parser.add_argument("--tasks", default=_SAMPLES, help="comma-separated task names (default: %(default)s)")
    parser.add_argument("--output_path", metavar="DIR", help="write results and samples there, as a model's run does")
    parser.add_argument("--limit", type=int, help="only the first N samples of each task")


BASELINE = Command("run tasks with known answers through the harness", _run, _arguments)
