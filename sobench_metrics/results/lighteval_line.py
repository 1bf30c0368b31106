"""From one row of lighteval's details to a record."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any, Final

from sobench_metrics.results.lm_eval_line import failure_of, generation_of, passed_of
from sobench_metrics.results.records import Sample
from sobench_metrics.sobench.figures import RATIOS

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["BENCHMARKS", "sample_of"]

BENCHMARKS: Final = ("sobench", "ifstruct", "ifstruct_hard")
_FAILURE: Final = "request failed: "  # how our backends note it beside an empty answer


def sample_of(detail: Mapping[str, Any], rows: Mapping[str, Mapping[str, Any]]) -> Sample:
    """Return the sample of one of our details; raises KeyError, TypeError or AttributeError when it is none.

    `rows` are the benchmark's by name, where they are at hand.
    """
    doc, response = detail["doc"], detail["model_response"]
    specific = {name: value for name, value in (doc.get("specific") or {}).items() if value is not None}
    table = next(detail["metric"][name] for name in BENCHMARKS if detail["metric"].get(name))
    means, ratios = _figures(table["figures"])
    diagnostics = _diagnostics(table.get("diagnostics"))
    doc_id = str(specific["doc_id"])
    answer = _first(response.get("text"))
    asked = json.dumps([doc.get("instruction"), doc["query"], doc.get("images")])
    return Sample(
        doc_id=doc_id,
        data_hash=_digest(f"{specific['data']}#{doc_id}"),
        prompt_hash=_digest(asked),
        answer=answer,
        means=means,
        ratios=ratios,
        passed=passed_of(means, ratios),
        characters=len(answer or ""),
        codes=tuple(str(code) for code in diagnostics.get("codes") or ()),
        diagnostics=diagnostics,
        generation=generation_of(diagnostics.get("generation")),
        row=rows.get(doc_id) or _row_in(specific),
        prompt="\n\n".join(filter(None, [doc.get("instruction"), doc["query"]])),
        failure=failure_of(diagnostics) or _failure(response.get("reasonings")),
    )


def _row_in(specific: Mapping[str, Any]) -> dict[str, Any]:
    """Return the row that details hold themselves with SOBENCH_DETAILS_WITH_LABELS, {} without."""
    return {"domain": "unknown", "source": "unknown", **specific} if "target_json" in specific else {}


def _figures(table: Mapping[str, Any]) -> tuple[dict[str, float], dict[str, tuple[float, float]]]:
    """Return means and ratios; our lighteval tasks write both as (numerator, denominator), a slice outside as 0/0."""
    means: dict[str, float] = {}
    ratios: dict[str, tuple[float, float]] = {}
    for name, pair in table.items():
        top, bottom = pair
        if name in RATIOS:
            ratios[name] = (top, bottom)
        elif bottom:
            means[name] = top / bottom
    return means, ratios


def _diagnostics(text: Any) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (TypeError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _failure(notes: Any) -> str:
    listed = [note for note in notes or () if isinstance(note, str) and note.startswith(_FAILURE)]
    return listed[0].removeprefix(_FAILURE) or "no reason given" if listed else ""


def _first(text: Any) -> str | None:
    found = text[0] if isinstance(text, list) and text else text
    return found if isinstance(found, str) else None


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
