"""`sobench tasks-dir` and `sobench lm-eval`: two doors to the tasks that change nothing in the environment."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from lm_eval_tasks import autoload, catalog
from lm_eval_tasks.commands.check import data_failures
from lm_eval_tasks.versions import require_lm_eval
from sobench_metrics.cli.command import Command
from sobench_metrics.errors import UsageError

if TYPE_CHECKING:
    import argparse

__all__ = ["LM_EVAL", "TASKS_DIR", "asked_tasks"]


def _print_tasks_dir(_args: argparse.Namespace) -> int:
    print(autoload.TASKS_DIR)
    return 0


def _lm_eval(args: argparse.Namespace) -> int:
    require_lm_eval()
    ours = [name for name in asked_tasks(args.rest) if name in catalog.task_names()]
    failures = data_failures(ours)  # before a model is loaded: the harness would find out after it
    if failures:
        raise UsageError(failures[0])
    from lm_eval import __main__ as harness
    from lm_eval.tasks import manager

    autoload.add_tasks(manager)
    sys.argv = ["lm-eval", *args.rest]
    harness.cli_evaluate()
    return 0


def asked_tasks(words: list[str]) -> list[str]:
    """Return the names behind `--tasks` (several words or commas), as lm-eval reads them."""
    names: list[str] = []
    taking = False
    for word in words:
        if word.startswith("--tasks="):
            names += word.partition("=")[2].split(",")
            taking = False
        elif word.startswith("-"):
            taking = word in ("--tasks", "-t")
        elif taking:
            names += word.split(",")
    return [name.strip() for name in names if name.strip()]


TASKS_DIR = Command("print the directory for lm-eval's --include_path", _print_tasks_dir)
LM_EVAL = Command("lm-eval's own command line with our tasks visible", _lm_eval, passes_through=True)
