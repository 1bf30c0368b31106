"""The `model-index` in the metadata of a model's README.md: older than `.eval_results`, and still shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sobench_metrics.export import naming
from sobench_metrics.export.files import ExportFile, as_yaml

if TYPE_CHECKING:
    from sobench_metrics.export.profiles import Profile
    from sobench_metrics.export.result import Result, Wishes

__all__ = ["build"]

_DIGITS = 6


def build(results: list[tuple[Result, Profile]], wishes: Wishes) -> list[ExportFile]:
    """Return the metadata of all results, as a fragment to be merged into the card."""
    model = naming.model_id(results[0][0], wishes)
    content = {
        "model-index": [
            {
                "name": model.partition("/")[2],
                "results": [_entry(result, profile, wishes) for result, profile in results],
            }
        ]
    }
    return [ExportFile("model-index.yaml", as_yaml(content), repo=model, card=content)]


def _entry(result: Result, profile: Profile, wishes: Wishes) -> dict[str, Any]:
    dataset = {
        "name": naming.title(result, profile),
        "type": wishes.dataset_id or profile.dataset.id or _place(profile.dataset.url),
        "config": result.part or profile.dataset.config,
        "split": profile.dataset.split,
        "revision": naming.data_revision(result, wishes),
    }
    arguments: dict[str, Any] = {"n": result.n}
    if naming.notes(result, profile):
        arguments["notes"] = "; ".join(naming.notes(result, profile))
    arguments |= {"model_revision": naming.model_revision(result, wishes), "signature": result.signature_text}
    metrics = [
        {
            "type": figure.name,
            "name": figure.name.replace("_", " "),
            "value": round(figure.value, _DIGITS),
            "args": arguments,
        }
        for figure in result.figures
        if figure.name in profile.figures
    ]
    source = {"name": wishes.source_name or result.harness, "url": wishes.source_url} if wishes.source_url else None
    return {
        "task": {"type": profile.task_type, "name": "Structured output"},
        "dataset": dataset,
        "metrics": metrics,
        **({"source": source} if source else {}),
    }


def _place(url: str) -> str:
    """Return OWNER/NAME of a repository elsewhere."""
    return "/".join(url.rstrip("/").split("/")[-2:])
