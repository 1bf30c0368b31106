"""What keeps our tasks whole on lighteval's routes: each guard touches our own tasks, or a case that would go wrong.

They hold for the plain `lighteval` command too, and are put in place when our tasks are read.
"""

from __future__ import annotations

__all__ = ["install"]

_installed = False


def install() -> None:
    """Put all guards in place; a second call changes nothing."""
    global _installed  # noqa: PLW0603 - wrapping a wrapped method again would guard twice
    if _installed:
        return
    from lighteval_tasks.guards import averages, inspect_rows, prediction_cache, prompts, routes, rows, vision

    for guard in (rows, routes, prompts, vision, prediction_cache, averages, inspect_rows):
        guard.install()
    _installed = True
