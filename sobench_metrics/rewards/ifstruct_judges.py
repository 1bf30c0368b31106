"""Judges of IFStruct answers, over the verdict of the official validator."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from sobench_metrics.ifstruct.spec import Spec
from sobench_metrics.ifstruct.validation import validate

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sobench_metrics.ifstruct.verdict import Verdict

__all__ = ["FAILED_AT_MOST", "IfstructPass", "IfstructShaped", "nearness"]

FAILED_AT_MOST: Final = 0.5
"""The shaped reward of an answer that failed stays at or below this; one that passed has 1.0."""

_COLUMNS: Final = (
    "json_schema", "top_level_count", "top_level_key",
    "require_wrapper_key", "require_code_block", "require_no_commentary", "output_format",
)  # fmt: skip
_READABLE, _FORM, _FIELDS = 0.2, 0.2, 0.6
_WRAPPER_CODES: Final = frozenset({"wrapper.missing", "wrapper.unexpected", "wrapper.key"})
_COUNT_CODES: Final = frozenset({"count.exact", "count.range"})


@dataclass(frozen=True, slots=True)
class IfstructPass:
    """The official score: 1.0 when the answer passed, else 0.0. Rows as on the hub, JSON-encoded or decoded."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of a spec."""
        return _COLUMNS

    def __call__(self, text: str | None, row: Mapping[str, Any]) -> float:
        """Return `Verdict.score`; raises SpecError (a UsageError) for a malformed column."""
        return validate(text, spec_of(row)).score


@dataclass(frozen=True, slots=True)
class IfstructShaped:
    """1.0 when the answer passed officially; else half of its `nearness`, so that no fail comes near a pass.

    For the start of a training, when passes are rare; it ranks failed answers by how much of them was right.
    """

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of a spec."""
        return _COLUMNS

    def __call__(self, text: str | None, row: Mapping[str, Any]) -> float:
        """Return the shaped reward in [0, 1]; raises SpecError (a UsageError) for a malformed column."""
        verdict = validate(text, spec_of(row))
        return 1.0 if verdict.passed else FAILED_AT_MOST * nearness(verdict)


def nearness(verdict: Verdict) -> float:
    """Return in [0, 1] how near an answer came: 0.2 for data that could be read at all, 0.2 times the share of the
    form rules that it kept, 0.6 times the official `schema_match_ratio`. An answer without readable data
    has 0, and so has a lone value: YAML takes every chat for one.

    The form rules are those that the row makes: a code block, no commentary, the wrapper or the bare list, the count.
    """
    ratio = verdict.details.get("schema_match_ratio")
    if ratio is None or verdict.payload is None or not isinstance(verdict.payload.data, (dict, list)):
        return 0.0
    kept = list(_form_rules(verdict))
    form = sum(kept) / len(kept) if kept else 1.0
    return _READABLE + _FORM * form + _FIELDS * float(ratio)


def _form_rules(verdict: Verdict) -> Iterator[bool]:
    """Yield for each form rule of the row whether the answer kept it."""
    spec = verdict.spec
    codes = {finding.code for finding in verdict.errors}
    if spec.require_code_block:
        yield "fence.missing" not in codes
    if spec.require_no_commentary:
        yield "commentary.present" not in codes
    if spec.json_schema.get("type") != "array":
        return
    is_list = verdict.payload is not None and isinstance(verdict.payload.data, list)
    yield is_list and not codes & _WRAPPER_CODES
    if spec.top_level_count is not None:
        yield is_list and not codes & _COUNT_CODES


def spec_of(row: Mapping[str, Any]) -> Spec:
    """Return the spec of a row; trainers ask for each row once a generation, so encoded rows are remembered."""
    values = [row[column] for column in _COLUMNS]
    if isinstance(values[0], str) and all(value is None or isinstance(value, (str, bool, int)) for value in values):
        return _remembered(*values)
    return Spec.from_row(row)


@lru_cache(maxsize=512, typed=True)  # typed: 1 is no flag, though it equals True
def _remembered(*values: Any) -> Spec:
    return Spec.from_row(dict(zip(_COLUMNS, values, strict=True)))
