"""Content rules: one small function each, run at every place that the rule's path names.

A function gets the value and the rule's arguments and returns what is wrong in words, or None. A value of the wrong
type is no matter of these rules: the schema walk has told it.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from sobench_metrics.findings import Finding
from sobench_metrics.ifstruct.strict import content_links, content_order, content_texts
from sobench_metrics.ifstruct.strict.places import at
from sobench_metrics.ifstruct.walk import path_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from sobench_metrics.ifstruct.strict.answer import Answer

__all__ = ["CONTENT_CHECKS", "content_findings"]

MAX_WORK: Final = 2_000_000
"""Values of the data, aliases expanded, times rules of the row: some two seconds. Twenty rules and two thousand values
are usual."""

MAX_PLACES: Final = 20_000
"""Places that one rule looks at."""

_CHARS_OF_A_VALUE: Final = 100

MAX_PER_CONTENT_RULE: Final = 20
"""Findings of one rule of a row, so that a rule broken in every item leaves room for the others."""

CONTENT_CHECKS: Final[Mapping[str, Callable[[Any, Mapping[str, Any]], str | None]]] = {
    "lines": content_texts.lines,
    "words": content_texts.words,
    "quotes": content_texts.quotes,
    "phrase": content_texts.phrase,
    "absent": content_texts.absent,
    "key_order": content_order.key_order,
    "ascending": content_order.ascending,
    "descending": content_order.descending,
    "distinct": content_order.distinct,
    "total": content_links.total,
    "count": content_links.count,
    "reference": content_links.reference,
}
"""By the rule's name; the code of a finding is "strict.content." and the name."""


def content_findings(answer: Answer) -> Iterator[Finding]:
    """Yield what breaks the row's content rules, rule by rule."""
    rules = answer.spec.content_rules
    if rules and _is_larger(answer.payload.data, MAX_WORK // len(rules)):
        yield Finding(
            "strict.skipped", "", f"{len(rules)} content rules not checked: too many values, or too long ones"
        )
        return
    for rule in rules:
        check = CONTENT_CHECKS[rule.rule]
        places = at(answer.payload.data, rule.path, answer.place)
        told = 0
        for value, place in islice(places, MAX_PLACES):
            if told < MAX_PER_CONTENT_RULE and (wrong := check(value, rule.arguments)):
                told += 1
                yield Finding(f"strict.content.{rule.rule}", path_of(place), wrong)
        if next(places, None) is not None:
            yield Finding("strict.skipped", "", f"rule '{rule.rule}' not checked beyond {MAX_PLACES} places")


def _is_larger(data: Any, most: int) -> bool:
    """Return whether the data holds more values than `most`; those behind aliases, and long texts, count repeatedly."""
    found, pending = 1, [data]
    while pending and found <= most:
        value = pending.pop()
        if isinstance(value, str):
            found += len(value) // _CHARS_OF_A_VALUE
        elif isinstance(value, dict | list):
            found += len(value)
            pending += value.values() if isinstance(value, dict) else value
    return found > most
