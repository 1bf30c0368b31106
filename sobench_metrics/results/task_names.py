"""One name for a task in every harness: lighteval's `sobench_sample:ui` is lm-eval's `sobench_ui_sample`."""

from __future__ import annotations

import re
from typing import Final

from sobench_metrics.data.prepared import DOMAINS
from sobench_metrics.results.records import VARIANT, base_name

__all__ = ["domain_of", "group_of", "plain_name"]

_AVERAGE: Final = "_average"
_SOBENCH: Final = re.compile(
    rf"sobench(?P<set>_sample)?[:_](?P<part>{'|'.join(DOMAINS)}|{_AVERAGE})(?P<variant>{VARIANT})?(?P<sample>_sample)?"
)


def plain_name(task: str) -> str:
    """Return a task's name as lm-eval writes it, without the mark of its constrained variant.

    lighteval's average over the domains gets the name of lm-eval's group.
    """
    named = _SOBENCH.fullmatch(task)
    if named is None:
        return base_name(task).replace(":", "_")
    part = "" if named["part"] == _AVERAGE else f"_{named['part']}"
    return f"sobench{part}{named['set'] or named['sample'] or ''}"


def domain_of(task: str) -> str:
    """Return the domain of SO-Bench that a task asks, "" for any other task."""
    named = _SOBENCH.fullmatch(task)
    return "" if named is None or named["part"] == _AVERAGE else named["part"]


def group_of(task: str) -> str:
    """Return lm-eval's name for the four domains that a task is one of, "" for any other task."""
    named = _SOBENCH.fullmatch(task)
    return f"sobench{named['variant'] or ''}{named['set'] or named['sample'] or ''}" if named else ""
