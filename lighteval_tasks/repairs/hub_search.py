"""huggingface_hub 2 took `model_name` away from `HfApi.list_models`, with which lighteval looks a judge up.

The built-in MT-Bench metric does so when it is loaded, so that no task at all runs. `search` takes its place.

Upstream: none found.
"""

from __future__ import annotations

from inspect import signature
from typing import Any

from lighteval_tasks.repairs.repair import Repair
from lighteval_tasks.repairs.source import calls

__all__ = ["HUB_SEARCH"]

_GONE = "model_name"


def _needed() -> bool:
    asked = calls("lighteval.metrics.metrics_sample", "JudgeLLM", "list_models")
    if not any(keyword.arg == _GONE for call in asked for keyword in call.keywords):
        return False
    from lighteval.metrics import metrics_sample

    return _GONE not in signature(metrics_sample.HfApi.list_models).parameters


def _apply() -> None:
    from lighteval.metrics import metrics_sample

    class HfApi(metrics_sample.HfApi):  # type: ignore[misc]
        def list_models(self, *, model_name: str | None = None, **options: Any) -> Any:
            if model_name is not None:
                options["search"] = model_name
            return super().list_models(**options)

    metrics_sample.HfApi = HfApi


HUB_SEARCH = Repair("judge lookup on the hub", "none found", _needed, _apply)
