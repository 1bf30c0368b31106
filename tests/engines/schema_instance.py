"""A small value that satisfies a JSON Schema, for a server that must answer without a model.

Only the common keywords are served; what the tests send is written with that in
mind.  The walk is the same every time, so a schema has one instance.
"""

from __future__ import annotations

import json
from typing import Any

_FORMATS = {
    "date": "2025-06-01",
    "date-time": "2025-06-01T08:30:00Z",
    "time": "08:30:00Z",
    "email": "someone@example.org",
    "uri": "https://example.org/page",
    "uuid": "123e4567-e89b-12d3-a456-426614174000",
    "hostname": "example.org",
    "ipv4": "198.51.100.7",
}
_DEEPEST = 24


def instance_of(schema: Any) -> Any:
    """One instance of the schema."""
    return _Walk(schema).value(schema, 0)


class _Walk:
    def __init__(self, root: Any) -> None:
        self.root = root

    def value(self, node: Any, depth: int) -> Any:
        if not isinstance(node, dict) or depth > _DEEPEST:
            return None
        node = self.flattened(node)
        if "const" in node:
            return node["const"]
        if node.get("enum"):
            return node["enum"][0]
        kind = self.kind(node)
        make = getattr(self, f"make_{kind}", None)
        return make(node, depth) if make else None

    def flattened(self, node: dict[str, Any]) -> dict[str, Any]:
        """The node with its reference followed, `allOf` merged and the first alternative taken."""
        for _ in range(_DEEPEST):
            if "$ref" in node:
                rest = {key: value for key, value in node.items() if key != "$ref"}
                node = {**self.target(node["$ref"]), **rest}
            elif group := next((word for word in ("allOf", "anyOf", "oneOf") if node.get(word)), None):
                parts = node[group] if group == "allOf" else node[group][:1]
                node = {key: value for key, value in node.items() if key != group}
                for part in parts:
                    node = self.merged(node, self.flattened(part) if isinstance(part, dict) else {})
            else:
                break
        return node

    @staticmethod
    def merged(left: dict[str, Any], right: dict[str, Any]) -> dict[str, Any]:
        both = {**left, **right}
        if "properties" in left and "properties" in right:
            both["properties"] = {**left["properties"], **right["properties"]}
        if "required" in left and "required" in right:
            both["required"] = list(dict.fromkeys([*left["required"], *right["required"]]))
        return both

    def target(self, reference: str) -> dict[str, Any]:
        node = self.root
        for step in reference.removeprefix("#").split("/")[1:]:
            step = step.replace("~1", "/").replace("~0", "~")  # noqa: PLW2901  the pointer's own escapes
            node = node[int(step)] if isinstance(node, list) else node[step]
        return node if isinstance(node, dict) else {}

    @staticmethod
    def kind(node: dict[str, Any]) -> str:
        named = node.get("type")
        if isinstance(named, list):
            return next((one for one in named if one != "null"), "null")
        if named:
            return str(named)
        return "object" if "properties" in node else "array" if "items" in node else "string"

    def make_object(self, node: dict[str, Any], depth: int) -> dict[str, Any]:
        fields = node.get("properties", {})
        names = dict.fromkeys([*fields, *node.get("required", [])])
        return {name: self.value(fields.get(name, {"type": "string"}), depth + 1) for name in names}

    def make_array(self, node: dict[str, Any], depth: int) -> list[Any]:
        count = min(max(node.get("minItems", 0), 1), node.get("maxItems", 10**6))
        item = node.get("items", {"type": "string"})
        if node.get("uniqueItems") and isinstance(item, dict) and item.get("enum"):
            return list(item["enum"][:count])
        return [self.value(item, depth + 1) for _ in range(count)]

    @staticmethod
    def make_integer(node: dict[str, Any], _depth: int) -> int:
        step = int(node.get("multipleOf", 1))
        lowest = node.get("minimum", node.get("exclusiveMinimum", -1) + 1)
        value = -(-int(lowest) // step) * step
        highest = node.get("maximum", node.get("exclusiveMaximum", value + 1) - 1)
        return value if value <= highest else int(highest) // step * step

    def make_number(self, node: dict[str, Any], depth: int) -> float:
        if "multipleOf" in node:
            return self.make_integer({**node, "multipleOf": max(1, node["multipleOf"])}, depth)
        low, high = node.get("minimum", node.get("exclusiveMinimum")), node.get("maximum", node.get("exclusiveMaximum"))
        if low is not None and high is not None:
            return (low + high) / 2
        return 0.5 if low is None and high is None else low + 0.5 if high is None else high - 0.5

    @staticmethod
    def make_string(node: dict[str, Any], _depth: int) -> str:
        text = _FORMATS.get(node.get("format", ""), "words")
        text = text.ljust(node.get("minLength", 0), "s")
        return text[: node.get("maxLength", len(text))]

    @staticmethod
    def make_boolean(_node: dict[str, Any], _depth: int) -> bool:
        return True


def schema_in(text: str) -> Any:
    """The longest JSON object in a text that reads like a schema, or None."""
    decoder, best, longest, position = json.JSONDecoder(), None, 0, 0
    while (position := text.find("{", position)) >= 0:
        try:
            value, end = decoder.raw_decode(text, position)
        except ValueError:
            position += 1
            continue
        if end - position > longest and {"type", "properties", "$ref", "anyOf", "allOf"} & value.keys():
            best, longest = value, end - position
        position = end
    return best
