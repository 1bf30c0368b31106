"""What one IFStruct prompt asks for: the columns of a data set row, checked once."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sobench_metrics.errors import UsageError
from sobench_metrics.ifstruct.content_rules import ContentRule, content_rules

__all__ = ["Spec", "SpecError"]

_OPTIONAL = frozenset(("content_rules",))


class SpecError(UsageError):
    """A row that cannot be a spec; the text is one sentence that names the column and the remedy."""


@dataclass(frozen=True, slots=True)
class Spec:
    """The requirements of one prompt (reference part A, inputs), in decoded form.

    `top_level_count` is an integer, a two-element list or None; other forms are kept and ask for nothing (rule A9).
    Only the exact text "yaml" as `output_format` means YAML; every other value means JSON. `content_rules` is not the
    reference's: rules for `Verdict.strict`, none in the rows of the benchmark.
    """

    json_schema: Mapping[str, Any]
    top_level_count: Any = None
    top_level_key: str | None = None
    require_wrapper_key: bool = False
    require_code_block: bool = False
    require_no_commentary: bool = False
    output_format: str | None = "json"
    content_rules: tuple[ContentRule, ...] = ()

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> Spec:
        """Return the spec of a row in the Hugging Face column layout; further columns are left alone.

        `json_schema` and `top_level_count` are JSON-encoded there. A row whose `json_schema` is already a mapping is
        taken as decoded throughout, so that a text as its count stays a text and asks for nothing, as in the reference.
        Raises SpecError for a missing or malformed column.
        """
        if not isinstance(row, Mapping):
            raise SpecError(
                f"A row must be a mapping of columns, got {type(row).__name__}: pass one row of the data set."
            )
        for column in cls.__dataclass_fields__:
            if column not in row and column not in _OPTIONAL:
                raise SpecError(
                    f"Column '{column}' is missing: add it to the row, or null where the prompt asks nothing."
                )
        encoded = isinstance(row["json_schema"], str)
        return cls(
            json_schema=_schema(_decoded(row, "json_schema") if encoded else row["json_schema"]),
            top_level_count=_decoded(row, "top_level_count") if encoded else row["top_level_count"],
            top_level_key=_text_or_null(row, "top_level_key"),
            require_wrapper_key=_flag(row, "require_wrapper_key"),
            require_code_block=_flag(row, "require_code_block"),
            require_no_commentary=_flag(row, "require_no_commentary"),
            output_format=_text_or_null(row, "output_format"),
            content_rules=_content_rules(row),
        )


def _decoded(row: Mapping[str, Any], column: str) -> Any:
    value = row[column]
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError) as error:
        raise SpecError(f"Column '{column}' is not JSON ({error}): store it JSON-encoded, or decoded.") from error


def _content_rules(row: Mapping[str, Any]) -> tuple[ContentRule, ...]:
    try:
        return content_rules(row.get("content_rules"))
    except ValueError as error:
        raise SpecError(f"Column 'content_rules' cannot be read ({error}): repair the rule or drop it.") from error


def _flag(row: Mapping[str, Any], column: str) -> bool:
    value = row[column]
    if not isinstance(value, bool):
        raise SpecError(f"Column '{column}' must be true or false, got {value!r:.60}: convert it to a boolean.")
    return value


def _text_or_null(row: Mapping[str, Any], column: str) -> str | None:
    value = row[column]
    if value is not None and not isinstance(value, str):
        raise SpecError(f"Column '{column}' must be text or null, got {value!r:.60}: convert it to text.")
    return value


def _schema(schema: Any) -> Mapping[str, Any]:
    """Return the schema if the keywords that the walk reads have forms it can read."""
    pending = [("", schema)]
    while pending:
        place, node = pending.pop()
        if not isinstance(node, Mapping):
            raise SpecError(
                f"Column 'json_schema' must hold an object at '{place}', got {node!r:.60}: repair the schema."
            )
        for keyword, wanted in _malformed(node):
            found = f"{node[keyword]!r:.60}"
            raise SpecError(
                f"Column 'json_schema' must have {wanted} at '{place}/{keyword}', got {found}: repair the schema."
            )
        if node.get("items"):
            pending.append((f"{place}/items", node["items"]))
        pending.extend((f"{place}/properties/{name}", child) for name, child in (node.get("properties") or {}).items())
    return schema  # type: ignore[no-any-return]  # checked above


def _malformed(node: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for keyword in ("minItems", "maxItems", "minimum", "maximum"):
        if not isinstance(node.get(keyword), int | float | None):
            yield keyword, "a number"
    if not isinstance(node.get("properties"), Mapping | None):
        yield "properties", "a mapping"
    if not isinstance(node.get("enum"), list | None):
        yield "enum", "a list"
    required = node.get("required")
    if required is not None and not (isinstance(required, list) and all(isinstance(name, str) for name in required)):
        yield "required", "a list of names"
