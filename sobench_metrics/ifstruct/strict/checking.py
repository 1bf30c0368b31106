"""Run every strict rule on one answer, within bounds."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from sobench_metrics.findings import Finding
from sobench_metrics.ifstruct.strict.answer import Answer, answer_of
from sobench_metrics.ifstruct.strict.content import content_findings
from sobench_metrics.ifstruct.strict.duplicate_keys import duplicate_keys
from sobench_metrics.ifstruct.strict.multiples import not_multiples
from sobench_metrics.ifstruct.strict.schema_keywords import ignored_keywords
from sobench_metrics.ifstruct.strict.yaml_scalars import ambiguous_scalars, retyped_scalars
from sobench_metrics.json_schema.stack import on_fresh_stack

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from sobench_metrics.ifstruct.spec import Spec
    from sobench_metrics.ifstruct.verdict import Payload

__all__ = ["MAX_PER_CODE", "MAX_STRICT_CHARS", "RULES", "strict_findings"]

MAX_STRICT_CHARS: Final = 200_000
"""Longest payload looked at; some fifty thousand tokens."""

MAX_PER_CODE: Final = 100
"""Findings of one code that are listed; whoever breaks one rule everywhere is told the others, too."""

RULES: Final[tuple[Callable[[Answer], Iterator[Finding]], ...]] = (
    duplicate_keys,
    retyped_scalars,
    ambiguous_scalars,
    ignored_keywords,
    not_multiples,
    content_findings,
)
"""Each yields its findings in the order of the answer or of the schema."""


def strict_findings(spec: Spec, payload: Payload) -> tuple[Finding, ...]:
    """Return the findings beyond the reference, paths into the answer as written; never raises."""
    try:
        return _strict_findings(spec, payload)
    except RecursionError:  # the caller's stack is nearly used up
        return on_fresh_stack(lambda: _strict_findings(spec, payload))


def _strict_findings(spec: Spec, payload: Payload) -> tuple[Finding, ...]:
    if len(payload.text) > MAX_STRICT_CHARS:
        return (Finding("strict.skipped", "", f"payload of more than {MAX_STRICT_CHARS} characters"),)
    answer = answer_of(spec, payload)
    return tuple(_listed(finding for rule in RULES for finding in rule(answer)))


def _listed(findings: Iterable[Finding]) -> Iterator[Finding]:
    told: Counter[str] = Counter()
    for finding in findings:
        told[finding.code] += 1
        if told[finding.code] <= MAX_PER_CODE:
            yield finding
