"""Six ways of telling a model which fields are wanted, from chat to schema. Each states every rule that is scored."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

from sobench_metrics.data.sample_maker.drawn import Schema

__all__ = ["STYLES", "Field", "Presentation", "fields_of", "times"]


@dataclass(frozen=True, slots=True)
class Field:
    """One line of a field list: where it stands, what kind it is, what limits it, and a remark."""

    path: str
    kind: str
    limits: str
    remark: str


@dataclass(frozen=True, slots=True)
class Presentation:
    """What a style may need to know about a row."""

    item: Schema
    count: tuple[int, int]
    wrapper: str | None
    output_format: str


Style = Callable[[Presentation, Random], str]


def fields_of(item: Schema, prefix: str = "") -> Iterator[Field]:
    """Walk the fields of an item in order, parents before children; `[]` marks what repeats."""
    required = item.get("required", [])
    for name, schema in item["properties"].items():
        path = prefix + name
        yield Field(path, _kind(schema), _limits(schema, optional=name not in required), schema.get("description", ""))
        inner = schema["items"] if schema["type"] == "array" else schema
        if inner["type"] == "object":
            yield from fields_of(inner, path + ("[]." if schema["type"] == "array" else "."))


def times(low: int, high: int, noun: str = "item") -> str:
    many = f"{low}" if low == high else f"{low}-{high}"
    return f"{many} {noun}{'' if high == 1 else 's'}"


def bullets(this: Presentation, rng: Random) -> str:
    """Bullets with explicit paths, grouped by nothing: the reader rebuilds the nesting."""
    lead = rng.choice([
        "Fields of each item (a dot goes into an object, [] into every element of a list):",
        "Give every item these fields; read `a.b` as b inside a, and `a[].b` as b inside each a:",
    ])  # fmt: skip
    lines = [f"- `{field.path}` - {_sentence(field)}" for field in fields_of(this.item)]
    return "\n".join([lead, *lines])


def json_schema(this: Presentation, rng: Random) -> str:
    """The schema itself, with the wrapper drawn into it."""
    lead = rng.choice(["Conform to this JSON Schema:", "The data must validate against:"])
    low, high = this.count
    whole: Schema = {"type": "array", "items": this.item, "minItems": low, "maxItems": high}
    if this.wrapper:
        whole = {"type": "object", "properties": {this.wrapper: whole}, "required": [this.wrapper]}
    return f"{lead}\n{json.dumps(whole, indent=2)}"


def annotated_example(this: Presentation, rng: Random) -> str:
    """A skeleton in the asked format whose values name types and limits."""
    lead = rng.choice(["Shape of the answer (types and limits stand where the values go):", "Fill in this skeleton:"])
    comment = f"{times(*this.count)} like this one"
    if this.output_format == "yaml":
        lines = [f"{this.wrapper}:"] if this.wrapper else []
        lines += _yaml_skeleton_item(this.item, "  " if this.wrapper else "", comment)
    else:
        body = [f"[  // {comment}", *_indented(_json_skeleton(this.item)), "]"]
        lines = ["{", *_indented([f'"{this.wrapper}": {body[0]}', *body[1:]]), "}"] if this.wrapper else body
    return "\n".join([lead, *lines])


def path_list(this: Presentation, rng: Random) -> str:
    """One bare line a field."""
    lead = rng.choice(["Requested fields, one per line, as path: type (limits): remark", "Field list:"])
    lines = []
    for field in fields_of(this.item):
        limits = f" ({field.limits})" if field.limits else ""
        lines.append(f"{field.path}: {field.kind}{limits}" + (f": {field.remark}" if field.remark else ""))
    return "\n".join([lead, *lines])


def table(this: Presentation, rng: Random) -> str:
    """A Markdown or plain ASCII table with the columns in a drawn order."""
    columns = ["path", "type", "limits", "remark"]
    rng.shuffle(columns)
    cells = [
        dict(zip(("path", "type", "limits", "remark"), (f.path, f.kind, f.limits, f.remark), strict=True))
        for f in fields_of(this.item)
    ]
    rows = [[cell[column] for column in columns] for cell in cells]
    if rng.random() < 0.5:
        lines = ["| " + " | ".join(row) + " |" for row in [columns, ["---"] * 4, *rows]]
    else:
        widths = [max(len(row[index]) for row in [columns, *rows]) for index in range(4)]
        rule = "+" + "+".join("-" * (width + 2) for width in widths) + "+"
        padded = [
            "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |"
            for row in [columns, *rows]
        ]
        lines = [rule, padded[0], rule, *padded[1:], rule]
    return "\n".join(["Fields of one item:", *lines])


def chat(this: Presentation, rng: Random) -> str:
    """Sentences as somebody would type them."""
    opening = rng.choice(["so, per item i need:", "ok the fields, for each one:", "here's what goes into every item:"])
    return "\n".join([opening, *_chat_sentences(this.item, "")])


def _chat_sentences(item: Schema, inside: str) -> list[str]:
    sentences, nested = [], []
    required = item.get("required", [])
    for name, schema in item["properties"].items():
        field = Field(
            name, _kind(schema), _limits(schema, optional=name not in required), schema.get("description", "")
        )
        inner = schema["items"] if schema["type"] == "array" else schema
        sentences.append(f"{name}, that's {_article(field.kind)}" + _chat_tail(field))
        if inner["type"] == "object":
            nested += _chat_sentences(inner, f"each entry of {name}" if schema["type"] == "array" else name)
    place = f"inside {inside} there's " if inside else ""
    return [place + "; ".join(sentences) + ".", *nested]


def _chat_tail(field: Field) -> str:
    tail = f" ({field.limits})" if field.limits else ""
    return tail + (f" - {field.remark[0].lower()}{field.remark[1:]}" if field.remark else "")


def _article(kind: str) -> str:
    return f"{'an' if kind[0] in 'aeio' else 'a'} {kind}"


def _sentence(field: Field) -> str:
    return field.kind + (f", {field.limits}" if field.limits else "") + (f". {field.remark}." if field.remark else "")


def _kind(schema: Schema) -> str:
    if schema["type"] != "array":
        return str(schema["type"])
    return f"list of {schema['items']['type']}s"


def _limits(schema: Schema, *, optional: bool) -> str:
    parts = []
    if "enum" in schema:
        parts.append("one of: " + ", ".join(str(value) for value in schema["enum"]))
    if "minimum" in schema:
        parts.append(f"from {schema['minimum']} to {schema['maximum']}")
    if schema["type"] == "array":
        parts.append(times(schema["minItems"], schema["maxItems"], "element"))
    if optional:
        parts.append("optional")
    return "; ".join(parts)


def _hint(schema: Schema, *, optional: bool = False) -> str:
    limits = _limits(schema, optional=optional)
    return f"<{schema['type']}; {limits}>" if limits else f"<{schema['type']}>"


def _remark(schema: Schema, mark: str) -> str:
    return f"  {mark} {schema['description']}" if "description" in schema else ""


def _json_skeleton(item: Schema) -> list[str]:
    lines: list[str] = []
    required = item.get("required", [])
    last = list(item["properties"])[-1]
    for name, schema in item["properties"].items():
        optional, comma = name not in required, "" if name == last else ","
        if schema["type"] == "object":
            head, *body, foot = _json_skeleton(schema)
            lines += [f'"{name}": {head}', *body, foot + comma]
        elif schema["type"] == "array":
            inner = schema["items"]
            one = _json_skeleton(inner) if inner["type"] == "object" else [_hint(inner) + _remark(inner, "//")]
            lines += [f'"{name}": [  // {_limits(schema, optional=optional)}', *_indented(one), "]" + comma]
        else:
            lines.append(f'"{name}": {_hint(schema, optional=optional)}{comma}{_remark(schema, "//")}')
    return ["{", *_indented(lines), "}"]


def _yaml_skeleton(item: Schema) -> list[str]:
    lines = []
    required = item.get("required", [])
    for name, schema in item["properties"].items():
        optional = name not in required
        if schema["type"] == "object":
            lines += [f"{name}:", *_indented(_yaml_skeleton(schema))]
        elif schema["type"] == "array":
            lines.append(f"{name}:")
            lines += _yaml_skeleton_item(schema["items"], "  ", _limits(schema, optional=optional))
        else:
            lines.append(f"{name}: {_hint(schema, optional=optional)}{_remark(schema, '#')}")
    return lines


def _yaml_skeleton_item(item: Schema, indent: str, comment: str) -> list[str]:
    lines = _yaml_skeleton(item) if item["type"] == "object" else [_hint(item) + _remark(item, "#")]
    return [f"{indent}# {comment}", f"{indent}- {lines[0]}", *(f"{indent}  {line}" for line in lines[1:])]


def _indented(lines: list[str]) -> list[str]:
    return [f"  {line}" for line in lines]


STYLES: dict[str, Style] = {
    "chat": chat,
    "bullets": bullets,
    "json_schema": json_schema,
    "annotated_example": annotated_example,
    "path_list": path_list,
    "table": table,
}
