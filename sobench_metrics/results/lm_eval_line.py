"""From one line of lm-eval's sample log to a record."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

from sobench_metrics.results.records import Generation, Sample

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["failure_of", "generation_of", "passed_of", "sample_of"]

_FAILED: Final = "request.failed"

_RIGHT: Final = (
    "pass",
    "full_match",
)  # the official figures by which an answer is wholly right, in IFStruct and SO-Bench


def sample_of(line: Mapping[str, Any]) -> Sample:
    """Return the sample of a decoded line; raises KeyError, TypeError or AttributeError when it is none."""
    names = [name for name in line["metrics"] if not name.endswith("_stderr")]
    means = {name: number for name in names if (number := _number(line.get(name))) is not None}
    ratios = {name: pair for name in names if (pair := _pair(line.get(name))) is not None}
    answer = _text(line["filtered_resps"])
    diagnostics = line.get("diagnostics")
    diagnostics = diagnostics if isinstance(diagnostics, dict) else {}
    return Sample(
        doc_id=_doc_id(line),
        data_hash=line["doc_hash"],
        prompt_hash=line["prompt_hash"],
        answer=answer,
        characters=len(answer or ""),
        means=means,
        ratios=ratios,
        passed=passed_of(means, ratios),
        codes=tuple(str(code) for code in diagnostics.get("codes") or ()),
        diagnostics=diagnostics,
        generation=generation_of(diagnostics.get("generation")),
        row=line["doc"] if isinstance(line.get("doc"), dict) else {},
        prompt=_prompt(line.get("arguments")),
        failure=failure_of(diagnostics),
    )


def failure_of(diagnostics: Mapping[str, Any]) -> str:
    """Return why a request failed, as the diagnostics of a sample say; "" for one that did not."""
    for finding in diagnostics.get("findings") or ():
        if isinstance(finding, dict) and finding.get("code") == _FAILED:
            return str(finding.get("message") or "") or "no reason given"
    return "no reason given" if _FAILED in (diagnostics.get("codes") or ()) else ""


def _prompt(arguments: Any) -> str:
    """Return the text of the first request; lm-eval names requests and their arguments by number."""
    first = arguments.get("gen_args_0") if isinstance(arguments, dict) else None
    text = first.get("arg_0") if isinstance(first, dict) else None
    return text if isinstance(text, str) else ""


def _doc_id(line: Mapping[str, Any]) -> str:
    """Return the row's own name; the harness's number is its place in a table that may be cut differently."""
    doc = line.get("doc")
    own = doc.get("doc_id") if isinstance(doc, dict) else None
    return str(line["doc_id"] if own is None else own)


def _text(responses: Any) -> str | None:
    """Return the first response; filters that keep several leave a list of lists."""
    while isinstance(responses, list):
        responses = responses[0] if responses else None
    return responses if isinstance(responses, str) else None


def _number(value: Any) -> float | None:
    try:
        return float(value) if isinstance(value, (int, float)) and math.isfinite(value) else None
    except OverflowError:  # a whole number beyond every float
        return None


def _pair(value: Any) -> tuple[float, float] | None:
    if not isinstance(value, list) or len(value) != 2:
        return None
    top, bottom = value
    return (top, bottom) if _number(top) is not None and _number(bottom) is not None else None


def passed_of(means: Mapping[str, float], ratios: Mapping[str, tuple[float, float]]) -> bool | None:
    """Return whether figures are those of a wholly right answer, None where none of them says so."""
    for name in _RIGHT:
        if name in means:
            return means[name] >= 1
        if name in ratios:
            top, bottom = ratios[name]
            return top >= bottom > 0
    return None


def generation_of(told: Any) -> Generation:
    """Return what the diagnostics of a sample say of its generation."""
    if not isinstance(told, dict):
        return Generation()
    tokens, seconds, limit, state = (told.get(key) for key in ("tokens", "seconds", "limit", "constrained"))
    return Generation(
        tokens=tokens if isinstance(tokens, int) and not isinstance(tokens, bool) else None,
        seconds=None if isinstance(seconds, bool) else _number(seconds),
        at_limit=limit if isinstance(limit, bool) else None,
        state=state if isinstance(state, str) else None,
        reason=str(told.get("reason") or ""),
    )
