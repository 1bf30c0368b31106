"""What two numbers must share to be compared, in lighteval's log and in its results file.

lighteval writes the configuration of each task into the results. Ours has a field for the signature, which is filled
when the scores are computed: earlier it would enter the key of the prediction cache.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from lighteval_tasks import data, settings
from sobench_metrics import __version__
from sobench_metrics.data.prompt_text import text_hash

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lighteval.models.model_output import ModelResponse
    from lighteval.tasks.requests import Doc

__all__ = ["note_model", "note_task", "of_run", "of_sample"]


@dataclass(frozen=True, slots=True)
class _Run:
    """What the current run is made of, noted as lighteval puts it together."""

    backend: str = "unknown"
    template: str = "none"
    system: str = ""
    decoding: str = "greedy"
    limit: int | None = None
    constraint: str = ""
    configs: dict[str, Any] = field(default_factory=dict)


_run = _Run()


def note_task(config: Any) -> None:
    """Remember a task's configuration, to write the signature into it when its scores are there."""
    _run.configs[config.name] = config


def note_model(model: Any) -> None:
    """Remember the backend, its chat template and how it decodes.

    A backend of ours says with `decoding` and `constraint` what its configuration has no place for.
    """
    global _run  # noqa: PLW0603 - lighteval computes metrics without saying of which run
    template = getattr(getattr(model, "tokenizer", None), "chat_template", None)
    asked = _plain(getattr(model.config, "generation_parameters", None))
    _run = replace(
        _run,
        backend=type(model).__name__,
        template=text_hash(str(template)) if template else "none",  # a server's own is not told
        system=str(getattr(model.config, "system_prompt", None) or ""),
        decoding=getattr(model, "decoding", None) or _decoding(asked),
        limit=getattr(model.config, "generation_size", None),
        constraint=str(getattr(model, "constraint", "")),
    )


def of_sample(doc: Doc, response: ModelResponse) -> dict[str, str]:
    """Return what the answer of one sample says about its run."""
    named = doc.specific or {}
    return {
        "task": str(named.get("task")),
        "data": str(named.get("data")),
        "reasoning": "kept" if response.text_post_processed is None else "removed",
        "max_tokens": str(_run.limit or doc.generation_size),
    }


def of_run(samples: Sequence[Mapping[str, str]]) -> str:
    """Return the signature of a task's numbers, and write it into the task's configuration."""
    first = samples[0]
    config = _run.configs.get(first["task"])
    found = data.loaded(first["task"], first["data"])
    sobench = found.task.benchmark == "sobench"
    parts = {
        "task": f"{first['task']}:{getattr(config, 'version', '?')}",
        "scores": "official" if found.task.benchmark == "ifstruct" else "official+strict",
        "reasoning": first["reasoning"] if sobench else "removed by the scorer",
        "data": first["data"],
        "n": f"{len(samples)}/{found.expected}",
        "max_tokens": first["max_tokens"],
        "decoding": _run.decoding,
        "backend": f"lighteval.{_run.backend}",
        "prompt": _prompt(found),
        "template": _run.template,
        **({"constrained": _run.constraint} if _run.constraint else {}),
        "lighteval": version("lighteval"),
        "sobench": __version__,
    }
    text = "|".join(f"{key}={value}" for key, value in parts.items())
    if config is not None:
        config.signature = text
    return text


def _prompt(found: data.TaskData) -> str:
    """Name the prompts as lm-eval's task does: equal hashes, equal prompts."""
    if found.prepared is None:
        return text_hash(_run.system) if _run.system else "rows"
    prompts = found.prepared.prompts
    system = "\n\n".join(filter(None, [_run.system, prompts.system]))
    return text_hash(f"{system}\0{prompts.user}\0{settings.merge_system()}")


def _decoding(asked: dict[str, Any]) -> str:
    return json.dumps(asked, sort_keys=True, default=str) if asked.get("temperature") else "greedy"


def _plain(given: Any) -> dict[str, Any]:
    values = given.model_dump() if hasattr(given, "model_dump") else {}
    return {key: value for key, value in values.items() if value is not None}
