"""`lighteval eval --custom-tasks` is taken and forgotten: the registry is always built without.

Upstream: PRs #1199 and #1320.
"""

from __future__ import annotations

import ast
from functools import wraps
from typing import Any

from lighteval_tasks.repairs.eval_command import given, remember_options
from lighteval_tasks.repairs.repair import Repair, is_repaired, repaired
from lighteval_tasks.repairs.source import calls

__all__ = ["EVAL_CUSTOM_TASKS"]


def _needed() -> bool:
    built = calls("lighteval.main_inspect", "eval", "Registry")
    values = [keyword.value for call in built for keyword in call.keywords if keyword.arg == "custom_tasks"]
    if not any(isinstance(value, ast.Constant) and value.value is None for value in values):
        return False
    from lighteval.tasks.registry import Registry

    return not is_repaired(Registry.__init__)


def _apply() -> None:
    from lighteval.tasks.registry import Registry

    real = Registry.__init__

    @wraps(real)
    def build(self: Any, tasks: Any = None, load_multilingual: bool = False, custom_tasks: Any = None) -> None:
        theirs = given("custom_tasks") if custom_tasks is None else custom_tasks
        real(self, tasks=tasks, load_multilingual=load_multilingual, custom_tasks=theirs)

    Registry.__init__ = repaired(build, real)
    remember_options()


EVAL_CUSTOM_TASKS = Repair("`eval --custom-tasks`", "PRs #1199, #1320", _needed, _apply)
