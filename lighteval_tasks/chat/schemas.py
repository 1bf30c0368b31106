"""The schema that a sample's answer shall be held to, and the fields of a request that ask a server to do so."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from sobench_metrics.ifstruct import Spec

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["request_fields", "schema_for"]

_LONGEST_NAME = 64


def schema_for(row: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the JSON schema for the whole answer to a row, or None when no JSON schema can say what is asked.

    SO-Bench's rows bring theirs. IFStruct's say what an item is; the number of items and the wrapper stand in other
    columns. An answer in YAML or in a code block is no JSON text, so such rows stay free.
    """
    if "schema_json" in row:
        schema = json.loads(row["schema_json"])
        return schema if isinstance(schema, dict) else None
    return _of_list(Spec.from_row(row))


def request_fields(kind: str, name: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields in the server's dialect: `json_schema` for OpenAI's, `vllm` for vLLM's own."""
    if kind == "vllm":
        return {"structured_outputs": {"json": schema}}
    allowed = re.sub(r"[^a-zA-Z0-9_-]", "_", name)[:_LONGEST_NAME] or "answer"
    # strict: without it a server of OpenAI's kind may take the schema for a hint, and the run would not be constrained
    return {
        "response_format": {"type": "json_schema", "json_schema": {"name": allowed, "schema": schema, "strict": True}}
    }


def _of_list(spec: Spec) -> dict[str, Any] | None:
    items = dict(spec.json_schema)
    if spec.output_format == "yaml" or spec.require_code_block or items.get("type") != "array":
        return None
    if spec.require_wrapper_key and spec.top_level_key is None:  # any key would do, which a schema cannot say well
        return None
    items |= _bounds(spec.top_level_count)
    if not spec.require_wrapper_key:
        return items
    key = spec.top_level_key
    return {"type": "object", "properties": {key: items}, "required": [key], "additionalProperties": False}


def _bounds(count: Any) -> dict[str, int]:
    if isinstance(count, int) and not isinstance(count, bool):
        return {"minItems": count, "maxItems": count}
    if isinstance(count, list) and len(count) == 2 and all(type(bound) is int for bound in count):
        return {"minItems": count[0], "maxItems": count[1]}
    return {}
