"""What will be done with a row before anything is sent: its schema as it goes out, or why it goes without one."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from sobench_metrics.constrained.answer_schema import NotPossible, answer_schema
from sobench_metrics.constrained.convert import Change, convert
from sobench_metrics.constrained.engines import check, is_supported, shape_of
from sobench_metrics.findings import Finding

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["Plan", "State", "Summary", "plan", "summary"]

State = Literal["constrained", "free", "skipped", "excluded"]
"""constrained: sent with `schema`; free and skipped: the engine does not take the schema, and the user chose which;
excluded: no JSON Schema can say what the row asks for (YAML, a code block)."""


@dataclass(frozen=True, slots=True)
class Plan:
    """One row's plan; `findings` are about `schema` as it is sent, or about the converted one that could not be."""

    state: State
    schema: dict[str, Any] | None = None
    findings: tuple[Finding, ...] = ()
    changes: tuple[Change, ...] = ()
    doc_id: str = ""


@dataclass(frozen=True, slots=True)
class Summary:
    """The plans of a run in figures: rows a state, rows a code, rows a shape that is the reason, and who is who."""

    states: dict[str, int]
    codes: dict[str, int]
    shapes: dict[str, int]
    changes: dict[str, int]
    doc_ids: dict[str, tuple[str, ...]]
    """Of every state but "constrained", the rows in it, in the order of the data."""


def plan(row: Mapping[str, Any], engine: str, on_unsupported: Literal["free", "skip"] = "free") -> Plan:
    """Return the plan for a row of either benchmark, or for a decoded JSON Schema of its own.

    A schema that the engine refuses is converted as far as that keeps its meaning; if it is refused still, the row goes
    `free` or is skipped. What an engine silently ignores is a finding, and the row is constrained all the same.
    Raises UsageError for an engine without a table and SpecError for a row that cannot be read.
    """
    doc_id = ""
    if "schema_json" in row or "json_schema" in row:
        doc_id = str(row.get("doc_id", ""))
        found = answer_schema(row)
        if isinstance(found, NotPossible):
            return Plan("excluded", None, (Finding(found.code, "", found.message),), (), doc_id)
        schema = found.schema
    else:
        schema = dict(row)
    converted = convert(schema, engine)
    findings = check(converted.schema, engine)
    if is_supported(findings):
        return Plan("constrained", converted.schema, findings, converted.changes, doc_id)
    return Plan("free" if on_unsupported == "free" else "skipped", None, findings, converted.changes, doc_id)


def summary(plans: Iterable[Plan]) -> Summary:
    """Return the figures of a run's plans; each row counts once a code, however often it has the finding."""
    states: Counter[str] = Counter()
    codes: Counter[str] = Counter()
    shapes: Counter[str] = Counter()
    changes: Counter[str] = Counter()
    listed: dict[str, list[str]] = {}
    for entry in plans:
        states[entry.state] += 1
        codes.update({finding.code for finding in entry.findings})
        changes.update({change.code for change in entry.changes})
        if entry.state in ("free", "skipped"):
            shapes.update({shape_of(finding) for finding in _reasons(entry.findings)})
        if entry.state != "constrained":
            listed.setdefault(entry.state, []).append(entry.doc_id)
    return Summary(
        dict(states), dict(codes), dict(shapes), dict(changes), {state: tuple(ids) for state, ids in listed.items()}
    )


def _reasons(findings: tuple[Finding, ...]) -> list[Finding]:
    return [finding for finding in findings if finding.code in ("constrained.unsupported", "constrained.limit")]
