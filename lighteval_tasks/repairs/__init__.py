"""Narrow repairs of lighteval 0.13.0: one file per fault, each off when the fault is gone.

They act before lighteval loads its tasks, so `sobench lighteval` applies them; a plain `lighteval` is untouched.
Nothing on the disk is changed.
"""

from __future__ import annotations

from lighteval_tasks.repairs.detail_hashes import DETAIL_HASHES
from lighteval_tasks.repairs.eval_custom_tasks import EVAL_CUSTOM_TASKS
from lighteval_tasks.repairs.eval_forgotten import EVAL_FORGOTTEN
from lighteval_tasks.repairs.eval_options import EVAL_OPTIONS
from lighteval_tasks.repairs.hub_search import HUB_SEARCH
from lighteval_tasks.repairs.litellm_cache import LITELLM_CACHE
from lighteval_tasks.repairs.offline_start import OFFLINE_START
from lighteval_tasks.repairs.repair import Repair
from lighteval_tasks.repairs.saved_responses import SAVED_RESPONSES
from lighteval_tasks.repairs.show_config import SHOW_CONFIG
from lighteval_tasks.repairs.tasks_list import TASKS_LIST

__all__ = ["REPAIRS", "Repair", "apply_all"]

REPAIRS = (
    LITELLM_CACHE,  # first: without it the places of the others cannot even be imported
    OFFLINE_START,
    HUB_SEARCH,
    DETAIL_HASHES,
    EVAL_OPTIONS,
    EVAL_FORGOTTEN,
    EVAL_CUSTOM_TASKS,
    TASKS_LIST,
    SHOW_CONFIG,
    SAVED_RESPONSES,
)


def apply_all() -> list[str]:
    """Apply what is needed and return the names of it; a second call finds no fault any more and returns nothing."""
    applied = []
    for repair in REPAIRS:
        if repair.detected():
            repair.apply()
            applied.append(repair.name)
    return applied
