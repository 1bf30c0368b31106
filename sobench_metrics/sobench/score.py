"""The score of one sample: what the reference says, the strict counts, and why."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from sobench_metrics.findings import Finding
from sobench_metrics.json_schema import MAX_DEPTH, follows, is_deeper_than
from sobench_metrics.json_schema.stack import on_fresh_stack
from sobench_metrics.response import decode_json
from sobench_metrics.sobench.comparison import BEYOND_FLOAT, MISSING, compare
from sobench_metrics.sobench.extraction import extract
from sobench_metrics.sobench.label_free import compare_exactly
from sobench_metrics.sobench.labels import EXACT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sobench_metrics.sobench.counts import FieldCounts, StrictCounts
    from sobench_metrics.sobench.field_verdicts import FieldVerdict

__all__ = ["LEFT_OUT", "SampleError", "Score", "sample_schema", "score"]


class SampleError(ValueError):
    """A fault in the sample's own data, told in one sentence; the model is not to blame for it."""


class _Labels(enum.Enum):
    LEFT_OUT = "left out"


LEFT_OUT: Final = _Labels.LEFT_OUT
"""Stands for a sample without labels; not the same as the label null."""


@dataclass(frozen=True, slots=True)
class Score:
    """Verdicts and counts of one sample.

    *Official*, equal to the reference (Part B): `invalid`, `exact_match`, `followed_schema`; `official` counts with
    labels and `official_exact` without, `full_match` and `full_match_exact`: None when invalid. `official_exact` is
    None, too, where only the label-free comparison meets a number on which the reference fails.

    *Strict* (`comparison` has the rules): `strict` counts, never None, and `fields`, one verdict per field.

    `errors` says why the answer is invalid or does not follow the schema.
    """

    invalid: bool
    exact_match: bool
    followed_schema: bool
    official: FieldCounts | None
    official_exact: FieldCounts | None
    strict: StrictCounts
    fields: tuple[FieldVerdict, ...] = ()
    errors: tuple[Finding, ...] = ()

    @property
    def full_match(self) -> bool | None:
        """Whether all compared fields match (rule B1.7); also when none was compared."""
        return None if self.official is None else self.official.matched == self.official.total

    @property
    def full_match_exact(self) -> bool | None:
        """The same for the label-free comparison."""
        return None if self.official_exact is None else self.official_exact.matched == self.official_exact.total


def score(generation: object, *, target: Any, schema: Any, labels: Any = LEFT_OUT) -> Score:
    """Score one model text against its target (reference rule B1); never raises for any text.

    `generation` is the text, None when there is none. `target`, `schema` and `labels` are JSON text or decoded, so
    None is null; a schema or labels that are text but no JSON stand for themselves. Without `labels` the official
    comparison is the label-free one, and strictly every field counts as "exact".

    Where the reference fails on an answer (nesting, huge numbers, not text), the answer is invalid and `errors` says
    why. Raises SampleError for a target that is no JSON, or a target or labels nested beyond what can be scored.
    """
    try:
        return _score(generation, target, schema, labels)
    except RecursionError:  # the caller's stack is nearly used up
        return on_fresh_stack(lambda: _score(generation, target, schema, labels))


def _score(generation: object, target: Any, schema: Any, labels: Any) -> Score:
    expected = _target(target)
    label = EXACT if labels is LEFT_OUT else _labels(labels)
    answer = extract(generation)
    if answer.finding:
        return _invalid(expected, label, answer.finding)
    compared = compare(answer.value, expected, label)
    exact = compare_exactly(answer.value, expected)
    official = exact if labels is LEFT_OUT else compared.official
    if compared.overflow or official is None:
        return _invalid(expected, label, compared.overflow or _EXACT_OVERFLOW)
    verdict = follows(answer.value, schema)
    errors = [verdict.finding] if verdict.finding else []
    if exact is None:
        errors.append(_EXACT_OVERFLOW)
    return Score(
        invalid=False,
        exact_match=_equal(answer.value, expected),
        followed_schema=verdict.followed,
        official=official,
        official_exact=exact,
        strict=compared.strict,
        fields=compared.fields,
        errors=tuple(errors),
    )


def sample_schema(row: Mapping[str, Any]) -> Any:
    """Return a sample's schema: `response_format.json_schema.schema` when that path exists, else `target_schema`.

    Raises SampleError when there is neither (reference Part B, input).
    """
    part: Any = row
    for key in ("response_format", "json_schema", "schema"):
        if not isinstance(part, dict) or key not in part:
            break
        part = part[key]
    else:
        return part
    if "target_schema" not in row:
        raise SampleError("The sample has no schema: add 'target_schema' or 'response_format.json_schema.schema'.")
    return row["target_schema"]


_EXACT_OVERFLOW: Final = Finding(
    BEYOND_FLOAT, "", "an integer beyond the range of floats, on which the reference's label-free comparison fails"
)


def _invalid(target: Any, label: Any, finding: Finding) -> Score:
    nothing = compare(MISSING, target, label)
    return Score(
        invalid=True,
        exact_match=False,
        followed_schema=False,
        official=None,
        official_exact=None,
        strict=nothing.strict,
        fields=nothing.fields,
        errors=(finding,),
    )


def _target(target: Any) -> Any:
    value = target
    if isinstance(target, str):
        decoded = decode_json(target)
        if decoded.finding:
            raise SampleError(f"The target is not JSON ({decoded.finding.message}): repair the sample's target.")
        if rest := target[decoded.end :].strip(" \t\n\r"):
            raise SampleError(f"The target has text after its JSON value, {rest[:40]!r}: repair the sample's target.")
        value = decoded.value
    if is_deeper_than(value, MAX_DEPTH):
        raise SampleError(f"The target nests more than {MAX_DEPTH} levels deep, where the reference fails.")
    return value


def _labels(labels: Any) -> Any:
    value = labels
    if isinstance(labels, str):
        decoded = decode_json(labels)
        if decoded.finding is None and not labels[decoded.end :].strip(" \t\n\r"):
            value = decoded.value
    if is_deeper_than(value, MAX_DEPTH):
        raise SampleError(f"The labels nest more than {MAX_DEPTH} levels deep, where the reference fails.")
    return value


def _equal(answer: Any, target: Any) -> bool:
    """Return Python's equality of two decoded values, key order aside (rule B1.5).

    A NaN by itself differs from any, inside a container two are equal: the decoder gives one shared NaN, and Python
    compares identity first. Here that also holds for a target decoded by somebody else.
    """
    if not isinstance(answer, (dict, list)):
        return bool(answer == target)
    waiting = [(answer, target)]
    while waiting:
        one, two = waiting.pop()
        if isinstance(one, dict) and isinstance(two, dict):
            if one.keys() != two.keys():
                return False
            waiting.extend((value, two[key]) for key, value in one.items())
        elif isinstance(one, list) and isinstance(two, list):
            if len(one) != len(two):
                return False
            waiting.extend(zip(one, two, strict=True))
        elif one != two and not (one != one and two != two):  # noqa: PLR0124  # true of NaN only
            return False
    return True
