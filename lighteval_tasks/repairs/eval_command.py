"""`lighteval eval` as its repairs need it: the options that the user gave, where they did not arrive."""

from __future__ import annotations

import sys
from contextvars import ContextVar
from functools import wraps
from inspect import signature
from typing import TYPE_CHECKING, Any

from lighteval_tasks.repairs.repair import is_repaired, repaired

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["given", "remember_options"]

_GIVEN: ContextVar[Mapping[str, Any] | None] = ContextVar("options of the running eval", default=None)


def given(option: str) -> Any:
    """Return the value of an option of the running `eval`, or None when it was not given or none is running."""
    return (_GIVEN.get() or {}).get(option)


def remember_options() -> None:
    """Let `given` know the options of every `eval` from here on; a second call changes nothing."""
    from lighteval import main_inspect

    real = main_inspect.eval
    if is_repaired(real):
        return

    @wraps(real)
    def evaluate(*args: Any, **options: Any) -> Any:
        token = _GIVEN.set(signature(real).bind(*args, **options).arguments)
        try:
            return real(*args, **options)
        finally:
            _GIVEN.reset(token)

    main_inspect.eval = repaired(evaluate, real)
    if "lighteval.__main__" in sys.modules:  # the command line is built already, with the function as it was
        for command in sys.modules["lighteval.__main__"].app.registered_commands:
            if command.callback is real:
                command.callback = evaluate
