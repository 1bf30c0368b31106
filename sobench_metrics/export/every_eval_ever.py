"""Records in the cross-harness schema "Every Eval Ever" 0.3.0, for its store of results on the hub.

One record for each benchmark of a run, its parts inside. The answers stand in a file beside it when they are asked for
and the benchmark's terms allow to repeat its prompts; those of SO-Bench's labels (CC BY-NC-ND) do not.
"""

from __future__ import annotations

import hashlib
import json
import math
import time
import uuid
from typing import TYPE_CHECKING, Any, Final

from sobench_metrics import __version__
from sobench_metrics.export import naming
from sobench_metrics.export.answer_records import answer_lines
from sobench_metrics.export.files import ExportFile
from sobench_metrics.export.secrets import without_secrets

if TYPE_CHECKING:
    from sobench_metrics.export.profiles import Profile
    from sobench_metrics.export.result import Figure, Result, Wishes

    Pairs = list[tuple[Result, Profile]]

__all__ = ["SCHEMA", "STORE", "build", "record"]

STORE: Final = "evaleval/EEE_datastore"
SCHEMA: Final = "0.3.0"
_OF_THE_MAKING: Final = ("retrieved_timestamp", "evaluation_id")
_SERVERS: Final = ("completions", "ServerModel", "openai", "litellm", "anthropic")
_TEMPERATURE: Final = "temperature"
_HOTTEST: Final = 1000  # what is above is no temperature


def build(results: Pairs, wishes: Wishes) -> list[ExportFile]:
    """Return a record for each benchmark, and its answers where they are wished; the same run has the same names."""
    now = time.time()
    benchmarks = dict.fromkeys(profile.benchmark for _, profile in results)
    return [
        file
        for benchmark in benchmarks
        for file in _files([pair for pair in results if pair[1].benchmark == benchmark], wishes, now)
    ]


def record(results: Pairs, wishes: Wishes, *, now: float) -> dict[str, Any]:
    """Return the record of one benchmark; `now` is the time of its making, in seconds since 1970."""
    first, profile = results[0]
    model = naming.model_id(first, wishes)
    retrieved = f"{now:.0f}"
    started = {} if first.seconds_since_1970 is None else {"evaluation_timestamp": f"{first.seconds_since_1970:.0f}"}
    harness, _, version = first.harness.partition(" ")
    return {
        "schema_version": SCHEMA,
        "evaluation_id": f"{profile.benchmark}/{model.replace('/', '_')}/{retrieved}",
        **started,
        "retrieved_timestamp": retrieved,
        "source_metadata": {
            "source_name": wishes.source_name or profile.name,
            "source_type": "evaluation_run",
            "source_organization_name": wishes.organization or wishes.source_org or wishes.source_user or "unknown",
            "evaluator_relationship": wishes.relationship or "other",
            **({"additional_details": {"logs": wishes.source_url}} if wishes.source_url else {}),
        },
        "eval_library": {
            "name": harness.replace("-", "_"),
            "version": version or "unknown",
            "additional_details": {"plugin": f"sobench {__version__}"},
        },
        "model_info": _model(first, model, wishes),
        "evaluation_results": [
            _figure(result, figure, profile, wishes)
            for result, _ in results
            for figure in result.figures
            if figure.name in profile.figures and math.isfinite(figure.value)
        ],
    }


def _files(results: Pairs, wishes: Wishes, now: float) -> list[ExportFile]:
    first, profile = results[0]
    content = record(results, wishes, now=now)
    owner, _, model = naming.model_id(first, wishes).partition("/")
    # the store files a model under its own name, letter by letter
    path = f"data/{profile.benchmark}/{owner}/{model}/{_name(content)}"
    files = []
    if wishes.samples:
        lines = [line for result, _ in results for line in answer_lines(result, profile, content)]
        text = "".join(f"{line}\n" for line in lines)
        content["detailed_evaluation_results"] = {
            "format": "jsonl",
            "file_path": f"{path}_samples.jsonl",
            "hash_algorithm": "sha256",
            "checksum": hashlib.sha256(text.encode()).hexdigest(),
            "total_rows": len(lines),
        }
        files = [ExportFile(f"{path}_samples.jsonl", text, repo=STORE, repo_type="dataset", is_long=True)]
    told = json.dumps(content, indent=2) + "\n"
    return [ExportFile(f"{path}.json", told, repo=STORE, repo_type="dataset", passing=_OF_THE_MAKING), *files]


def _name(content: dict[str, Any]) -> uuid.UUID:
    """Return a name by content; the store takes no other version of UUIDs than the fourth."""
    stable = {key: part for key, part in content.items() if key not in _OF_THE_MAKING}
    return uuid.UUID(bytes=hashlib.sha256(json.dumps(stable, sort_keys=True).encode()).digest()[:16], version=4)


def _model(result: Result, model: str, wishes: Wishes) -> dict[str, Any]:
    by_server = any(word in result.model.backend for word in _SERVERS)
    details = {
        "deployment_type": "unknown" if by_server else "self_deployed",
        "model_availability": wishes.availability or "unknown",
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
        uncertain["standard_error"] = {"value": figure.stderr}
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
    is_number = isinstance(given, (int, float)) and not isinstance(given, bool) and 0 <= given < _HOTTEST
    temperature = given if is_number else None
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
