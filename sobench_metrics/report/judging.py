"""Score one logged answer once more, for what the log leaves out: every field's verdict and every finding."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from sobench_metrics.findings import Finding
from sobench_metrics.report.field_diff import DiffRow, against_schema, against_target

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sobench_metrics.report.slices import Kind
    from sobench_metrics.results.records import Sample
    from sobench_metrics.sobench.field_verdicts import FieldVerdict

__all__ = ["Judged", "judge"]

_LEAF_LABELS: Final = ("exact", "fuzzy")
_UNCOUNTED: Final = ("ignored", "extra", "more")


@dataclass(frozen=True, slots=True)
class Judged:
    """One answer as this version judges it.

    `passed` is the official verdict, None for a task that is not ours or a row that cannot be scored. `fields` counts
    (matched, all) by ("label" or "kind of value", group) over the labelled fields of the target, by the strict rules.
    """

    kind: Kind
    passed: bool | None = None
    rows: list[DiffRow] = field(default_factory=list)
    findings: Sequence[Finding] = ()
    strict: Sequence[Finding] = ()
    outcomes: Mapping[str, int] = field(default_factory=dict)
    fields: Mapping[tuple[str, str], tuple[int, int]] = field(default_factory=dict)


def judge(kind: Kind, sample: Sample, text: str | None) -> Judged:
    """Return the verdict on one answer, None for one that never came; `kind` is that of the sample.

    Never raises: what cannot be judged has a finding that says why. A sample whose row is not at hand is not judged.
    """
    if not sample.row:
        return Judged(kind, findings=_logged(sample) or ())
    try:
        if kind == "sobench":
            return _against_target(sample, text)
        if kind == "ifstruct":
            return _against_schema(sample, text)
    except Exception as error:  # noqa: BLE001 - one sample must not cost the report
        why = Finding("report.unjudged", "", f"{type(error).__name__}: {error}"[:200])
        return Judged(kind, findings=(*(_logged(sample) or ()), why))
    return Judged(kind)


def _against_target(sample: Sample, text: str | None) -> Judged:
    from sobench_metrics.response import decode_json, remove_reasoning
    from sobench_metrics.sobench.extraction import extract
    from sobench_metrics.sobench.score import LEFT_OUT, score

    told = sample.diagnostics.get("reasoning")
    kept = isinstance(told, dict) and bool(told.get("kept"))
    generation = text if text is None or kept else remove_reasoning(text).text
    row = sample.row
    logged = _logged(sample)
    # the log knows whether the schema was followed; compiling it once more would be most of the work
    schema = row["schema_json"] if logged is None else {}
    labels = row.get("evaluation_labels_json", LEFT_OUT)
    found = score(generation, target=row["target_json"], schema=schema, labels=labels)
    target = decode_json(row["target_json"]).value if isinstance(row["target_json"], str) else row["target_json"]
    answer = () if found.invalid else (extract(generation).value,)
    outcomes = Counter(
        f"field.{verdict.outcome}" for verdict in found.fields if verdict.outcome not in ("match", "more")
    )
    outcomes.pop("field.ignored", None)
    counted = _by_label(found.fields)
    if rest := found.strict.total - sum(total for (name, _), (_, total) in counted.items() if name == "label"):
        # beyond the longest list of verdicts: told apart, or the groups would not sum to all
        matched = found.strict.matched - sum(good for (name, _), (good, _) in counted.items() if name == "label")
        counted.update({(name, "beyond the list"): (matched, rest) for name in ("label", "kind of value")})
    return Judged(
        kind="sobench",
        passed=bool(found.full_match),
        rows=against_target(found.fields, target, answer),
        findings=found.errors if logged is None else logged,
        outcomes={} if found.invalid else outcomes,
        fields=counted,
    )


def _logged(sample: Sample) -> list[Finding] | None:
    """Return the findings as the log lists them, or None when it has none to tell of."""
    listed = sample.diagnostics.get("findings")
    if not isinstance(listed, list):
        return None
    findings = [
        Finding(*(str(entry.get(name, "")) for name in ("code", "path", "message")))
        for entry in listed
        if isinstance(entry, dict)
    ]
    if more := sample.diagnostics.get("more"):
        findings.append(Finding("", "", f"and {more} more"))
    return findings


def _by_label(fields: Sequence[FieldVerdict]) -> dict[tuple[str, str], tuple[int, int]]:
    counted: dict[tuple[str, str], tuple[int, int]] = {}
    for verdict in fields:
        if verdict.outcome in _UNCOUNTED:
            continue
        container = verdict.kind in ("list", "dict")
        label = verdict.label if verdict.label in _LEAF_LABELS and not container else None
        label = label or ("lists and mappings" if container else "another label")
        for group in (("label", label), ("kind of value", verdict.kind)):
            good, total = counted.get(group, (0, 0))
            counted[group] = (good + (verdict.outcome == "match"), total + 1)
    return counted


def _against_schema(sample: Sample, text: str | None) -> Judged:
    from sobench_metrics.ifstruct.spec import Spec
    from sobench_metrics.ifstruct.validation import validate

    spec = Spec.from_row(sample.row)
    verdict = validate(text, spec)
    known = {finding.code for finding in verdict.errors}
    beside = [finding for finding in _logged(sample) or () if finding.code and finding.code not in known]
    return Judged(
        kind="ifstruct",
        passed=verdict.passed,
        rows=against_schema(verdict.payload, spec.json_schema, [*verdict.errors, *verdict.strict]),
        findings=(*verdict.errors, *beside),
        strict=verdict.strict,
    )
