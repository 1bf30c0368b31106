"""Put our tasks beside whatever tasks a command of lighteval loads, in whatever folder one stands.

lighteval takes the name of a task, of a tasks module or of a model file for a path as soon as such a path exists.
Here a name of ours stays a name, and a folder is never read as a file; `./NAME` still means the path.
"""

from __future__ import annotations

import importlib
import os
from functools import wraps
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

from lighteval_tasks import catalog
from lighteval_tasks.repairs.eval_command import given
from sobench_metrics.errors import UsageError

__all__ = ["MODULE", "SERVER", "combined", "install", "model_file", "names", "ours_asked"]

MODULE = "lighteval_tasks.tasks"
SERVER = "server"
_OURS = {"lighteval_tasks", MODULE}
_INSTALLED = "sobench_tasks_beside"


def install() -> None:
    """Add our tasks to every registry from here on; a second call changes nothing."""
    from lighteval import main_custom
    from lighteval.tasks.registry import Registry

    if hasattr(Registry, _INSTALLED):
        return
    build, read_list = Registry.__init__, Registry._get_full_task_list_from_input_string  # noqa: SLF001
    config = main_custom.CustomModelConfig

    @wraps(build)
    def build_with_ours(
        self: Any, tasks: Any = None, load_multilingual: bool = False, custom_tasks: Any = None
    ) -> None:
        # `eval` keeps the user's own to itself, whichever of the repair and this was put in place first
        theirs = given("custom_tasks") if custom_tasks is None else custom_tasks
        build(self, tasks=tasks, load_multilingual=load_multilingual, custom_tasks=combined(theirs))

    @wraps(read_list)
    def read_names(self: Any, tasks: Any) -> list[str]:
        text = str(tasks)
        if Path(text).is_dir() or ours_asked(text):
            return list(dict.fromkeys(text.split(",")))
        return read_list(self, tasks)  # type: ignore[no-any-return]

    @wraps(config)
    def with_model_file(*, model_definition_file_path: str, **options: Any) -> Any:
        return config(model_definition_file_path=model_file(model_definition_file_path), **options)

    Registry.__init__ = build_with_ours
    Registry._get_full_task_list_from_input_string = read_names  # noqa: SLF001
    main_custom.CustomModelConfig = with_model_file
    setattr(Registry, _INSTALLED, True)


def names() -> set[str]:
    """Return the names that mean tasks of ours: each task, and what stands for all tasks with that prefix."""
    every = {entry.name for entry in catalog.entries()}
    return every | {name.split(":")[0] for name in every}


def ours_asked(tasks: str) -> bool:
    """Return whether the text names tasks of ours only, in any of lighteval's forms, and is not spelled as a path."""
    known = names()
    forms = (word.strip().split("|") for word in tasks.split(","))
    return all((parts[1] if len(parts) == 3 else parts[0]).split("@")[0] in known for parts in forms)


def combined(theirs: str | Path | ModuleType | None) -> ModuleType:
    """Return a module with our tasks and the user's.

    Raises UsageError when theirs cannot be found, names no tasks, or takes a name of ours for another task.
    """
    ours = importlib.import_module(MODULE)
    if theirs is None or str(theirs) in _OURS or theirs is ours:
        return ours
    module = theirs if isinstance(theirs, ModuleType) else _load(theirs)
    table = getattr(module, "TASKS_TABLE", None)
    if table is None:
        raise UsageError(f"--custom-tasks {theirs}: the module has no TASKS_TABLE.")
    own = [task for task in table if not any(task is known for known in ours.TASKS_TABLE)]
    taken = sorted({task.name for task in own} & {task.name for task in ours.TASKS_TABLE})
    if taken:
        raise UsageError(f"--custom-tasks {theirs}: {', '.join(taken)} is a task of sobench: give yours another name.")
    both = ModuleType(module.__name__, module.__doc__)  # `tasks dump` prints both of these
    both.TASKS_TABLE = [*own, *ours.TASKS_TABLE]  # type: ignore[attr-defined]
    return both


def model_file(path: str) -> str:
    """Return the model definition file of `lighteval custom`: the word `server` is ours unless such a file exists.

    Raises UsageError when there is no file.
    """
    if os.path.isfile(path):  # noqa: PTH113 - the harness takes the text as it is
        return path
    spec = find_spec(f"lighteval_tasks.{SERVER}") if path == SERVER else None
    if spec is None or spec.origin is None:
        raise UsageError(f"no model definition file {path}: the word `{SERVER}` stands for the one of sobench.")
    return spec.origin


def _load(theirs: str | Path) -> ModuleType:
    from lighteval.tasks.registry import Registry

    path = Path(theirs)
    if path.is_dir() or (not path.exists() and (path.suffix == ".py" or path.name != str(theirs))):
        raise UsageError(f"--custom-tasks {theirs}: no such file (a Python file, or the dotted name of a module).")
    try:
        module: ModuleType = Registry.create_custom_tasks_module(theirs)
    except ModuleNotFoundError as error:
        if error.name and str(theirs).startswith(error.name):  # not something that theirs imports
            raise UsageError(
                f"--custom-tasks {theirs}: no module of this name is installed, nor is it a file."
            ) from error
        raise
    return module
