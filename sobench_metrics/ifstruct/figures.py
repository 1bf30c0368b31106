"""From one response to the numbers and diagnostics that every harness logs: the same names and values in each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sobench_metrics.findings import Finding, compact
from sobench_metrics.ifstruct.spec import Spec, SpecError
from sobench_metrics.ifstruct.validation import validate
from sobench_metrics.response import looks_truncated

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["SLICES", "SampleFigures", "sample_figures"]

SLICES = ("json", "yaml", "wrapper", "bare", "fenced", "unfenced", "escaping", "plain")


@dataclass(frozen=True, slots=True)
class SampleFigures:
    """One sample: whether it passed (1.0 or 0.0), whether it is in each of SLICES, and what explains it.

    `strict` are the findings beyond the reference, whose codes the diagnostics list.
    """

    passed: float
    inside: dict[str, bool]
    diagnostics: dict[str, Any]
    strict: tuple[Finding, ...] = ()


def sample_figures(row: Mapping[str, Any], text: str | None, *, failure: str = "") -> SampleFigures:
    """Return the figures of one response to a row; None is a missing one, `failure` says why a server gave none.

    Never raises: a row that cannot be scored, and a fault of ours, is a response that failed and says so in its codes.
    """
    findings: list[Finding] = [Finding("request.failed", "", failure)] if failure else []
    strict: list[Finding] = []
    passed = 0.0
    try:
        verdict = validate(text, Spec.from_row(row))
        passed = verdict.score
        findings += verdict.errors
        strict = list(verdict.strict)
        if not passed and isinstance(text, str) and looks_truncated(text):
            findings.append(Finding("response.truncated", "", "the answer stops inside an open value or fence"))
    except SpecError as error:
        findings.append(Finding("row.unscorable", "", str(error)))
    except Exception as error:  # noqa: BLE001 - a fault of ours must not cost a finished run
        findings.append(Finding("scorer.fault", "", f"{type(error).__name__}: {error}"))
    inside = _inside(row)
    diagnostics = {
        **compact(findings),
        "strict": compact(strict)["codes"],
        "slices": {"entity_type": row["entity_type"], "in": [name for name, is_in in inside.items() if is_in]},
    }
    return SampleFigures(passed, inside, diagnostics, tuple(strict))


def _inside(row: Mapping[str, Any]) -> dict[str, bool]:
    wrapped, fenced = bool(row["require_wrapper_key"]), bool(row["require_code_block"])
    escaping = "__escaping__" in str(row["entity_type"])
    yaml = row["output_format"] == "yaml"
    return dict(
        zip(SLICES, (not yaml, yaml, wrapped, not wrapped, fenced, not fenced, escaping, not escaping), strict=True)
    )
