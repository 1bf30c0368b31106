"""Answers that need no model: the right one (oracle) and the least one (placeholder), for any row of both benchmarks.

They calibrate every task: the oracle must reach 100, the placeholder shows what a schema alone is worth.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import yaml

from sobench_metrics.data.instance import instance_of

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["ifstruct_answer", "ifstruct_placeholder", "sobench_answer", "sobench_placeholder"]

# The escaping rows ask for texts that are hard to quote, so the oracle gives one.
_PLAIN_TEXT = "A short sample text"
_HARD_TEXT = 'He said: "it\'s at C:\\temp" # 100%\n\tand {a: [b]} followed - ok?\n'


def ifstruct_answer(row: Mapping[str, Any]) -> str:
    """Return a text that passes the official IFStruct validator for this row (hub columns, JSON encoded or not).

    A row that brings a right answer of its own (column `oracle_answer`) is answered with it: no schema says all that
    such a row asks for.
    """
    if isinstance(row.get("oracle_answer"), str):
        return str(row["oracle_answer"])
    schema = _decoded(row["json_schema"])
    text = _HARD_TEXT if "__escaping__" in str(row.get("entity_type")) else _PLAIN_TEXT
    data = instance_of(schema, text=text, complete=True)
    if isinstance(data, list):
        count = _wanted_count(_decoded(row["top_level_count"]), len(data))
        data = [instance_of(schema.get("items", True), text=text, complete=True) for _ in range(count)]
        if row["require_wrapper_key"]:
            key = row["top_level_key"]
            data = {"items" if key is None else key: data}
    written = _written(data, row["output_format"])
    fence = "yaml" if row["output_format"] == "yaml" else "json"
    # Unfenced JSON must begin with a bracket, so another root (a bare number, say) is fenced unasked: never an error.
    fenced = row["require_code_block"] or (fence == "json" and written[0] not in "[{")
    return f"```{fence}\n{written}\n```" if fenced else written


def ifstruct_placeholder(row: Mapping[str, Any]) -> str:
    """Return the schema's smallest instance in the row's format: no wrapper, no fence, no thought about the count."""
    return _written(instance_of(_decoded(row["json_schema"])), row["output_format"])


def sobench_answer(doc: Mapping[str, Any]) -> str:
    """Return the doc's target as an answer that the official scorer reads back unchanged."""
    return _json_answer(_decoded(doc["target_json"]))


def sobench_placeholder(schema: Any) -> str:
    """Return the smallest instance of the schema (JSON text or decoded) as an answer."""
    return _json_answer(instance_of(_decoded(schema)))


def _wanted_count(count: Any, otherwise: int) -> int:
    """Return the least number of items that a row's count allows; a row without a count takes the schema's minimum."""
    if isinstance(count, list) and len(count) == 2:
        return int(count[0])
    return count if isinstance(count, int) else otherwise


def _decoded(value: Any) -> Any:
    return json.loads(value) if isinstance(value, str) else value


def _json_answer(value: Any) -> str:
    # The official scorer takes three backticks in an answer for a fence, even inside a string: write them as escapes.
    return json.dumps(value, ensure_ascii=False).replace("`", "\\u0060")


def _written(data: Any, output_format: str) -> str:
    if output_format != "yaml":
        return json.dumps(data, indent=2)
    return yaml.dump(
        data, Dumper=_BlockDumper, sort_keys=False, allow_unicode=True, default_flow_style=False, width=10**6
    ).rstrip("\n")


class _BlockDumper(yaml.SafeDumper):
    """Block style throughout, no anchors; quotes what YAML 1.1 would read as something else than text."""

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002 - PyYAML calls it so
        return True


def _mapping(dumper: _BlockDumper, data: dict[Any, Any]) -> yaml.Node:
    """Represent a mapping; an empty one as a merge of nothing, since `{}` is flow style, which fails."""
    if data:
        return dumper.represent_mapping("tag:yaml.org,2002:map", data.items(), flow_style=False)
    nothing = yaml.SequenceNode("tag:yaml.org,2002:seq", [], flow_style=True)
    return yaml.MappingNode(
        "tag:yaml.org,2002:map", [(yaml.ScalarNode("tag:yaml.org,2002:merge", "<<"), nothing)], flow_style=False
    )


def _text(dumper: _BlockDumper, data: str) -> yaml.Node:
    """Represent a text; double-quoted on one line when it has line breaks, so that no indentation rule touches it."""
    style = '"' if any(sign in data for sign in "\n\r\t\x85\u2028\u2029`") else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", data, style=style)


_BlockDumper.add_representer(dict, _mapping)
_BlockDumper.add_representer(str, _text)
