"""`lighteval tasks list` names no task: it filters by a suite before the bar, and names have none any more.

Upstream: PRs #1087 and #1166.
"""

from __future__ import annotations

import io
from contextlib import redirect_stdout
from typing import Any

from lighteval_tasks.repairs.repair import Repair, repaired

__all__ = ["TASKS_LIST"]

_PROBE = "a_task_without_suite"


def _needed() -> bool:
    from lighteval.tasks.registry import Registry

    registry = Registry.__new__(Registry)  # a whole one loads a thousand tasks
    vars(registry)["_task_registry"] = {_PROBE: None}
    said = io.StringIO()
    with redirect_stdout(said):
        registry.print_all_tasks()
    return _PROBE not in said.getvalue()


def _apply() -> None:
    from lighteval.tasks.registry import Registry

    def print_all_tasks(self: Any, suites: str | None = None) -> None:  # noqa: ARG001 - suites are gone
        names = sorted(self._task_registry)
        for name in names:
            print(f"  - {name}")
        print(f"\nTotal tasks displayed: {len(names)}")

    Registry.print_all_tasks = repaired(print_all_tasks, Registry.print_all_tasks)


TASKS_LIST = Repair("`tasks list`", "PRs #1087, #1166", _needed, _apply)
