"""Short texts for values, whatever their size: what a cell of the diff shows."""

from __future__ import annotations

import json
from typing import Any, Final

__all__ = ["PREVIEW", "at", "clipped", "pretty", "preview"]

PREVIEW: Final = 160
"""Characters of a value that a cell shows; the raw text below has it whole."""

_LONG_INTEGER: Final = 256  # bits; Python refuses to print the longest ones


def preview(value: Any) -> str:
    """Return one line for a decoded value, in time that does not depend on its size."""
    if isinstance(value, str):
        cut = value if len(value) <= PREVIEW else value[:PREVIEW] + "…"
        return json.dumps(cut, ensure_ascii=False)
    if isinstance(value, dict):
        return f"{{{len(value):,}}}"
    if isinstance(value, list):
        return f"[{len(value):,}]"
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() > _LONG_INTEGER:
        return f"an integer of {value.bit_length():,} bits"
    if value is None or isinstance(value, (bool, int, float)):
        return json.dumps(value)
    return repr(value)[:PREVIEW]  # a date of YAML


def at(value: Any, path: str) -> tuple[Any, ...]:
    """Return the part of a decoded JSON value that a JSON Pointer names, in a tuple; () where there is none."""
    for step in path.split("/")[1:]:
        key = step.replace("~1", "/").replace("~0", "~")
        if isinstance(value, dict) and key in value:
            value = value[key]
        elif isinstance(value, list) and key.isdecimal() and len(key) < 10 and int(key) < len(value):
            value = value[int(key)]
        else:
            return ()
    return (value,)


def pretty(text: Any) -> str:
    """Return JSON, text or decoded, over several lines; what is no JSON as it is."""
    try:
        value = json.loads(text) if isinstance(text, str) else text
        return json.dumps(value, indent=2, ensure_ascii=False)
    except (ValueError, TypeError, RecursionError):
        return str(text) if isinstance(text, str) else ""


def clipped(text: str, most: int) -> tuple[str, int]:
    """Return the beginning of a text and how many characters were left out."""
    return text[:most], max(0, len(text) - most)
