"""`.eval_results/NAME.yaml` of a model repository: the hub shows it on the model's page and the benchmark's board.

The fields are those of the hub's documentation. A verification token is never written: only runs on the hub's own
jobs can have one.
"""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING, Any, Final

from sobench_metrics.export import naming
from sobench_metrics.export.files import ExportFile, as_yaml

if TYPE_CHECKING:
    from sobench_metrics.export.profiles import Profile
    from sobench_metrics.export.result import Result, Wishes

__all__ = ["build", "entry"]

_FULL: Final = re.compile(r"[0-9a-f]{40}")
_FOLDER: Final = ".eval_results"


def build(results: list[tuple[Result, Profile]], wishes: Wishes) -> list[ExportFile]:
    """Return a file for each result; a run out of the ordinary has notes and a file of its own."""
    return [_file(result, profile, wishes) for result, profile in results]


def entry(result: Result, profile: Profile, wishes: Wishes) -> dict[str, Any]:
    """Return the one entry of a file."""
    dataset = {
        "id": wishes.dataset_id or profile.dataset.id,
        "task_id": wishes.task_id or profile.dataset.task_id,
    }
    revision = naming.data_revision(result, wishes)
    if _FULL.fullmatch(revision):  # the field takes a commit; a beginning of one stands in the signature
        dataset["revision"] = revision
    figure = result.figure(naming.metric(profile, wishes))
    value = round(figure.value * profile.eval_file.scale, profile.eval_file.decimals) if figure else None
    source = {
        key: text
        for key, text in (
            ("url", wishes.source_url),
            ("name", wishes.source_name),
            ("user", wishes.source_user),
            ("org", wishes.source_org),
        )
        if text
    }
    told = naming.notes(result, profile)
    return {
        "dataset": dataset,
        "value": value,
        **({"date": naming.day(result)} if naming.day(result) else {}),
        **({"source": source} if source else {}),
        **({"notes": "; ".join([*told, result.signature_text])} if told else {}),
    }


def _file(result: Result, profile: Profile, wishes: Wishes) -> ExportFile:
    stem, _, suffix = profile.eval_file.filename.rpartition(".")
    told = naming.notes(result, profile)
    if told:
        stem += f"_{hashlib.sha256('; '.join(told).encode()).hexdigest()[:8]}"
    comments = [
        f"{profile.name}, {naming.metric(profile, wishes)} in percent, {result.n:,} samples, {result.harness}",
        f"model revision {naming.model_revision(result, wishes)}",
        result.signature_text,
    ]
    return ExportFile(
        f"{_FOLDER}/{stem}.{suffix}",
        as_yaml([entry(result, profile, wishes)], comments),
        repo=naming.model_id(result, wishes),
    )
