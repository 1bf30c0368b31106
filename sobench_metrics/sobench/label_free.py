"""The official comparison without labels: every field counts, exactly (reference rule B3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sobench_metrics.json_schema.stack import run_nested
from sobench_metrics.sobench.counts import FieldCounts, Tally
from sobench_metrics.sobench.text_rules import equal_texts, is_number, numbers_match

if TYPE_CHECKING:
    from collections.abc import Generator

__all__ = ["compare_exactly"]


def compare_exactly(answer: Any, target: Any) -> FieldCounts | None:
    """Return the label-free counts, or None where the reference fails on an integer beyond the range of floats."""
    tally = Tally()
    try:
        run_nested(_compare(answer, target, tally))
    except OverflowError:
        return None
    return tally.official()


def _compare(answer: Any, target: Any, tally: Tally) -> Generator[Any, Any, bool]:
    tally.total += 1
    if isinstance(target, dict) and isinstance(answer, dict):
        matched = 0
        for key, value in target.items():
            if key in answer:
                matched += yield _compare(answer[key], value, tally)
        tally.dicts += matched == len(target) > 0
        return matched > 0
    if isinstance(target, list) and isinstance(answer, list):
        if len(answer) != len(target):
            return False
        matched = 0
        for part, value in zip(answer, target, strict=True):
            matched += yield _compare(part, value, tally)
        tally.lists += matched == len(target)
        return matched == len(target)
    return _compare_leaf(answer, target, tally)


def _compare_leaf(answer: Any, target: Any, tally: Tally) -> bool:
    if is_number(answer) and is_number(target):
        match = numbers_match(answer, target, fuzzy=False)
        tally.numbers += match
        return match
    match = (answer is None and target is None) or (
        isinstance(answer, str) and isinstance(target, str) and equal_texts(answer, target)
    )
    tally.strings += match
    return match
