"""Cheap guards against answers that keep the structure and say nothing: the least that a structural reward needs.

They see emptiness and repetition, not truth; for truth, give `with_quality` a signal of your own.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from itertools import islice
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final

from sobench_metrics.constrained.value_signs import PLACEHOLDERS
from sobench_metrics.ifstruct.validation import validate
from sobench_metrics.json_schema.stack import is_deeper_than
from sobench_metrics.response import remove_reasoning
from sobench_metrics.rewards.ifstruct_judges import spec_of
from sobench_metrics.rewards.quality import floor_under, lowered
from sobench_metrics.sobench.extraction import extract

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sobench_metrics.rewards.judge import Judge
    from sobench_metrics.rewards.reward import Reward

__all__ = ["Guarded", "plain_guards", "with_guards"]

_MAX_VALUES: Final = 20_000
_DEEPEST: Final = 200
_TOLD_APART: Final = 200
_FEW_TEXTS: Final = 4
"""Below this number of free texts, equal ones are no sign: two people may share a town."""


@dataclass(frozen=True, slots=True)
class Guarded:
    """A judge whose positive rewards are lowered by `plain_guards`; it runs wherever the judge runs."""

    judge: Judge
    weight: float

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the judge."""
        return self.judge.columns

    def __call__(self, text: str | None, row: Mapping[str, Any]) -> float:
        """Return the judge's reward after the guards; raises what the judge raises."""
        return lowered(self.judge(text, row), plain_guards, self.weight, text, row)


def with_guards(reward: Reward, *, weight: float = 0.3) -> Reward:
    """Return the reward lowered by `plain_guards` (by the rule of `with_quality`), where its judge runs.

    Raises UsageError for a weight out of bounds.
    """
    return replace(reward, judge=Guarded(reward.judge, weight), floor=floor_under(reward.floor, weight))


def plain_guards(text: str | None, row: Mapping[str, Any]) -> float:
    """Return in [0, 1] how far an answer is from saying nothing, 1.0 for no sign; never raises on a text.

    The least of three shares: free texts that are neither empty nor a placeholder nor their own field's name; items of
    lists of objects that differ from each one before them; distinct free texts (counted double, from four texts on).
    A text that the schema lists itself (`enum`, `const`) or that the target holds is never a sign. An answer without
    readable data has 0.0, one without free texts and lists 1.0. At most 20,000 values are looked at.
    """
    value, known = _ifstruct_data(text, row) if row.get("json_schema") is not None else _sobench_data(text, row)
    if value is None or is_deeper_than(value, _DEEPEST):
        return 0.0
    free = [(name, held) for name, held in _texts(value) if held not in known]
    shares = [_said(free), _distinct_items(value), _distinct_texts(free)]
    return min(shares)


def _ifstruct_data(text: str | None, row: Mapping[str, Any]) -> tuple[Any, frozenset[str]]:
    spec = spec_of(row)
    payload = validate(text, spec).payload
    return (payload.data if payload else None), _listed(spec.json_schema)


def _sobench_data(text: str | None, row: Mapping[str, Any]) -> tuple[Any, frozenset[str]]:
    answer = extract(None if text is None else remove_reasoning(text).text)
    listed = _listed(_decoded(row["schema_json"])) | {held for _, held in _texts(_decoded(row["target_json"]))}
    return (None if answer.finding else answer.value), listed


def _decoded(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return None


def _said(free: list[tuple[str | None, str]]) -> float:
    if not free:
        return 1.0
    empty = sum(_says_nothing(name, text) for name, text in free)
    return 1 - empty / len(free)


def _says_nothing(name: str | None, text: str) -> bool:
    plain = text.strip().lower()
    return not plain or plain in PLACEHOLDERS or (name is not None and _letters(plain) == _letters(name.lower()))


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))


def _distinct_items(value: Any) -> float:
    """Return the share of objects in lists that differ from each one before them in their list."""
    items = differing = 0
    for _, held in _values(value):
        if isinstance(held, list):
            objects = [_fingerprint(item) for item in held if isinstance(item, dict)]
            items += len(objects)
            differing += len(set(objects))
    return differing / items if items else 1.0


def _fingerprint(item: dict[Any, Any]) -> tuple[object, ...]:
    """Return what tells one item from another: its first values. Written out whole, shared YAML parts could explode."""
    return tuple(
        (name, type(held).__name__ if isinstance(held, (dict, list)) else repr(held)[:_TOLD_APART])
        for name, held in islice(_values(item), _TOLD_APART)
    )


def _distinct_texts(free: list[tuple[str | None, str]]) -> float:
    if len(free) < _FEW_TEXTS:
        return 1.0
    return min(1.0, 2 * len({text.strip().lower() for _, text in free}) / len(free))


def _texts(value: Any) -> Iterator[tuple[str | None, str]]:
    return ((name, held) for name, held in _values(value) if isinstance(held, str))


def _values(value: Any) -> Iterator[tuple[str | None, Any]]:
    """Yield each value with its field's name, up to a number."""
    pending: list[tuple[str | None, Any]] = [(None, value)]
    for _ in range(_MAX_VALUES):
        if not pending:
            return
        name, held = pending.pop()
        yield name, held
        if isinstance(held, dict):
            named = sorted(((str(key), below) for key, below in held.items()), key=itemgetter(0))
            pending.extend(named)
        elif isinstance(held, list):
            pending.extend((name, below) for below in held)


def _listed(schema: Any) -> frozenset[str]:
    """Return the texts that a schema lists itself."""
    found: set[str] = set()
    for name, held in _values(schema):
        if isinstance(held, str) and name in {"enum", "const"}:
            found.add(held)
    return frozenset(found)
