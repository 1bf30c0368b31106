"""The judge of SO-Bench answers: the paper's reward over the scorer's own counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

from sobench_metrics.errors import UsageError
from sobench_metrics.response import remove_reasoning
from sobench_metrics.sobench.score import SampleError, score

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sobench_metrics.sobench.score import Score

__all__ = ["NO_JSON", "SCHEMA_BROKEN", "SobenchMatch"]

NO_JSON: Final = -0.1
"""The reward of an answer without JSON."""

SCHEMA_BROKEN: Final = 0.8
"""The factor of an answer that does not follow its schema."""

_COUNTINGS: Final = ("strict", "official")


@dataclass(frozen=True, slots=True)
class SobenchMatch:
    """-0.1 for an answer without JSON, else the square of its field match, times 0.8 when it breaks its schema.

    The field match is counted in one of two ways:

    - "strict", the paper's definition: every labelled field of the target is in the denominator. A field that was left
      out is a miss, like a wrong one.
    - "official", the released scorer's: a field that was left out leaves the denominator as well. A policy can raise
      this reward by saying less (one of ten fields right: nine wrong give 1/11, nine left out 1/2), so it is for
      following the released figure, not for training.

    A sample of which nothing is compared has a strict match of 1 and an official one of 0, as in their averages.

    Rows have the columns of the prepared set (`target_json`, `schema_json`, `evaluation_labels_json`), JSON text or
    decoded. Reasoning is removed before scoring, as the tasks do; `keep_reasoning` scores the raw text.
    """

    counting: Literal["strict", "official"] = "strict"
    keep_reasoning: bool = False

    def __post_init__(self) -> None:
        """Raise UsageError for a counting that there is not."""
        if self.counting not in _COUNTINGS:
            raise UsageError(f"There is no counting {self.counting!r}: choose from {', '.join(_COUNTINGS)}.")

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the prepared set that scoring needs."""
        return ("target_json", "schema_json", "evaluation_labels_json")

    def __call__(self, text: str | None, row: Mapping[str, Any]) -> float:
        """Return the reward in [-0.1, 1]; raises UsageError for a target or labels that cannot be scored."""
        generation = text if text is None or self.keep_reasoning else remove_reasoning(text).text
        target, schema, labels = (row[column] for column in self.columns)
        try:
            found = score(generation, target=target, schema=schema, labels=labels)
        except SampleError as error:
            raise UsageError(str(error)) from error
        if found.invalid:
            return NO_JSON
        return (1.0 if found.followed_schema else SCHEMA_BROKEN) * self._field_match(found) ** 2

    def _field_match(self, found: Score) -> float:
        if self.counting == "strict":
            return found.strict.recall
        counts = found.official
        return counts.matched / max(1, counts.total) if counts else 0.0
