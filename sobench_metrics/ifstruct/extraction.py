"""From cleaned text to data: the JSON and the YAML path (reference rules A4 and A5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from sobench_metrics.findings import Finding
from sobench_metrics.ifstruct.display import shown
from sobench_metrics.response import Fence, decode_json

__all__ = ["Extracted", "extract_json", "extract_yaml"]

_SHOWN_CHARS: Final = 100
_UNCLOSED: Final = Finding("fence.unclosed", "", "Unclosed code block")
_NO_JSON: Final = Finding("json.missing", "", "No valid JSON found in response")


@dataclass(frozen=True, slots=True)
class Extracted:
    """The data and the text it was read from, or the finding that says why there is none."""

    text: str
    data: Any = None
    finding: Finding | None = None


def _opening_is(fence: Fence, *tags: str) -> bool:
    return fence.opening.lower().startswith(tuple("```" + tag for tag in tags))


def extract_json(text: str, fence: Fence) -> Extracted:
    """Return the JSON value of the block, or of a text that is nothing else (rule A4)."""
    if fence.kind == "unclosed":
        return Extracted("", finding=_UNCLOSED)
    if fence.kind == "block" and _opening_is(fence, "yaml", "yml"):
        return Extracted("", finding=Finding("fence.wrong_format", "", "Expected JSON output, got YAML code block"))
    payload = (fence.content if fence.kind == "block" else text).strip()
    if not payload or (fence.kind == "none" and payload[0] not in "[{"):
        return Extracted(payload, finding=_NO_JSON)
    decoded = decode_json(payload)
    if decoded.finding:
        message = f"JSON parse error: {decoded.finding.message}"
        return Extracted(payload, finding=Finding(decoded.finding.code, "", message))
    if rest := payload[decoded.end :].strip():
        cut = rest if len(rest) <= _SHOWN_CHARS else rest[:_SHOWN_CHARS] + "..."
        return Extracted(payload, finding=Finding("json.trailing", "", f"Trailing content after JSON: {shown(cut)}"))
    return Extracted(payload, decoded.value)


def extract_yaml(text: str, fence: Fence) -> Extracted:
    """Return the one YAML document of the block or of the whole text (rule A5).

    Raises ReferenceCrashError where the reference does.
    """
    from sobench_metrics.ifstruct.yaml_loading import load  # PyYAML: only when used

    if fence.kind == "unclosed":
        return Extracted("", finding=_UNCLOSED)
    if fence.kind == "block" and _opening_is(fence, "json"):
        return Extracted("", finding=Finding("fence.wrong_format", "", "Expected YAML output, got JSON code block"))
    payload = (fence.content if fence.kind == "block" else text).strip()
    loaded = load(payload)
    return Extracted(payload, loaded.data, loaded.finding)
