"""A reward function in the form that TRL calls."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sobench_metrics.errors import UsageError
from sobench_metrics.rewards.completions import text_of
from sobench_metrics.rewards.judge import judge_all
from sobench_metrics.rewards.quality import lowered

if TYPE_CHECKING:
    from sobench_metrics.rewards.judge import Judge
    from sobench_metrics.rewards.quality import Quality

__all__ = ["Reward", "Runner"]

Runner = Callable[["Judge", Sequence["str | None"], Sequence[Mapping[str, Any]]], "list[float | None]"]
"""How many texts are judged: here and in turn (`judge_all`), or in the processes of a `RewardPool`."""


@dataclass(frozen=True, slots=True)
class Reward:
    """A judge under a name, callable as a TRL reward function.

    `run` says where texts are judged, `qualities` what lowers a reward afterwards in the caller's process (`quality`
    has the rule), `floor` what is left at least of a full reward when all of that is at its worst.
    """

    name: str
    judge: Judge
    run: Runner = judge_all
    qualities: tuple[tuple[Quality, float], ...] = ()
    floor: float = 1.0

    @property
    def __name__(self) -> str:
        """The name under which TRL logs it."""
        return self.name

    def __call__(
        self,
        prompts: Sequence[Any] | None = None,
        completions: Sequence[Any] = (),
        completion_ids: Sequence[Any] | None = None,  # noqa: ARG002 - the trainer's signature
        **columns: Any,
    ) -> list[float | None]:
        """Return one reward for each completion, None where its row belongs to another task.

        `completions` are texts or lists of messages (`text_of`); `columns` are the data set's, each a list with one
        value for each completion; what else the trainer passes is left alone. Never raises on a completion. Raises
        UsageError for a column that is missing, of another length, or cannot be judged.
        """
        rows = _rows(self.judge.columns, columns, len(completions))
        texts = [text_of(completion) for completion in completions]
        rewards = self.run(self.judge, texts, rows)
        if not self.qualities:
            return rewards
        whole = _whole_rows(prompts, columns, len(completions))
        return [
            reward if reward is None else self._lowered(reward, text, row)
            for reward, text, row in zip(rewards, texts, whole, strict=True)
        ]

    def _lowered(self, reward: float, text: str | None, row: Mapping[str, Any]) -> float:
        for quality, weight in self.qualities:
            reward = lowered(reward, quality, weight, text, row)
        return reward


def _rows(wanted: Sequence[str], columns: Mapping[str, Any], count: int) -> list[dict[str, Any]]:
    for name in wanted:
        if name not in columns:
            raise UsageError(
                f"Column '{name}' is missing: keep it in the data set that you train on, and keep the trainer from "
                "removing unused columns."
            )
        values = columns[name]
        if not isinstance(values, Sequence) or isinstance(values, str):
            raise UsageError(f"Column '{name}' must be a list with one value for each completion, got {values!r:.60}.")
        if len(values) != count:
            raise UsageError(
                f"Column '{name}' has {len(values)} values for {count} completions: pass one for each completion."
            )
    return [{name: columns[name][index] for name in wanted} for index in range(count)]


def _whole_rows(prompts: Sequence[Any] | None, columns: Mapping[str, Any], count: int) -> list[dict[str, Any]]:
    """Return all that is known of each sample, its prompt included; what is no column (a trainer's state) is not."""
    known: dict[str, Sequence[Any]] = {
        name: values for name, values in columns.items() if isinstance(values, list) and len(values) == count
    }
    if prompts is not None:
        known["prompt"] = prompts
    return [{name: values[index] for name, values in known.items()} for index in range(count)]
