"""Show our tasks to lm-eval without `--include_path`: one directory more in every `TaskManager`.

lm-eval 0.4.13 has no entry point for tasks (a pull request, #4015 upstream, would add one), and files laid into
`lm_eval/tasks` break editable installs of it. So `sobench enable` writes a one-line `.pth` file that calls
`watch()`; `sobench lm-eval` calls `add_tasks()` itself. Only the standard library, and little of it: this module
may be imported at every start of the interpreter.
"""

import os
import sys

__all__ = ["TASKS_DIR", "add_tasks", "watch"]

TASKS_DIR = os.path.join(os.path.dirname(os.path.abspath(__file__)), "tasks")
_MODULE = "lm_eval.tasks.manager"


def add_tasks(module):
    """Make the `TaskManager` of lm-eval's module search our directory too; the user's own paths still win."""
    manager = module.TaskManager
    plain = manager.__init__
    if getattr(plain, "shows_sobench_tasks", False):
        return

    def __init__(self, verbosity=None, include_path=None, *args, **kwargs):
        paths = (
            list(include_path) if isinstance(include_path, (list, tuple)) else [include_path] if include_path else []
        )
        known = {os.path.realpath(path) for path in paths}
        if os.path.realpath(TASKS_DIR) not in known:
            paths.insert(0, TASKS_DIR)  # later paths override earlier ones
        plain(self, verbosity, paths, *args, **kwargs)

    __init__.shows_sobench_tasks = True
    manager.__init__ = __init__


class _Finder:
    """Lets everybody else find lm-eval's module, and stands beside it when it has been executed."""

    @classmethod
    def find_spec(cls, name, path=None, target=None):
        if name != _MODULE:
            return None
        sys.meta_path.remove(cls)
        from importlib.util import find_spec

        spec = find_spec(name)
        if spec is not None and spec.loader is not None:
            execute = spec.loader.exec_module

            def exec_module(module):
                execute(module)
                add_tasks(module)

            spec.loader.exec_module = exec_module
        return spec


def watch():
    """Call `add_tasks` as soon as lm-eval's task manager is imported; does nothing when SOBENCH_AUTOLOAD=0."""
    if os.environ.get("SOBENCH_AUTOLOAD", "1") == "0" or _Finder in sys.meta_path:
        return
    if _MODULE in sys.modules:
        add_tasks(sys.modules[_MODULE])
    else:
        sys.meta_path.insert(0, _Finder)
