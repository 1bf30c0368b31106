"""`sobench tasks-dir` and `sobench lm-eval`: two doors to the tasks that change nothing in the environment."""

from __future__ import annotations

import sys
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lm_eval_tasks import autoload, catalog
from lm_eval_tasks.commands.check import backend_fault, data_failures
from lm_eval_tasks.versions import require_lm_eval
from sobench_metrics.cli.command import Command
from sobench_metrics.errors import UsageError

if TYPE_CHECKING:
    import argparse

__all__ = ["LM_EVAL", "TASKS_DIR", "asked"]


# users' mistakes that the harness raises as plain exceptions, by words of theirs, with what to do
_HARNESS_MISTAKES = {
    "Tasks not found": "`sobench check` checks ours, `sobench lm-eval ls tasks` lists all",
    "Batch size 'auto' is not yet supported": "give --batch_size a number",
    "Duplicate task": "name a group or its members, not both",
    "requested max tokens to generate": "add --gen_kwargs max_gen_toks=N, or max_length=M to --model_args",
}


def _print_tasks_dir(_args: argparse.Namespace) -> int:
    print(autoload.TASKS_DIR)
    return 0


def _lm_eval(args: argparse.Namespace) -> int:
    require_lm_eval()
    _look_ahead(args.rest)
    from lm_eval import __main__ as harness  # seconds of imports
    from lm_eval.tasks import manager

    autoload.add_tasks(manager)
    sys.argv = ["lm-eval", *args.rest]
    try:
        harness.cli_evaluate()
    except (ValueError, AssertionError) as error:
        mistake = _as_mistake(error)
        if mistake is None:
            raise
        sys.stderr.write("\n")  # a progress bar may stand open on the line
        raise mistake from None
    return 0


def _as_mistake(error: Exception) -> UsageError | None:
    if isinstance(error, UsageError):
        return error
    remedy = next((remedy for words, remedy in _HARNESS_MISTAKES.items() if words in str(error)), None)
    return None if remedy is None else UsageError(f"{str(error).rstrip('.')}: {remedy}.")


def _look_ahead(words: list[str]) -> None:
    """Raise UsageError for what the harness would find out only after it has loaded a model."""
    if not words or words[0] in ("ls", "validate") or {"-h", "--help"} & set(words):
        return
    config = _config(asked(words, "--config", "-C"))
    patterns = asked(words, "--tasks", "-t") or _listed(config.get("tasks"))
    if not patterns:
        raise UsageError("no tasks named: add --tasks, for example --tasks sobench_ui_sample,ifstruct_sample.")
    ours = [name for name in catalog.task_names() if any(fnmatchcase(name, pattern) for pattern in patterns)]
    needs = catalog.needs(ours) if ours else []
    if any(need.domain for need in needs) and not _has_chat_template(words, config):
        raise UsageError("SO-Bench asks with an image and needs a chat: add --apply_chat_template.")
    backend = (asked(words, "--model", "-M") or _listed(config.get("model")) or [""])[0]
    faults = [*data_failures(ours), *filter(None, [backend_fault(backend, needs)])]
    if faults:
        raise UsageError(faults[0])


def asked(words: list[str], *options: str) -> list[str]:
    """Return the values behind an option (several words or commas), as lm-eval reads `--tasks`."""
    values: list[str] = []
    taking = False
    for word in words:
        name, given, value = word.partition("=")
        if word.startswith("-"):
            taking = name in options
            values += value.split(",") if taking and given else []
        elif taking:
            values += word.split(",")
    return [value.strip() for value in values if value.strip()]


def _has_chat_template(words: list[str], config: dict[str, Any]) -> bool:
    return bool(config.get("apply_chat_template")) or any(word.startswith("--apply_chat_template") for word in words)


def _config(files: list[str]) -> dict[str, Any]:
    import yaml

    if not files:
        return {}
    try:
        config = yaml.safe_load(Path(files[0]).read_text(encoding="utf-8"))
    except (OSError, yaml.YAMLError) as error:
        reason = " ".join(str(error).split())
        raise UsageError(f"cannot read the run configuration {files[0]}: {reason}") from error
    return config if isinstance(config, dict) else {}


def _listed(value: Any) -> list[str]:
    return value.split(",") if isinstance(value, str) else [str(item) for item in value or ()]


TASKS_DIR = Command("print the directory for lm-eval's --include_path", _print_tasks_dir)
LM_EVAL = Command("lm-eval's own command line with our tasks visible", _lm_eval, passes_through=True)
