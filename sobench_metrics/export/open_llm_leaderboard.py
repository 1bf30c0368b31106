"""Files in the shape of the Open LLM Leaderboard: it takes no requests any more, its front-end template lives on.

A results file as lm-eval writes it, `ORG/NAME/results_TIME.json`, and the request that would have asked for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from sobench_metrics.export import naming
from sobench_metrics.export.files import ExportFile, as_json
from sobench_metrics.export.run_file import read_run_file
from sobench_metrics.export.secrets import without_secrets

if TYPE_CHECKING:
    from sobench_metrics.export.profiles import Profile
    from sobench_metrics.export.result import Result, Wishes

__all__ = ["build"]

_BY_TASK: Final = (
    "results", "groups", "group_subtasks", "configs", "versions", "n-shot", "n-samples", "higher_is_better",
    "task_hashes",
)  # fmt: skip
_MOST_PARAMETERS: Final = 1e18
_TEXTS: Final = ("chat_template", "system_instruction")  # their hashes stand beside them
_OF_THE_MACHINE: Final = ("pretty_env_info", "git_hash", "upper_git_hash")  # a reader of scores needs none of it


def build(results: list[tuple[Result, Profile]], wishes: Wishes) -> list[ExportFile]:
    """Return the results file and the request of one run."""
    first = results[0][0]
    model = naming.model_id(first, wishes)
    owner, _, name = model.partition("/")
    folder = f"{naming.slug(owner)}/{naming.slug(name)}"
    time = naming.moment(first).removesuffix("Z").replace(":", "-") or "unknown"
    content = _results(results, model, wishes)
    request = _request(first, model, wishes)
    precision = naming.slug(request["precision"])
    return [
        ExportFile(f"results/{folder}/results_{time}.json", as_json(content), is_long=True),
        ExportFile(
            f"requests/{folder}_eval_request_False_{precision}_{request['weight_type']}.json",
            as_json(request),
        ),
    ]


def _results(results: list[tuple[Result, Profile]], model: str, wishes: Wishes) -> dict[str, Any]:
    """Return lm-eval's own file with the keys that front-ends read; of another harness what they read of it."""
    first = results[0][0]
    tasks = [result.task for result, _ in results]
    read_by_front_ends = {
        "model_name": model,
        "model_dtype": first.model.dtype or "auto",
        "model_sha": naming.model_revision(first, wishes),
    }
    file = read_run_file(first.file).content
    if "lm_eval_version" in file:
        copy = {key: part for key, part in file.items() if key not in _OF_THE_MACHINE}
        config = file.get("config")
        copy["config"] = {**(config if isinstance(config, dict) else {}), **read_by_front_ends}
        copy["model_name"] = model
        # tasks that did not pass the gates go, and so do those of other packages
        for part in _BY_TASK:
            if isinstance(copy.get(part), dict):
                copy[part] = {key: value for key, value in copy[part].items() if key in tasks}
        told = copy.get("results") or {}
        copy["results"] = {
            task: {**row, **(told[task] if isinstance(told.get(task), dict) else {})}
            for task, row in _rows(results).items()
        }
        return {key: part if key in _TEXTS else without_secrets(part) for key, part in copy.items()}
    return {
        "config": {"model": first.model.backend, **read_by_front_ends},
        "results": _rows(results),
        "configs": {result.task: {"metadata": {"signature": result.signature_text}} for result, _ in results},
        "versions": {result.task: result.signature.get("task", "").rpartition(":")[2] for result, _ in results},
        "n-samples": {result.task: {"original": result.planned, "effective": result.n} for result, _ in results},
        "date": first.seconds_since_1970,
        "model_name": model,
    }


def _rows(results: list[tuple[Result, Profile]]) -> dict[str, dict[str, Any]]:
    return {
        result.task: {
            "alias": result.task,
            **{
                key: number
                for figure in result.figures
                for key, number in (
                    (f"{figure.name},none", figure.value),
                    (f"{figure.name}_stderr,none", "N/A" if figure.stderr is None else figure.stderr),
                )
            },
        }
        for result, _ in results
    }


def _request(result: Result, model: str, wishes: Wishes) -> dict[str, Any]:
    settings = result.model.settings
    adapted = bool(settings.get("peft") or settings.get("adapter_weights"))
    delta = bool(settings.get("delta") or settings.get("delta_weights"))
    return {
        "model": model,
        "base_model": str(settings.get("pretrained") or "") if adapted or delta else "",
        "revision": naming.model_revision(result, wishes),
        "private": False,
        "precision": result.model.dtype or "auto",
        "weight_type": "Adapter" if adapted else "Delta" if delta else "Original",
        "status": "FINISHED",
        "submitted_time": naming.moment(result),
        "model_type": "unknown",
        "likes": 0,
        "params": _billions(read_run_file(result.file).content),
        "license": "unknown",
        "signature": result.signature_text,
    }


def _billions(file: Any) -> float:
    config = file.get("config")
    number = config.get("model_num_parameters") if isinstance(config, dict) else None
    return round(number / 1e9, 3) if isinstance(number, (int, float)) and 0 < number < _MOST_PARAMETERS else 0.0
