"""`--custom-tasks lighteval_tasks.tasks`: the table that lighteval reads.

Name this module with its dot: lighteval takes a name that is also a folder of the current directory for a file.
Importing it puts the guards in place, which every route needs that is not refused: lighteval reads its custom tasks
before it loads data or asks a model.
"""

from __future__ import annotations

from lighteval_tasks import configs, guards
from lighteval_tasks.versions import require_lighteval
from sobench_metrics import uncaught

__all__ = ["TASKS_TABLE"]

uncaught.install()
require_lighteval()
guards.install()

TASKS_TABLE = configs.table()
