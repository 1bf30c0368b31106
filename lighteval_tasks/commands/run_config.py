"""From a model file of lighteval with a `sobench_run` part to the words of lighteval's command line.

lighteval reads `model_parameters` of such a file and nothing else, so that it also works with its plain command.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lighteval_tasks.commands.registration import SERVER
from sobench_metrics.data.plain_words import one_line
from sobench_metrics.data.whole_file import whole_file
from sobench_metrics.errors import UsageError
from sobench_metrics.run_config import Plan, RunConfig, check_keys, refuse_variables

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["plan"]

_PARAMETERS, _RUN = "model_parameters", "sobench_run"
_KEYS = ("command", "model", "tasks", "options", "environment")
_COMMANDS = ("accelerate", "vllm", "sglang", "custom", "eval")
_BY_NAME = ("custom", "eval")  # these take a model's name where the others take its settings


def plan(config: RunConfig) -> Plan:
    """Return the command of a configuration; raises UsageError for what cannot be run.

    Changed `model_parameters` are written beside the results, where the command names them.
    """
    check_keys(config, config.content, (_PARAMETERS, _RUN))
    run = config.content.get(_RUN)
    if not isinstance(run, dict):
        raise UsageError(f"{config.file} has no {_RUN}: with keys under it, such as command and tasks.")
    check_keys(config, run, _KEYS, f"{_RUN}.")
    refuse_variables(config, config.content)
    command = str(run.get("command"))
    if command not in _COMMANDS:
        raise UsageError(f"{config.file}: {_RUN}.command is {one_line(command)!a}: choose from {', '.join(_COMMANDS)}.")
    if not run.get("tasks"):
        raise UsageError(f"{config.file}: no tasks are named: add tasks: ifstruct_sample|0 under {_RUN}.")
    tasks = run["tasks"]
    named = ",".join(map(str, tasks)) if isinstance(tasks, list) else str(tasks)
    options = {name.replace("_", "-"): value for name, value in _mapping(config, run, "options").items()}
    words = [command, *_model(config, run, command, options), named, *_options(options)]
    environment = {key: str(value) for key, value in _mapping(config, run, "environment").items()}
    return Plan("lighteval", tuple(words), environment)


def _model(config: RunConfig, run: Mapping[str, Any], command: str, options: Mapping[str, Any]) -> list[str]:
    if command in _BY_NAME:
        if not run.get("model"):
            raise UsageError(f"{config.file}: {command} needs a model's name: add model: under {_RUN}.")
        return [str(run["model"]), *([SERVER] if command == "custom" else [])]
    if not isinstance(config.content.get(_PARAMETERS), dict):
        raise UsageError(f"{config.file} has no {_PARAMETERS}: with keys under it, such as model_name.")
    if _PARAMETERS not in config.changed:
        return [str(config.file)]
    return [str(_written(config.content[_PARAMETERS], Path(str(options.get("output-dir", "results")))))]


def _written(parameters: Mapping[str, Any], folder: Path) -> Path:
    """Write settings into a file named by their content, and return it."""
    import yaml

    text = yaml.safe_dump({_PARAMETERS: dict(parameters)}, sort_keys=False)
    file = folder / f"model_{hashlib.sha256(text.encode()).hexdigest()[:12]}.yaml"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(
            f"cannot make the folder {folder}: name one with --set {_RUN}.options.output-dir=DIR."
        ) from error
    with whole_file(file) as out:
        out.write(text)
    return file


def _options(options: Mapping[str, Any]) -> Iterator[str]:
    for name, value in options.items():
        option = f"--{name}"
        if value is True:
            yield option
        elif value not in (None, False):
            yield from (option, str(value))


def _mapping(config: RunConfig, run: Mapping[str, Any], key: str) -> dict[str, Any]:
    found = run.get(key) or {}
    if not isinstance(found, dict):
        raise UsageError(f"{config.file}: {_RUN}.{key} must hold `name: value` lines.")
    return {str(name): value for name, value in found.items()}
