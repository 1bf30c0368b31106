"""Rows of both benchmarks as a trainer hands them over: one list for each column."""

from __future__ import annotations

import json

from sobench_metrics.rewards.ifstruct_judges import IfstructPass

SPEC_COLUMNS = IfstructPass().columns

TEA = {
    "json_schema": json.dumps(
        {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "name": {"type": "string"},
                    "minutes": {"type": "integer", "minimum": 1, "maximum": 9},
                    "kind": {"type": "string", "enum": ["black", "green"]},
                    "note": {"type": "string"},
                },
                "required": ["name", "minutes", "kind", "note"],
            },
        }
    ),
    "top_level_count": "2",
    "top_level_key": "teas",
    "require_wrapper_key": True,
    "require_code_block": True,
    "require_no_commentary": True,
    "output_format": "json",
}
RIGHT_TEAS = [
    {"name": "Assam", "minutes": 4, "kind": "black", "note": "with milk"},
    {"name": "Sencha", "minutes": 2, "kind": "green", "note": "not too hot"},
]

BILL = {
    "target_json": json.dumps({"shop": "Corner", "total": 12, "paid": True}),
    "schema_json": json.dumps(
        {
            "type": "object",
            "properties": {"shop": {"type": "string"}, "total": {"type": "number"}, "paid": {"type": "boolean"}},
            "additionalProperties": False,
        }
    ),
    "evaluation_labels_json": json.dumps({"shop": "exact", "total": "exact", "paid": "exact"}),
}


def tea_answer(teas=RIGHT_TEAS, *, key="teas", fence=True):
    text = json.dumps({key: teas} if key else teas)
    return f"```json\n{text}\n```" if fence else text


def columns(rows):
    """One list for each column of the rows."""
    return {name: [row[name] for row in rows] for name in rows[0]}


def repeated(row, times):
    return columns([row] * times)
