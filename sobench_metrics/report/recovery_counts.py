"""Was it form or content: of each column's failed answers, how many a tolerant reading recovers, and by what."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sobench_metrics.report.model import View

__all__ = ["MEANINGS", "NO_STEP", "RecoveryCounts", "recovery_counts", "steps_of"]

NO_STEP: Final = "no step"
"""The name of what is recoverable without any tolerance, which is no question of form."""

MEANINGS: Final = {
    "failed": "wrong by the official rules",
    "recoverable": "all data asked for are there, by the tolerant reading",
    "not recoverable": "data are wrong, missing or cannot be read",
    "not told": "the row behind the answer is not at hand, or nothing reads this task tolerantly",
    NO_STEP: "the data are there and nothing had to be tolerated: the official verdict has another reason (see codes)",
}


@dataclass(slots=True)
class RecoveryCounts:
    """Failed answers of one column: split into recoverable, not, and not told; steps may be several in one answer."""

    split: Counter[str] = field(default_factory=Counter)
    steps: Counter[str] = field(default_factory=Counter)


def recovery_counts(view: View, letters: Sequence[str]) -> dict[str, RecoveryCounts]:
    """Return the counts of each column; `split` sums to its failed answers."""
    found = {}
    for letter in letters:
        counts = RecoveryCounts()
        for _, answer in view.answers(letter):
            if answer.passed is not False:
                continue
            words = {True: "recoverable", False: "not recoverable", None: "not told"}
            counts.split[words[answer.recoverable]] += 1
            if answer.recoverable:
                counts.steps.update(answer.steps or (NO_STEP,))
        found[letter] = counts
    return found


def steps_of(counts: Mapping[str, RecoveryCounts]) -> list[tuple[str, str]]:
    """Return the steps that were taken with their meanings, in the order in which the reading takes them."""
    from sobench_metrics.recovery import STEPS

    taken = {step for one in counts.values() for step in one.steps}
    known = {NO_STEP: MEANINGS[NO_STEP], **STEPS}
    return [(step, known[step]) for step in known if step in taken] + [
        (step, "") for step in sorted(taken - known.keys())
    ]
