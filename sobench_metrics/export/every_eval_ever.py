"""One JSON record in the cross-harness schema "Every Eval Ever" 0.3.0, for its store of results on the hub.

Aggregates only: a record of samples would repeat SO-Bench's labels, whose terms forbid it.
"""

from __future__ import annotations

import json
import math
import time
import uuid
from typing import TYPE_CHECKING, Any, Final

from sobench_metrics import __version__
from sobench_metrics.export import naming
from sobench_metrics.export.files import ExportFile
from sobench_metrics.export.run_file import without_secrets

if TYPE_CHECKING:
    from sobench_metrics.export.profiles import Profile
    from sobench_metrics.export.result import Figure, Result, Wishes

__all__ = ["STORE", "build", "record"]

STORE: Final = "evaleval/EEE_datastore"
_SCHEMA: Final = "0.3.0"
_SERVERS: Final = ("completions", "ServerModel", "openai", "litellm", "anthropic")
_TEMPERATURE: Final = "temperature"


def build(results: list[tuple[Result, Profile]], wishes: Wishes) -> list[ExportFile]:
    """Return a file for each result; the same result always has the same name."""
    return [_file(result, profile, wishes) for result, profile in results]


def _file(result: Result, profile: Profile, wishes: Wishes) -> ExportFile:
    content = record(result, profile, wishes, now=time.time())
    stable = {key: part for key, part in content.items() if key not in ("retrieved_timestamp", "evaluation_id")}
    name = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(stable, sort_keys=True))
    owner, _, model = naming.model_id(result, wishes).partition("/")
    path = "/".join(["data", profile.benchmark, naming.slug(owner), naming.slug(model), f"{name}.json"])
    return ExportFile(path, json.dumps(content, indent=2) + "\n", repo=STORE, repo_type="dataset")


def record(result: Result, profile: Profile, wishes: Wishes, *, now: float) -> dict[str, Any]:
    """Return the record; `now` is the time of its making, in seconds since 1970."""
    model = naming.model_id(result, wishes)
    retrieved = f"{now:.0f}"
    started = {} if result.seconds_since_1970 is None else {"evaluation_timestamp": f"{result.seconds_since_1970:.0f}"}
    harness, _, version = result.harness.partition(" ")
    return {
        "schema_version": _SCHEMA,
        "evaluation_id": f"{profile.benchmark}/{model.replace('/', '_')}/{retrieved}",
        **started,
        "retrieved_timestamp": retrieved,
        "source_metadata": {
            "source_name": wishes.source_name or profile.name,
            "source_type": "evaluation_run",
            "source_organization_name": wishes.organization or wishes.source_org or wishes.source_user or "unknown",
            "evaluator_relationship": wishes.relationship,
        },
        "eval_library": {
            "name": harness.replace("-", "_"),
            "version": version or "unknown",
            "additional_details": {"plugin": f"sobench {__version__}", "signature": result.signature_text},
        },
        "model_info": _model(result, model, wishes),
        "evaluation_results": [
            _figure(result, figure, profile, wishes)
            for figure in result.figures
            if figure.name in profile.figures and math.isfinite(figure.value)
        ],
    }


def _model(result: Result, model: str, wishes: Wishes) -> dict[str, Any]:
    by_server = any(word in result.model.backend for word in _SERVERS)
    details = {
        "deployment_type": "unknown" if by_server else "self_deployed",
        "model_availability": "unknown" if by_server else "open_weights",
        "revision": naming.model_revision(result, wishes),
        "dtype": result.model.dtype,
        "backend": result.model.backend,
    }
    return {
        "name": model.partition("/")[2],
        "id": model,
        "developer": model.partition("/")[0],
        "additional_details": {key: text for key, text in details.items() if text},
    }


def _figure(result: Result, figure: Figure, profile: Profile, wishes: Wishes) -> dict[str, Any]:
    uncertain: dict[str, Any] = {"num_samples": result.n}
    if figure.stderr is not None and math.isfinite(figure.stderr):
        uncertain["standard_error"] = {"value": figure.stderr, "method": "analytic"}
    return {
        "evaluation_result_id": f"{naming.slug(result.task)}.{figure.name}",
        "evaluation_name": naming.title(result, profile),
        "source_data": _data(result, profile, wishes),
        "metric_config": {
            "evaluation_description": profile.description,
            "metric_id": f"{profile.benchmark}.{figure.name}",
            "metric_name": figure.name,
            "metric_unit": "proportion",
            "lower_is_better": figure.lower_is_better,
            "score_type": "continuous",
            "min_score": 0.0,
            "max_score": 1.0,
        },
        "score_details": {"score": figure.value, "uncertainty": uncertain},
        "generation_config": _generation(result, profile),
    }


def _data(result: Result, profile: Profile, wishes: Wishes) -> dict[str, Any]:
    details = {"revision": naming.data_revision(result, wishes), "n": f"{result.n}"}
    identity = wishes.dataset_id or profile.dataset.id
    if identity:
        return {
            "dataset_name": profile.name,
            "source_type": "hf_dataset",
            "hf_repo": identity,
            "hf_split": profile.dataset.split,
            "samples_number": result.n,
            "additional_details": details,
        }
    return {
        "dataset_name": profile.name,
        "source_type": "url",
        "url": [profile.dataset.url],
        "additional_details": details,
    }


def _generation(result: Result, profile: Profile) -> dict[str, Any]:
    given = result.generation.get(_TEMPERATURE)
    limit = result.signature.get("max_gen_toks") or result.signature.get("max_tokens") or ""
    temperature = given if isinstance(given, (int, float)) and not isinstance(given, bool) else None
    if temperature is None and result.signature.get("decoding") == "greedy":
        temperature = 0.0
    arguments = {
        **({} if temperature is None else {"temperature": float(temperature)}),
        **({"max_tokens": int(limit)} if limit.isdecimal() else {}),
    }
    told = without_secrets(result.model.settings)
    details = {
        "signature": result.signature_text,
        "model_settings": json.dumps(told, sort_keys=True, default=str),
        "notes": "; ".join(naming.notes(result, profile)),
    }
    return {
        "generation_args": arguments,
        "additional_details": {key: text for key, text in details.items() if text},
    }
