"""A skeleton of the answer in the asked format, whose values or comments say kinds and limits."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sobench_metrics.ifstruct.generate.field_lines import FieldLine
from sobench_metrics.ifstruct.generate.phrases import amount_words, kind_word, limit_words

if TYPE_CHECKING:
    from random import Random

    from sobench_metrics.ifstruct.generate.phrases import Dialect
    from sobench_metrics.ifstruct.generate.request import Request
    from sobench_metrics.ifstruct.generate.schema_sampling import Schema

__all__ = ["annotated_example"]

_LEADS = (
    "Shaped like this, the comments are not part of it:",
    "Skeleton, one element shown:",
    "Follow this outline:",
    "This is the structure I have in mind:",
)
_VALUES = ("kind", "angle", "sample")


@dataclass(frozen=True, slots=True)
class _Hand:
    """How leaves are shown: their kind as a bare word, kind and limits in angle brackets, or a sample value."""

    values: str
    dialect: Dialect
    mark: str


def annotated_example(request: Request, dialect: Dialect, rng: Random) -> str:
    """Return lead and skeleton: JSON with `//` comments, or block YAML with `#` comments."""
    is_yaml = request.form.output_format == "yaml"
    hand = _Hand(rng.choice(_VALUES), dialect, "#" if is_yaml else "//")
    amount = amount_words(request.form.low, request.form.high, dialect)
    lines = _yaml(request, hand, amount) if is_yaml else _json(request, hand, amount)
    if rng.randrange(3) == 0:
        lines = ["```", *lines, "```"]
    return "\n".join([rng.choice(_LEADS), *lines])


def _json(request: Request, hand: _Hand, amount: str) -> list[str]:
    body = [f"[  // {amount}", *_indented(_json_record(request.item, hand)), "]"]
    return body if request.key is None else ["{", f'  "{request.key}": {body[0]}', *_indented(body[1:]), "}"]


def _json_record(record: Schema, hand: _Hand, prefix: str = "") -> list[str]:
    lines: list[str] = []
    last = list(record["properties"])[-1]
    for name, schema in record["properties"].items():
        line, comma = FieldLine(prefix, name, schema), "" if name == last else ","
        if line.inner is None:
            lines.append(f'"{name}": {_leaf(line, hand)}{comma}{_comment(line, hand)}')
            continue
        inner = _json_record(line.inner, hand)
        if line.kind == "object":
            lines += [f'"{name}": {{{_comment(line, hand)}', *inner[1:-1], "}" + comma]
        else:
            lines += [f'"{name}": [{_comment(line, hand)}', *_indented(inner), "]" + comma]
    return ["{", *_indented(lines), "}"]


def _yaml(request: Request, hand: _Hand, amount: str) -> list[str]:
    entry = _dashed(_yaml_record(request.item, hand))
    return [f"# {amount}", *entry] if request.key is None else [f"{request.key}:  # {amount}", *_indented(entry)]


def _yaml_record(record: Schema, hand: _Hand) -> list[str]:
    lines: list[str] = []
    for name, schema in record["properties"].items():
        line = FieldLine("", name, schema)
        if line.inner is None:
            lines.append(f"{name}: {_leaf(line, hand)}{_comment(line, hand)}")
            continue
        inner = _yaml_record(line.inner, hand)
        lines += [f"{name}:{_comment(line, hand)}", *_indented(inner if line.kind == "object" else _dashed(inner))]
    return lines


def _leaf(line: FieldLine, hand: _Hand) -> str:
    """Return what stands where the value goes."""
    if hand.values == "kind":
        return kind_word(line, hand.dialect)
    if hand.values == "angle":
        return "<" + "; ".join([kind_word(line, hand.dialect), *limit_words(line, hand.dialect)]) + ">"
    return json.dumps(_sample(line.schema), ensure_ascii=False)


def _comment(line: FieldLine, hand: _Hand) -> str:
    """Return what the value does not say, as a comment: kind, limits, remark."""
    said = limit_words(line, hand.dialect)
    if line.inner is not None or hand.values == "sample":
        said = [kind_word(line, hand.dialect), *said]
    elif hand.values == "angle":
        said = []
    if "description" in line.schema:
        said.append(f"note: {line.schema['description']}")
    return f"  {hand.mark} {'; '.join(said)}" if said else ""


def _sample(schema: Schema) -> Any:
    if "enum" in schema:
        return schema["enum"][0]
    if schema["type"] == "array":
        return ["..."]
    return {"string": "...", "boolean": True}.get(schema["type"], schema.get("minimum", 0))


def _indented(lines: list[str]) -> list[str]:
    return [f"  {line}" for line in lines]


def _dashed(lines: list[str]) -> list[str]:
    return [f"- {lines[0]}", *_indented(lines[1:])]
