"""The schema that a sample's answer shall be held to, and the fields of a request that ask a server to do so."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from sobench_metrics.constrained.answer_schema import NotPossible, answer_schema

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["request_fields", "schema_for"]

_LONGEST_NAME = 64


def schema_for(row: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the JSON schema for the whole answer to a row, or None when no JSON schema can say what is asked.

    An answer in YAML or in a code block is no JSON text, so such rows stay free.
    """
    found = answer_schema(row)
    return None if isinstance(found, NotPossible) else found.schema


def request_fields(kind: str, name: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields in the server's dialect: `json_schema` for OpenAI's, `vllm` for vLLM's own."""
    if kind == "vllm":
        return {"structured_outputs": {"json": schema}}
    allowed = re.sub(r"[^a-zA-Z0-9_-]", "_", name)[:_LONGEST_NAME] or "answer"
    # strict: without it a server of OpenAI's kind may take the schema for a hint, and the run would not be constrained
    return {
        "response_format": {"type": "json_schema", "json_schema": {"name": allowed, "schema": schema, "strict": True}}
    }
