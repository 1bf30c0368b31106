"""Which tasks there are and what data each needs, told from their names, without the harness."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from lm_eval_tasks.autoload import TASKS_DIR
from sobench_metrics.data.prepared import DOMAINS
from sobench_metrics.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Need", "leaf_tasks", "needs", "task_names"]

_GROUPS = {f"sobench{suffix}": suffix for suffix in ("", "_sample", "_constrained", "_constrained_sample")}


@dataclass(frozen=True, slots=True)
class Need:
    """The data of one task: `domain` is None for IFStruct; `constrained` when answers are held to schemas."""

    task: str
    domain: str | None
    sample: bool
    constrained: bool = False

    @property
    def hard(self) -> bool:
        """Whether the rows are those of the hard set."""
        return self.task.startswith("ifstruct_hard")


def task_names() -> list[str]:
    """Return the names of all tasks and groups, as `--tasks` takes them."""
    return sorted(file.stem for file in Path(TASKS_DIR).rglob("*.yaml") if not file.stem.startswith("_"))


def leaf_tasks(names: Iterable[str]) -> list[str]:
    """Return the names with groups resolved, each once; raises UsageError for a name that is not ours."""
    leaves: list[str] = []
    known = task_names()
    for name in map(str.strip, names):
        if name not in known:
            raise UsageError(f"unknown task {name!r}: choose from {', '.join(known)}.")
        suffix = _GROUPS.get(name)
        leaves += [name] if suffix is None else [f"sobench_{domain}{suffix}" for domain in DOMAINS]
    if not leaves:
        raise UsageError(f"no task named: choose from {', '.join(known)}.")
    return list(dict.fromkeys(leaves))


def needs(names: Iterable[str]) -> list[Need]:
    """Return what the tasks behind the names need."""
    return [_need(name) for name in leaf_tasks(names)]


def _need(task: str) -> Need:
    words = task.split("_")
    sample = words[-1] == "sample"
    return Need(task, words[1] if words[0] == "sobench" else None, sample, "constrained" in words)
