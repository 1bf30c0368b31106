"""Unquoted YAML scalars that silently change type, in the reference's reader or in others."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from sobench_metrics.findings import Finding
from sobench_metrics.ifstruct.strict.yaml_nodes import plain_scalars
from sobench_metrics.ifstruct.walk import path_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sobench_metrics.ifstruct.strict.answer import Answer

__all__ = ["ambiguous_scalars", "retyped_scalars"]

_TAG: Final = "tag:yaml.org,2002:"
# YAML 1.2, core schema (chapter 10.3.2).
_CORE: Final = (
    ("null", re.compile(r"null|Null|NULL|~")),
    ("bool", re.compile(r"true|True|TRUE|false|False|FALSE")),
    ("int", re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")),
    ("float", re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")),
)
_OCTAL: Final = re.compile(r"[-+]?0[0-7_]+")  # in YAML 1.1; decimal in YAML 1.2
_LOOKED_AT: Final = frozenset(("string", "integer", "number", "boolean"))
_NUMBERS: Final = {"integer": ("int",), "number": ("int", "float")}


def retyped_scalars(answer: Answer) -> Iterator[Finding]:
    """Yield "strict.yaml_retyped" where the reference's reader finds another type than the schema wants.

    That is text without quotes that is none (10:00, no, 1.10, as a value or as a key), and a number that YAML 1.2 knows
    and this reader takes for text (1e3, 0o17). Such an answer has failed already; the finding says why.
    """
    for node, place, wanted, schema in plain_scalars(answer):
        read_as = node.tag.removeprefix(_TAG)
        if message := _retyped(node.value, read_as, wanted, schema):
            yield Finding("strict.yaml_retyped", path_of(place), message)


def _retyped(text: str, read_as: str, wanted: object, schema: Mapping[str, Any]) -> str:
    if wanted == "string" and read_as != "str" and not (read_as == "null" and "null" in schema["type"]):
        return f"`{text:.60}` without quotes is read as {read_as}, the schema wants text"
    if wanted in ("integer", "number") and read_as == "str" and (kind := _core_kind(text)) in _NUMBERS[str(wanted)]:
        return f"`{text:.60}` is read as text here and as {kind} in YAML 1.2, the schema wants a number"
    return ""


def ambiguous_scalars(answer: Answer) -> Iterator[Finding]:
    """Yield "strict.yaml_ambiguous" where the reference's reader finds the wanted type and another reader does not.

    The other readers are YAML 1.2 (1e3, 0o7 and 09 are numbers, yes and 1_000 text, 010 is ten) and YAML 1.1 with its
    dates, which the reference's switches off.
    """
    for node, place, wanted, _ in plain_scalars(answer):
        if wanted in _LOOKED_AT and (node.tag == _TAG + "str") is (wanted == "string"):
            ours = node.tag.removeprefix(_TAG)
            if ours != "null" and (others := _other_readings(node.value, ours)):
                message = f"`{node.value:.60}` without quotes is {ours} here and {others[0]}"
                yield Finding("strict.yaml_ambiguous", path_of(place), message)


def _other_readings(text: str, ours: str) -> list[str]:
    found = []
    if (core := _core_kind(text)) != ours and not {core, ours} <= {"int", "float"}:
        found.append(f"{core} in YAML 1.2")
    if ours == "int" and core == "int" and _OCTAL.fullmatch(text):
        found.append("another number in YAML 1.2")
    if (full := _full_kind(text, ours)) != ours:
        found.append(f"{full} in YAML 1.1")
    return found


def _core_kind(text: str) -> str:
    return next((kind for kind, pattern in _CORE if pattern.fullmatch(text)), "str")


def _full_kind(text: str, ours: str) -> str:
    import yaml

    for tag, pattern in yaml.SafeLoader.yaml_implicit_resolvers.get(text[0], ()):
        if tag == _TAG + "timestamp" and pattern.match(text):
            return "timestamp"
    return ours
