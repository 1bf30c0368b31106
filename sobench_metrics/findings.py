"""The one shape in which every rule of this package reports what it found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["MAX_FINDINGS", "Finding", "compact", "pointer"]

MAX_FINDINGS = 20
"""So many findings of a sample are listed in its log line, which is for reading; the rest is counted."""

_MAX_TEXT = 200


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing a rule found wrong.

    `code` is stable across releases (dotted, lower case), `path` is a JSON Pointer into the model's data
    ("" = the whole answer), `message` is for people; in *official* findings it is the reference's own text.
    """

    code: str
    path: str
    message: str


def pointer(parts: tuple[object, ...]) -> str:
    """Return the JSON Pointer (RFC 6901) of a sequence of keys and indices; () gives ""."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in parts)


def compact(findings: Iterable[Finding]) -> dict[str, Any]:
    """Return codes (each once, in order) and the first findings, cut to a readable length."""
    listed = list(findings)
    entry: dict[str, Any] = {
        "codes": list(dict.fromkeys(finding.code for finding in listed)),
        "findings": [
            {"code": finding.code, "path": finding.path[:_MAX_TEXT], "message": finding.message[:_MAX_TEXT]}
            for finding in listed[:MAX_FINDINGS]
        ],
    }
    if len(listed) > MAX_FINDINGS:
        entry["more"] = len(listed) - MAX_FINDINGS
    return entry
