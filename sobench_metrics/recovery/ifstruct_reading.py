"""The tolerant reading of an IFStruct answer: are the items that the prompt asked for there, all of them?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from sobench_metrics.ifstruct.display import ReferenceCrashError
from sobench_metrics.ifstruct.envelope import check_count
from sobench_metrics.ifstruct.leaves import effective_type
from sobench_metrics.ifstruct.spec import Spec
from sobench_metrics.ifstruct.walk import walk
from sobench_metrics.json_schema.stack import MAX_DEPTH, is_deeper_than
from sobench_metrics.recovery.choosing import Chosen, choose_json
from sobench_metrics.recovery.enum_words import usual_enum_words
from sobench_metrics.recovery.limits import too_long
from sobench_metrics.recovery.record import Recovery
from sobench_metrics.recovery.wrappers import list_below
from sobench_metrics.recovery.yaml_documents import yaml_readings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from sobench_metrics.findings import Finding

__all__ = ["recover_ifstruct"]

_Reading = tuple[Any, tuple[str, ...], bool]
"""Data, steps, whether they stood in a fence."""


def recover_ifstruct(text: str | None, row: Mapping[str, Any]) -> Recovery:
    """Return whether the data asked for in a row (the columns of `Spec.from_row`) are in the text.

    Code block, commentary, wrapper key and the choice of JSON or YAML are form. Number of items, required fields,
    types, allowed values and the absence of other fields are content. Never raises for any text; raises SpecError for
    a row that is no spec.
    """
    spec = Spec.from_row(row)
    if fault := too_long(text):
        return Recovery(recoverable=False, steps=(), reason=fault)
    text = text or ""
    return _recover_yaml(text, spec) if spec.output_format == "yaml" else _recover_json(text, spec)


def _recover_json(text: str, spec: Spec) -> Recovery:
    """Read JSON; YAML only where nothing in the text looks like JSON, and no flow style, which would be broken JSON."""
    chosen = choose_json(text)
    failed = Recovery(recoverable=False, steps=chosen.steps, reason=f"Nothing to read: {chosen.fault}.")
    if chosen.seen:
        return _first_right(_json(chosen), spec, failed)
    block_style = (
        (document.data, (*document.steps, "format.yaml"), document.fenced)
        for document in yaml_readings(text)
        if "format.flow" not in document.steps
    )
    return _first_right(block_style, spec, failed)


def _recover_yaml(text: str, spec: Spec) -> Recovery:
    """Read YAML in block style; where there is none, JSON, and where there is neither, YAML in flow style."""
    failed = Recovery(recoverable=False, steps=(), reason="Nothing to read: there is no YAML mapping or list.")
    documents = list(yaml_readings(text))
    readings = [(document.data, document.steps, document.fenced) for document in documents]
    if any("format.flow" not in document.steps for document in documents):
        return _first_right(readings, spec, failed)
    chosen = choose_json(text)
    if not chosen.fault:
        return _first_right(_json(chosen, "format.json"), spec, failed)
    return _first_right(readings, spec, failed)


def _json(chosen: Chosen, *more: str) -> Iterator[_Reading]:
    if not chosen.fault:
        yield (
            chosen.value,
            tuple(step for step in chosen.steps if not (more and step == "fence.tag")) + more,
            chosen.fenced,
        )


def _first_right(readings: Iterable[_Reading], spec: Spec, failed: Recovery) -> Recovery:
    """Return the recovery by the first reading that satisfies, else by the first one, else `failed`."""
    first: Recovery | None = None
    for reading in readings:
        found = _judge(reading, spec)
        if found.recoverable:
            return found
        first = first or found
    return first or failed


def _judge(reading: _Reading, spec: Spec) -> Recovery:
    value, steps, fenced = reading
    if spec.require_code_block and not fenced:
        steps = (*steps, "fence.missing")
    if is_deeper_than(value, MAX_DEPTH):
        return Recovery(
            recoverable=False, steps=steps, reason=f"The data are nested more than {MAX_DEPTH} levels deep."
        )
    data = value
    if effective_type(spec.json_schema) != "object":
        data, more = list_below(value, spec)
        steps += more
    fault = _fault(data, spec)
    if fault and fault.code == "schema.enum":
        data, changed = usual_enum_words(data, spec.json_schema)
        if changed:
            steps += changed
            fault = _fault(data, spec)
    if fault:
        where = f" at {fault.path[:100]}" if fault.path else ""
        return Recovery(recoverable=False, steps=steps, reason=f"{fault.message[:160]}{where}.", value=value)
    return Recovery(recoverable=True, steps=steps, reason=_said(steps), value=value)


def _fault(data: Any, spec: Spec) -> Finding | None:
    """Return the first thing that the data lack, those that no rendering can mend before others."""
    try:
        count = next(check_count(data, None, spec), None)
        if count:
            return count
        findings = walk(spec.json_schema, data).findings
    except ReferenceCrashError as crash:
        from sobench_metrics.findings import Finding

        return Finding("reference.crash", "", f"a value that cannot be judged: {crash}")
    return min(findings, key=lambda finding: finding.code == _ENUM, default=None)


_ENUM: Final = "schema.enum"


def _said(steps: tuple[str, ...]) -> str:
    if not steps:
        return "All data asked for are there, in the form asked for."
    return "All data asked for are there; only the form differs."
