"""One line an answer in the schema "Every Eval Ever" 0.3.0: what was asked, what was said, whether it passed."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from sobench_metrics.errors import UsageError
from sobench_metrics.export import naming
from sobench_metrics.results.reading import samples

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sobench_metrics.export.profiles import Profile
    from sobench_metrics.export.result import Result
    from sobench_metrics.results.records import Sample

__all__ = ["answer_lines"]


def answer_lines(result: Result, profile: Profile, record: Mapping[str, Any]) -> Iterator[str]:
    """Yield a line for each sample of a task, none for a pool, whose members have theirs.

    `record` is what the lines belong to. Raises UsageError for a log that does not hold the prompts.
    """
    if result.run is None:
        return
    shared = {
        "schema_version": record["schema_version"],
        "evaluation_id": record["evaluation_id"],
        "model_id": record["model_info"]["id"],
        "evaluation_name": naming.title(result, profile),
        "evaluation_result_id": f"{naming.slug(result.task)}.{profile.metric}",
    }
    for sample in samples(result.run):
        yield json.dumps({**shared, **_line(sample, result)})


def _line(sample: Sample, result: Result) -> dict[str, Any]:
    asked = _whole(sample.row.get("prompt") or sample.prompt)
    if not asked:
        raise UsageError(f"{result.file} does not hold the prompts: leave out --samples.")
    slices = sample.diagnostics.get("slices")
    told = {
        "codes": " ".join(sample.codes),
        **({_whole(key): _whole(value) for key, value in slices.items()} if isinstance(slices, dict) else {}),
    }
    return {
        "sample_id": sample.doc_id,
        "sample_hash": hashlib.sha256(json.dumps({"raw": asked, "reference": []}).encode()).hexdigest(),
        "interaction_type": "single_turn",
        "input": {"raw": asked, "reference": []},  # structure alone decides: there is no right answer to show
        "output": {"raw": [] if sample.answer is None else [_whole(sample.answer)]},
        "answer_attribution": [],
        "evaluation": {"score": float(bool(sample.passed)), "is_correct": bool(sample.passed)},
        "metadata": told,
        **({"error": _whole(sample.failure)} if sample.failure else {}),
    }


def _whole(text: object) -> str:
    """Return a text without halves of characters, which no reader of UTF-8 takes."""
    return str(text).encode("utf-8", "replace").decode()
