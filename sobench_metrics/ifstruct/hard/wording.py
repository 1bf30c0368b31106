"""Every rule of a row in words: constraints of the schema, conditions, content rules, the form of the answer."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sobench_metrics.ifstruct.hard.nodes import Schema

__all__ = ["condition_words", "constraint_words", "path_words", "rule_words", "type_words"]

_WORD: Final = re.compile(r"(?!(?:no|on|null)$)[A-Za-z_]\w*", re.ASCII)
_FORMATS: Final = {
    "date": "a date as YYYY-MM-DD (RFC 3339)",
    "date-time": "a date-time with offset or Z (RFC 3339)",
    "time": "a time with seconds and offset or Z (RFC 3339)",
    "duration": "a duration in whole numbers, such as P3DT4H (ISO 8601)",
    "email": "an e-mail address in ASCII",
    "hostname": "a host name (RFC 1123)",
    "ipv4": "an IPv4 address",
    "ipv6": "an IPv6 address",
    "uri": "a URI with its scheme (RFC 3986)",
    "uuid": "a UUID with hyphens",
}


def path_words(*parts: str) -> str:
    """Return a path as prompts write it: names joined by dots, `[]` for each item, odd names as JSON strings."""
    written = ""
    for part in parts:
        name = part if part == "[]" or _WORD.fullmatch(part) else json.dumps(part, ensure_ascii=False)
        written += name if part == "[]" or not written else f".{name}"
    return written or "the list"


def type_words(schema: Schema) -> str:
    """Return the type of a field in words."""
    if schema["type"] != "array":
        return str(schema["type"])
    return f"array of {'objects' if schema['items']['type'] == 'object' else schema['items']['type'] + ' values'}"


def constraint_words(schema: Schema) -> str:
    """Return all limits of a field but those of its own fields or items' fields, "" when there are none."""
    words = [
        *_value_words(schema),
        *(f"each {phrase}" for phrase in _value_words(schema.get("items", {}))),
        *_list_words(schema),
    ]
    return "; ".join(words)


def _value_words(schema: Mapping[str, Any]) -> list[str]:
    words = []
    if "enum" in schema:
        words.append(f"one of {', '.join(json.dumps(value, ensure_ascii=False) for value in schema['enum'])}")
    if "minimum" in schema:
        words.append(f"from {schema['minimum']} to {schema['maximum']}")
    if "multipleOf" in schema:
        words.append(f"a multiple of {schema['multipleOf']}")
    if "minLength" in schema:
        words.append(f"{schema['minLength']} to {schema['maxLength']} characters long")
    if "pattern" in schema:
        words.append(f"matches the regular expression {json.dumps(schema['pattern'])}")
    if "format" in schema:
        words.append(_FORMATS[schema["format"]])
    return words


def _list_words(schema: Schema) -> list[str]:
    words = []
    if "minItems" in schema:
        low, high = schema["minItems"], schema["maxItems"]
        words.append(f"exactly {low} items" if low == high else f"{low} to {high} items")
    if schema.get("uniqueItems"):
        words.append("no value twice")
    return words


def condition_words(conditional: Schema, where: list[str]) -> str:
    """Return an if-then-else of a record in words."""
    ((when, given),) = conditional["if"]["properties"].items()
    (then,) = conditional["then"]["required"]
    value = json.dumps(given["const"])
    return (
        f"{path_words(*where, then)} must be there where {path_words(*where, when)} is {value}, "
        "and must be left out everywhere else."
    )


def rule_words(rule: Mapping[str, Any]) -> str:
    """Return a content rule as a sentence."""
    where = _parts(rule["path"])
    return _RULES[rule["rule"]](rule, where)


def _parts(path: str) -> list[str]:
    return ["[]" if part == "*" else part.replace("~1", "/").replace("~0", "~") for part in path.split("/")[1:]]


def _below(path: str) -> str:
    return path_words(*_parts(path))


def _each(at: list[str]) -> str:
    return "each item of the list" if at == ["[]"] else f"each {path_words(*at)}"


def _quoted(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


_RULES: Final[dict[str, Callable[[Mapping[str, Any], list[str]], str]]] = {
    "lines": lambda rule, at: (
        f"{path_words(*at)} has exactly {rule['exactly']} lines, separated by line breaks (empty lines count)."
    ),
    "words": lambda rule, at: (
        f"{path_words(*at)} has {rule['least']} to {rule['most']} words, with white space between them."
    ),
    "quotes": lambda rule, at: (
        f"{path_words(*at)} has at least {rule['least']} straight double quotation marks (U+0022)."
    ),
    "phrase": lambda rule, at: (
        f"{path_words(*at)} contains, character by character, the text of this JSON string: {_quoted(rule['text'])}."
    ),
    "absent": lambda rule, at: (
        f"{path_words(*at)} nowhere contains the letters {_quoted(rule['text'])}, in capital or small letters, "
        "not even inside a longer word."
    ),
    "key_order": lambda rule, at: (
        f"the keys of {path_words(*at)} stand in exactly this order: {', '.join(map(_quoted, rule['keys']))}."
    ),
    "ascending": lambda rule, at: f"the items of {_each(at)} are sorted by {path_words(rule['by'])}, smallest first.",
    "descending": lambda rule, at: f"the items of {_each(at)} are sorted by {path_words(rule['by'])}, largest first.",
    "distinct": lambda rule, at: f"inside {_each(at)} no two items have the same {path_words(rule['by'])}.",
    "total": lambda rule, at: f"in {_each(at)}, {path_words(rule['field'])} is the sum of its {_below(rule['over'])}.",
    "count": lambda rule, at: (
        f"in {_each(at)}, {path_words(rule['field'])} is the number of items in its {_below(rule['over'])}."
    ),
    "reference": lambda rule, at: (
        f"in {_each(at)}, {path_words(rule['field'])} repeats one of its {_below(rule['among'])}."
    ),
}
