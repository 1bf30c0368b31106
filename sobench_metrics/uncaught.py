"""A user's mistake ends a harness's own command with one sentence and status 2, as it ends ours."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from sobench_metrics.errors import UsageError

if TYPE_CHECKING:
    from types import TracebackType

__all__ = ["install"]


def install() -> None:
    """Let an uncaught UsageError print its sentence only; every other exception goes the way it went before.

    The harnesses have no place for this: their command lines let exceptions of tasks run out of the interpreter.
    """
    previous = sys.excepthook
    if getattr(previous, "knows_usage_errors", False):
        return

    def hook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if not issubclass(kind, UsageError):
            previous(kind, error, trace)
            return
        sys.stderr.write(f"\nsobench: {error}\n")  # a progress bar may stand open on the line
        sys.stderr.flush()
        raise SystemExit(2)  # an interpreter that leaves through its hook honours the status

    hook.knows_usage_errors = True  # type: ignore[attr-defined]
    sys.excepthook = hook
