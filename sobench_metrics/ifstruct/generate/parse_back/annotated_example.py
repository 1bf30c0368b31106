"""Read an annotated skeleton back, JSON or YAML, by its indentation."""

from __future__ import annotations

import re
from dataclasses import dataclass

from sobench_metrics.ifstruct.generate.field_lines import item_of
from sobench_metrics.ifstruct.generate.parse_back.read_back import ReadBack
from sobench_metrics.ifstruct.generate.phrases import kind_of, read_amount, read_field

__all__ = ["read_annotated_example"]

_OPENING = re.compile(r"\[  // (?P<amount>.*)|# (?P<yaml_amount>.*)")
_WRAPPED = re.compile(r'  "(?P<key>\w+)": \[  // (?P<amount>.*)|(?P<yaml_key>\w+):  # (?P<yaml_amount>.*)')
_FIELD = re.compile(
    r'(?P<indent> *)(?P<dash>- )?"?(?P<name>\w+)"?:(?: (?P<value>\S.*?))?,?(?:  (?://|#) (?P<comment>.*))?'
)


@dataclass(frozen=True, slots=True)
class _Line:
    indent: int
    name: str
    value: str
    comment: str


def read_annotated_example(prompt: str) -> ReadBack:
    """Return what the skeleton in the prompt says; ValueError when there is none or a line cannot be read."""
    lines = prompt.split("\n")
    for number, line in enumerate(lines):
        head = _OPENING.fullmatch(line) or _WRAPPED.fullmatch(line)
        if head is None:
            continue
        said = head.groupdict()
        try:
            count = read_amount(said["amount"] or said.get("yaml_amount") or "")
        except ValueError:
            continue
        key = said.get("key") or said.get("yaml_key")
        return ReadBack(item_of(_fields(_block(lines[number + 1 :]))), whole=True, count=count, key=key)
    raise ValueError("no skeleton was found")


def _block(lines: list[str]) -> list[_Line]:
    """Return the skeleton's lines that name a field, up to the blank line or closing sign at its end."""
    found = []
    for line in lines:
        if not line.strip() or line.startswith(("]", "}", "```")):
            break
        if match := _FIELD.fullmatch(line):
            indent = len(match["indent"]) + len(match["dash"] or "")
            found.append(_Line(indent, match["name"], match["value"] or "", match["comment"] or ""))
        elif line.strip().rstrip(",") not in ("{", "}", "[", "]"):
            raise ValueError(f"'{line}' cannot be read")
    return found


def _fields(lines: list[_Line]) -> list[tuple[str, dict[str, object]]]:
    """Return paths and schemas; what is indented deeper stands in the container above it."""
    open_: list[tuple[int, str]] = []
    found: list[tuple[str, dict[str, object]]] = []
    for line in lines:
        while open_ and open_[-1][0] >= line.indent:
            open_.pop()
        schema = _schema(line)
        path = (open_[-1][1] if open_ else "") + line.name
        found.append((path, schema))
        if schema["type"] == "object" or (schema["type"] == "array" and line.value in ("", "[")):
            open_.append((line.indent, path + ("[]." if schema["type"] == "array" else ".")))
    return found


def _schema(line: _Line) -> dict[str, object]:
    comment, _, remark = f"; {line.comment}".partition("; note: ")
    said = [part for part in comment.split("; ") if part]
    value = line.value.strip()
    if value.startswith("<") and value.endswith(">"):
        kind, *limits = value[1:-1].split("; ")
    elif kind_of(value):
        kind, limits = value, said
    else:
        kind, *limits = said or [""]
    return read_field(kind, limits, remark)
