"""What the plain YAML tasks of IFStruct call: rows in, verdicts out."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from lm_eval_tasks import errors, versions
from lm_eval_tasks.sample_log import SampleMetrics, compact
from sobench_metrics import __version__, ifstruct
from sobench_metrics.data.ifstruct_rows import load_rows
from sobench_metrics.data.sample import sample_home
from sobench_metrics.errors import UsageError
from sobench_metrics.findings import Finding
from sobench_metrics.response import looks_truncated

if TYPE_CHECKING:
    import datasets

__all__ = ["benchmark_dataset", "process_results", "sample_dataset"]

log = logging.getLogger(f"lm_eval.{__name__}")  # the harness shows its own loggers only


def benchmark_dataset(
    *, only_format: str | None = None, version: float | None = None, **_metadata: Any
) -> dict[str, datasets.Dataset]:
    """Return the test split (hub, or the file that SOBENCH_IFSTRUCT names), whole or of one output format."""
    return _dataset("ifstruct", None, only_format, version)


def sample_dataset(
    *, only_format: str | None = None, version: float | None = None, **_metadata: Any
) -> dict[str, datasets.Dataset]:
    """Return the bundled sample rows, whole or of one output format."""
    return _dataset("ifstruct_sample", sample_home() / "ifstruct.jsonl", only_format, version)


def process_results(doc: dict[str, Any], results: list[Any]) -> SampleMetrics:
    """Return `pass` and its slices (None outside a slice); never raises."""
    findings: list[Finding] = []
    strict: list[Finding] = []
    passed = 0.0
    text = results[0] if results else None
    try:
        spec = ifstruct.Spec.from_row(doc)
        verdict = ifstruct.validate(text, spec)
        passed, findings = verdict.score, list(verdict.errors)
        strict = list(verdict.strict)
        if not passed and isinstance(text, str) and looks_truncated(text):
            findings.append(Finding("response.truncated", "", "the answer stops inside an open value or fence"))
    except ifstruct.SpecError as error:
        findings.append(Finding("row.unscorable", "", str(error)))
    except Exception as error:  # noqa: BLE001 - a fault of ours must not cost a finished run
        findings.append(Finding("scorer.fault", "", f"{type(error).__name__}: {error}"))
    inside = _slices(doc)  # columns that load_rows has looked at
    metrics: dict[str, Any] = {"pass": passed}
    for name, is_in in inside.items():
        metrics[f"pass_{name}"] = passed if is_in else None
        metrics[f"pass_{name}_stderr"] = metrics[f"pass_{name}"]
    diagnostics = {
        **compact(findings),
        "strict": compact(strict)["codes"],
        "slices": {"entity_type": doc["entity_type"], "in": [name for name, is_in in inside.items() if is_in]},
    }
    return SampleMetrics(metrics, diagnostics)


def _slices(doc: dict[str, Any]) -> dict[str, bool]:
    wrapped, fenced = bool(doc["require_wrapper_key"]), bool(doc["require_code_block"])
    escaping = "__escaping__" in str(doc["entity_type"])
    yaml = doc["output_format"] == "yaml"
    return {
        "json": not yaml,
        "yaml": yaml,
        "wrapper": wrapped,
        "bare": not wrapped,
        "fenced": fenced,
        "unfenced": not fenced,
        "escaping": escaping,
        "plain": not escaping,
    }


def _dataset(name: str, source: Any, only_format: str | None, version: float | None) -> dict[str, datasets.Dataset]:
    import datasets

    errors.install()
    versions.require_lm_eval()
    found = load_rows(source)
    rows = [row for row in found.rows if only_format in (None, row["output_format"])]
    if not rows:
        raise UsageError(f"none of the {len(found.rows)} rows of {name} asks for {only_format}: choose another task.")
    log.info(
        "ifstruct signature: task=%s:%s|scores=official|reasoning=removed by the scorer|rows=%d/%d|data=%s|sobench=%s",
        name,
        version,
        len(rows),
        len(found.rows),
        found.revision,
        __version__,
    )
    return {"test": datasets.Dataset.from_list(rows)}
