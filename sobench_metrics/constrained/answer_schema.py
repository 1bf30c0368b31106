"""The JSON Schema of a whole answer: what a row asks for, said so that an engine can hold a model to it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from sobench_metrics.constrained.ifstruct_schema import NothingPassesError, list_answer, object_answer
from sobench_metrics.ifstruct import Spec
from sobench_metrics.ifstruct.leaves import effective_type

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["AnswerSchema", "NotPossible", "answer_schema"]


@dataclass(frozen=True, slots=True)
class AnswerSchema:
    """The schema of the whole answer to a row, and the benchmark that the row is of."""

    schema: dict[str, Any]
    benchmark: Literal["sobench", "ifstruct"]


@dataclass(frozen=True, slots=True)
class NotPossible:
    """Why no schema can say what a row asks for: a stable code, and a sentence for people."""

    code: str
    message: str


def answer_schema(row: Mapping[str, Any]) -> AnswerSchema | NotPossible:
    """Return the schema of the whole answer to a row of SO-Bench (`schema_json`) or IFStruct (columns of its `Spec`).

    Codes where there is none: "constrained.yaml", "constrained.code_block", "constrained.schema_broken",
    "constrained.no_root_type", "constrained.nothing_passes". Raises SpecError for a row of neither benchmark.

    For IFStruct: a JSON text that passes the official validator follows the schema, and what follows it passes, save
    that a number may be written 3.0 for 3; that true equals 1 in an enum without a type; that texts with reasoning tags
    inside are cut by the validator; and that an object schema whose properties are all optional may give a lone list.
    """
    if "schema_json" in row:
        return _sobench(row["schema_json"])
    return _ifstruct(Spec.from_row(row))


def _sobench(column: Any) -> AnswerSchema | NotPossible:
    try:
        schema = json.loads(column) if isinstance(column, str) else column
    except (ValueError, RecursionError) as error:
        return NotPossible("constrained.schema_broken", f"The row's schema is not JSON ({error}).")
    if not isinstance(schema, dict):
        return NotPossible("constrained.schema_broken", "The row's schema is not an object.")
    return AnswerSchema(schema, "sobench")


def _ifstruct(spec: Spec) -> AnswerSchema | NotPossible:
    if spec.output_format == "yaml":
        return NotPossible("constrained.yaml", "The row asks for YAML, and a JSON Schema constrains JSON only.")
    if spec.require_code_block:
        return NotPossible("constrained.code_block", "The row asks for a code block, and constrained JSON has none.")
    kind = effective_type(spec.json_schema)
    if kind not in ("array", "object"):
        return NotPossible(
            "constrained.no_root_type", f"The row's schema is for {kind}: only lists and objects stand without a block."
        )
    try:
        return AnswerSchema(list_answer(spec) if kind == "array" else object_answer(spec), "ifstruct")
    except NothingPassesError as error:
        return NotPossible("constrained.nothing_passes", f"No JSON text passes the row's own checks: {error}.")
