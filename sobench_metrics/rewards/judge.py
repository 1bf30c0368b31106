"""What a reward is made of: something that judges one text against one row, and how many are judged in turn."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, Protocol

from sobench_metrics.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["Judge", "judge_all"]


class Judge(Protocol):
    """One text and one row in, one number out; picklable, so that a `RewardPool` can hand it to its processes."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns read; a row that is null in the first of them belongs to another task."""

    def __call__(self, text: str | None, row: Mapping[str, Any]) -> float:
        """Return the reward of a text, None being a missing one; raises UsageError for a row that cannot be judged."""


def judge_all(judge: Judge, texts: Sequence[str | None], rows: Sequence[Mapping[str, Any]]) -> list[float | None]:
    """Return the reward of each text, None where the row belongs to another task.

    A fault of ours in judging one text counts as a missing answer and is told as a warning: hours of training must not
    end over it. Raises UsageError for a row that cannot be judged, since every one of its answers would be lost.
    """
    return [_judged(judge, text, row) for text, row in zip(texts, rows, strict=True)]


def _judged(judge: Judge, text: str | None, row: Mapping[str, Any]) -> float | None:
    if row[judge.columns[0]] is None:
        return None
    try:
        return judge(text, row)
    except UsageError:
        raise
    except Exception as error:  # noqa: BLE001 - see judge_all
        fault = f"a completion could not be judged ({type(error).__name__}: {error}); it counts as a missing answer."
        warnings.warn(fault, RuntimeWarning, stacklevel=2)
        return judge(None, row)
