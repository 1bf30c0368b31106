"""Keywords that the reference's walk ignores, each under the rule it belongs to; `jsonschema` decides."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from sobench_metrics.findings import Finding, pointer
from sobench_metrics.ifstruct.ignored_keywords import ignored_by_reference

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sobench_metrics.ifstruct.strict.answer import Answer

__all__ = ["KEYWORD_RULES", "KeywordRule", "ignored_keywords"]

MAX_SECONDS: Final = 2.0
"""For all rules on one answer; a usual one takes a millisecond."""

MAX_PER_RULE: Final = 100
"""Violations of one rule."""


@dataclass(frozen=True, slots=True)
class KeywordRule:
    """Keywords that are one matter, and the code of their findings."""

    code: str
    keywords: frozenset[str]


KEYWORD_RULES: Final = (
    KeywordRule("strict.pattern", frozenset(("pattern",))),
    KeywordRule("strict.format", frozenset(("format",))),
    KeywordRule("strict.length", frozenset(("minLength", "maxLength"))),
    KeywordRule("strict.number", frozenset(("exclusiveMinimum", "exclusiveMaximum"))),
    KeywordRule("strict.unique", frozenset(("uniqueItems",))),
    KeywordRule("strict.value", frozenset(("const", "enum"))),
    KeywordRule(
        "strict.condition",
        frozenset((
            "if", "then", "else", "dependentRequired", "dependentSchemas", "dependencies",
            "allOf", "anyOf", "oneOf", "not",
        )),
    ),
)  # fmt: skip
_REST: Final = "strict.schema"
_CLAIMED: Final = frozenset((*(keyword for rule in KEYWORD_RULES for keyword in rule.keywords), "multipleOf"))
"""Keywords that have a rule; `multiples` has the last of them."""

_DOLLARS: Final = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\$", re.DOTALL)  # escapes and sets are passed over
_FOR_ALL: Final = ("$schema", "$defs", "definitions", "$id", "$anchor")


def ignored_keywords(answer: Answer) -> Iterator[Finding]:
    """Yield the violations rule by rule; "strict.schema" stands for keywords that have no rule of their own."""
    left = ignored_by_reference(answer.spec.json_schema)
    if not left:
        return  # the usual case, and jsonschema need not be loaded
    from sobench_metrics import json_schema
    from sobench_metrics.ifstruct.strict.formats import format_checker

    deadline = time.monotonic() + MAX_SECONDS
    prefix = pointer(answer.payload.wrapper)
    for rule in (*KEYWORD_RULES, None):
        if part := _part(left, rule):
            found = json_schema.errors(
                answer.payload.data,
                part,
                format_checker=format_checker(),
                limit=MAX_PER_RULE,
                time_limit=max(0.0, deadline - time.monotonic()),
            )
            for each in found:
                violated = each.code == "schema.violation"
                code = (rule.code if rule else _REST) if violated else "strict.skipped"
                yield Finding(code, prefix + each.path, each.message.replace(r"$(?!\\n)", "$"))


def _part(left: Mapping[str, Any], rule: KeywordRule | None) -> dict[str, Any]:
    """Return what a rule looks at of a schema, None for all that no rule claims; empty when there is nothing.

    `properties` and `items` lead on to what stands below; what stands below any other keyword stays whole.
    """
    part = _kept(left, rule)
    if not part:
        return {}
    return {**{name: left[name] for name in _FOR_ALL if name in left}, **part}


def _kept(node: Mapping[str, Any], rule: KeywordRule | None) -> dict[str, Any]:
    if any(keyword.startswith("unevaluated") for keyword in node):  # it needs its neighbours: they stay together
        return {} if rule else dict(node)
    kept = {
        keyword: _to_the_end(value) if keyword == "pattern" else value
        for keyword, value in node.items()
        if keyword not in ("properties", "items", *_FOR_ALL) and _belongs(keyword, rule)
    }
    if isinstance(node.get("items"), dict) and (items := _kept(node["items"], rule)):
        kept["items"] = items
    below = {name: _kept(child, rule) for name, child in (node.get("properties") or {}).items()}
    if properties := {name: child for name, child in below.items() if child}:
        kept["properties"] = properties
    return kept


def _belongs(keyword: str, rule: KeywordRule | None) -> bool:
    return keyword in rule.keywords if rule else keyword not in _CLAIMED


def _to_the_end(pattern: Any) -> Any:
    r"""Return a pattern whose `$` means the end, as JSON Schema has it, and not the place before a last \n.

    YAML's block texts end so: `code: |` and a line below it gives a text that no `^[A-Z]+$` should match.
    """
    if not isinstance(pattern, str):
        return pattern
    return _DOLLARS.sub(lambda found: r"$(?!\n)" if found[0] == "$" else found[0], pattern)
