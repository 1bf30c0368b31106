"""Read a raw JSON Schema back."""

from __future__ import annotations

import json

from sobench_metrics.ifstruct.generate.parse_back.read_back import ReadBack

__all__ = ["read_raw_schema"]


def read_raw_schema(prompt: str) -> ReadBack:
    """Return what the first schema in the prompt says; ValueError when there is none."""
    lines = prompt.split("\n")
    for number, line in enumerate(lines):
        if line.startswith("{"):
            try:
                schema, _ = json.JSONDecoder().raw_decode("\n".join(lines[number:]))
            except ValueError:
                continue
            if "type" in schema:
                return _read(schema)
    raise ValueError("no schema was found")


def _read(schema: dict[str, dict[str, dict[str, int]]]) -> ReadBack:
    key, shown = None, schema
    if len(schema.get("properties", ())) == 1:  # an item has more than one field
        key, shown = next(iter(schema["properties"].items()))  # type: ignore[assignment]
    if str(shown["type"]) != "array":
        return ReadBack(schema)
    return ReadBack(shown["items"], whole=True, count=(shown["minItems"], shown["maxItems"]), key=key)  # type: ignore[arg-type]
