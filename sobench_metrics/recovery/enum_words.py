"""Words of an enumeration in another rendering: letter case, emphasis, typographic quotes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sobench_metrics.ifstruct.leaves import effective_type
from sobench_metrics.json_schema.stack import run_nested
from sobench_metrics.recovery.plain_text import plainer

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping

__all__ = ["usual_enum_words"]


def usual_enum_words(data: Any, schema: Mapping[str, Any]) -> tuple[Any, tuple[str, ...]]:
    """Return the data with each text that renders exactly one allowed word replaced by it, and the steps."""
    steps: dict[str, None] = {}
    return run_nested(_walk(data, schema, steps)), tuple(steps)


def _walk(data: Any, schema: Mapping[str, Any], steps: dict[str, None]) -> Generator[Any, Any, Any]:
    kind = effective_type(schema)
    if kind == "array" and isinstance(data, list) and schema.get("items"):
        items = []
        for item in data:
            items.append((yield _walk(item, schema["items"], steps)))  # noqa: PERF401  # the rule cannot see `yield`
        return items
    if kind == "object" and isinstance(data, dict):
        properties: Mapping[str, Any] = schema.get("properties") or {}
        result = dict(data)
        for name in data:
            if name in properties:
                result[name] = yield _walk(data[name], properties[name], steps)
        return result
    allowed = schema.get("enum")
    if isinstance(data, str) and allowed is not None and data not in allowed:
        return _word(data, [word for word in allowed if isinstance(word, str)], steps)
    return data


def _word(text: str, allowed: list[str], steps: dict[str, None]) -> str:
    meant: dict[str, tuple[str, ...]] = {}
    for word in allowed:
        for one, two, codes in plainer(text, word):
            if one.strip() == two.strip():
                meant.setdefault(word, codes)
            elif one.strip().casefold() == two.strip().casefold():
                meant.setdefault(word, (*codes, "value.case"))
    if len(meant) != 1:
        return text
    ((word, codes),) = meant.items()
    steps.update(dict.fromkeys(codes))
    return word
