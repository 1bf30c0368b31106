"""From a configuration, as lm-eval's `--config` takes it, to the words of its command line.

The file also works with `lm_eval run --config FILE`. Words say the same with changes in it, and what lm-eval would
find out by a traceback, or not at all, is told here in a sentence.
"""

from __future__ import annotations

import json
from dataclasses import MISSING, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lm_eval_tasks.versions import require_lm_eval
from sobench_metrics.data.plain_words import one_line
from sobench_metrics.errors import UsageError
from sobench_metrics.run_config import Plan, RunConfig, check_keys, refuse_variables

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["known_keys", "plan"]

_FLAGS = (
    "log_samples", "check_integrity", "write_out", "show_config", "predict_only", "trust_remote_code",
    "confirm_run_unsafe_code",
)  # fmt: skip
_CACHE_WORDS = {
    ("cache_requests",): "true",
    ("cache_requests", "rewrite_requests_cache"): "refresh",
    ("delete_requests_cache",): "delete",
}
_PATHS = ("use_cache", "output_path")


def plan(config: RunConfig) -> Plan:
    """Return the command of a configuration; raises UsageError for what lm-eval would not take or take wrongly."""
    content = dict(config.content)
    defaults = known_keys()
    check_keys(config, content, defaults.keys() - {"config"})
    refuse_variables(config, {key: value for key, value in content.items() if key != "system_instruction"})
    _check(config, content)
    words = ["run"]
    for key, value in content.items():
        if value is None and defaults[key] in (None, False, {}):
            continue
        if value is None:
            raise UsageError(f"{config.file}: {key} is empty: leave it out for lm-eval's own {defaults[key]!r}.")
        words += _words(config, key, value)
    return Plan("lm-eval", tuple(words))


def known_keys() -> dict[str, Any]:
    """Return the keys that the installed lm-eval reads, with its own value of each."""
    require_lm_eval()
    from lm_eval.config.evaluate_config import EvaluatorConfig

    return {
        one.name: one.default_factory() if one.default_factory is not MISSING else one.default
        for one in fields(EvaluatorConfig)
    }


def _check(config: RunConfig, content: Mapping[str, Any]) -> None:
    def wrong(text: str) -> UsageError:
        return UsageError(f"{config.file}: {text}")

    for key in _FLAGS:
        if not isinstance(content.get(key), (bool, type(None))):
            raise wrong(f"{key} is {one_line(content[key])!a}, which counts as true: write true or false.")
    if (content.get("log_samples") or content.get("predict_only")) and not content.get("output_path"):
        raise wrong("log_samples needs a place: add output_path.")
    if content.get("samples") and content.get("limit") is not None:
        raise wrong("samples and limit exclude each other: keep one.")
    if content.get("fewshot_as_multiturn") and not content.get("apply_chat_template"):
        raise wrong("fewshot_as_multiturn needs a chat: add apply_chat_template: true.")
    if not isinstance(content.get("cache_requests"), (dict, type(None))):
        raise wrong("cache_requests must be a mapping: write cache_requests: {cache_requests: true}.")
    if not content.get("tasks"):
        raise wrong("no tasks are named: add tasks: [ifstruct_sample].")


def _words(config: RunConfig, key: str, value: Any) -> Iterator[str]:
    option = f"--{key}"
    if key in _FLAGS:
        yield from [option] if value else []
    elif key == "cache_requests":
        yield from _cache(config, value)
    elif key == "apply_chat_template":
        yield from ([option] if value is True else [option, str(value)] if value else [])
    elif key == "fewshot_as_multiturn":
        yield from (option, "true" if value else "false")
    elif key == "include_path":
        yield from (option, _include_path(config, value))
    elif key in ("tasks", "seed"):
        yield from (option, ",".join(map(str, value)) if isinstance(value, list) else str(value))
    elif isinstance(value, (dict, list)):
        yield from [option, json.dumps(value)] if value else []
    else:
        yield from (option, str(value))


def _cache(config: RunConfig, wanted: Mapping[str, Any]) -> Iterator[str]:
    switched_on = tuple(sorted(key for key, value in wanted.items() if value))
    if switched_on and switched_on not in _CACHE_WORDS:
        raise UsageError(
            f"{config.file}: cache_requests knows cache_requests, with rewrite_requests_cache or not, or "
            f"delete_requests_cache alone, not {one_line(', '.join(switched_on))}."
        )
    yield from ("--cache_requests", _CACHE_WORDS[switched_on]) if switched_on else ()


def _include_path(config: RunConfig, value: Any) -> str:
    """Return the folder with a user's own tasks, looked for from where one stands and beside the file."""
    given = [str(one) for one in (value if isinstance(value, list) else [value])]
    if len(given) != 1:
        raise UsageError(f"{config.file}: a command line takes one include_path: put the tasks into one folder.")
    for folder in (Path(given[0]), config.file.parent / given[0]):
        if folder.is_dir():
            return str(folder)
    raise UsageError(f"{config.file}: there is no folder {given[0]} for include_path (our own tasks need none).")
