"""The taskset of verifiers 0.4 and later."""

from __future__ import annotations

from collections.abc import Iterator  # noqa: TC003 - verifiers reads annotations at run time
from typing import Literal

import verifiers.v1 as vf  # type: ignore[import-not-found,unused-ignore]  # the environment's dependency, not ours

from sobench_metrics.rewards import Reward, ifstruct_reward, ifstruct_shaped_reward

from .rows import rows_of

__all__ = ["IfstructTaskset"]


class IfstructData(vf.TaskData):  # type: ignore[misc,unused-ignore]
    """One row: its prompt, and the columns that the reward reads, JSON columns as text."""

    json_schema: str
    top_level_count: str
    top_level_key: str | None = None
    require_wrapper_key: bool
    require_code_block: bool
    require_no_commentary: bool
    output_format: str


class IfstructTask(vf.Task[IfstructData]):  # type: ignore[misc,unused-ignore]
    """Judged by the official validator; the shaped reward is logged, and counts where its weight is raised."""

    @vf.reward(weight=1.0)  # type: ignore[untyped-decorator,unused-ignore]
    async def ifstruct_reward(self, trace: vf.Trace) -> float:
        """Return 1.0 for an answer that passes, else 0.0."""
        return self._judged(ifstruct_reward, trace)

    @vf.reward(weight=0.0)  # type: ignore[untyped-decorator,unused-ignore]
    async def ifstruct_shaped_reward(self, trace: vf.Trace) -> float:
        """Return 1.0 for an answer that passes, up to 0.5 for one that came near."""
        return self._judged(ifstruct_shaped_reward, trace)

    def _judged(self, reward: Reward, trace: vf.Trace) -> float:
        return reward.judge(trace.last_reply, {name: getattr(self.data, name) for name in reward.judge.columns})


class IfstructConfig(vf.TasksetConfig):  # type: ignore[misc,unused-ignore]
    """Which rows: those of a file in IFStruct's columns, or generated ones."""

    rows: str | None = None
    seed: int = 0
    split: Literal["train", "eval"] = "train"
    num_tasks: int = 1000


class IfstructTaskset(vf.Taskset[IfstructTask, IfstructConfig]):  # type: ignore[misc,unused-ignore]
    """Tasks made as they are asked for."""

    def load(self) -> Iterator[IfstructTask]:
        """Yield the tasks in order; the same settings give the same tasks."""
        config = self.config
        for row in rows_of(config.rows, seed=config.seed, split=config.split, number=config.num_tasks):
            known = {name: row[name] for name in IfstructData.model_fields if name in row}
            yield IfstructTask(IfstructData(name=row["entity_type"], **known), config.task)
