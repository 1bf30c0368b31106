"""What an engine will make of a schema, told before anything is sent."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from sobench_metrics.constrained.limits import exceeded
from sobench_metrics.constrained.malformed import SIZES, broken_place, crossed, unusable
from sobench_metrics.constrained.places import Schema, places
from sobench_metrics.constrained.shapes import shapes
from sobench_metrics.constrained.support import CODES
from sobench_metrics.constrained.tables.guidance import GUIDANCE
from sobench_metrics.constrained.tables.openai import OPENAI
from sobench_metrics.constrained.tables.outlines import OUTLINES
from sobench_metrics.constrained.tables.xgrammar import XGRAMMAR
from sobench_metrics.constrained.vllm_choice import NESTING, vllm_backend
from sobench_metrics.errors import UsageError
from sobench_metrics.findings import Finding, pointer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sobench_metrics.constrained.places import Place
    from sobench_metrics.constrained.support import Support, Table

__all__ = ["ENGINES", "TABLES", "check", "is_supported", "shape_of", "table_for"]

TABLES: Final = {table.engine: table for table in (XGRAMMAR, GUIDANCE, OUTLINES, OPENAI)}
ENGINES: Final = (*TABLES, "vllm")
"""The engines by name; "vllm" is vLLM's own choice among the first three, made for every schema."""

_SAME_SHAPE: Final = 3
"""So many places of one shape are listed; a schema may have hundreds."""


def table_for(engine: str, schema: Any) -> Table:
    """Return the table of an engine, for "vllm" that of the backend which vLLM chooses for this schema.

    Raises UsageError for an engine without a table.
    """
    if engine == "vllm":
        return TABLES[vllm_backend(schema)]
    if engine not in TABLES:
        raise UsageError(f"No table says what the engine '{engine}' supports: take one of {', '.join(ENGINES)}.")
    return TABLES[engine]


def check(schema: Any, engine: str) -> tuple[Finding, ...]:
    """Return what the engine refuses, ignores or narrows in a decoded schema, and which of its limits it exceeds.

    Codes: "constrained.unsupported" and "constrained.limit" (the request fails), "constrained.ignored" (an answer may
    break the rule), "constrained.narrowed" (some right answers cannot be given). The path is that of the keyword in
    the schema; the message begins with the shape. What no engine takes ("schema:broken", "schema:surrogate") is one
    finding alone. Bounded on recursive and hostile schemas; raises UsageError for an
    engine without a table.
    """
    table_for(engine, {})
    if fault := unusable(schema):
        return (Finding("constrained.unsupported", "", fault),)
    whole = Schema.of(schema)
    if broken := broken_place(whole):
        return (Finding("constrained.unsupported", pointer(broken[0]), f"schema:broken: {broken[1]}"),)
    table = table_for(engine, schema)
    limits = {**table.limits, **(NESTING if engine == "vllm" else {})}
    findings = [Finding("constrained.limit", "", f"limit: {text}") for text in exceeded(whole, limits)]
    times: Counter[str] = Counter()
    for place in places(whole, table.skipped):
        skipped = table.skipped(place.node) if isinstance(place.node, dict) else frozenset()
        findings += _sizes(place, skipped, times)
        for shape, keyword in dict.fromkeys(shapes(place, whole)):
            support = table.support(shape)
            if support == "enforced" or times[shape] >= _SAME_SHAPE or (support == "refused" and keyword in skipped):
                continue
            times[shape] += 1
            path = pointer((*place.path, keyword) if keyword else place.path)
            findings.append(Finding(CODES[support], path, _message(table, shape, support)))
    return tuple(findings)


def is_supported(findings: tuple[Finding, ...]) -> bool:
    """Return whether the engine takes the schema: nothing in it is refused, no limit exceeded."""
    return not any(finding.code in ("constrained.unsupported", "constrained.limit") for finding in findings)


def shape_of(finding: Finding) -> str:
    """Return the shape that a finding of `check` is about."""
    return finding.message.partition(": ")[0]


def _message(table: Table, shape: str, support: Support) -> str:
    said = {"refused": "refuses it", "ignored": "does not hold answers to it", "narrowed": "allows less than it"}
    note = table.note(shape)
    return f"{shape}: {table.engine} {table.version} {said[support]}" + (f" ({note})" if note else "")


def _sizes(place: Place, skipped: frozenset[str], times: Counter[str]) -> Iterator[Finding]:
    """Yield what is wrong with the counts of a schema, whichever engine reads them."""
    if not isinstance(place.node, dict):
        return
    faults = [
        ("size:float", word, f"{word} is written {place.node[word]}")
        for word in SIZES & place.node.keys()
        if isinstance(place.node[word], float)
    ]
    faults += [("size:crossed", word, said) for word, said in crossed(place.node)]
    for shape, word, said in sorted(faults):
        if word not in skipped and times[shape] < _SAME_SHAPE:
            times[shape] += 1
            yield Finding("constrained.unsupported", pointer((*place.path, word)), f"{shape}: {said}")
