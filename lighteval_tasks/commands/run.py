"""`sobench lighteval`: lighteval's own command line with our tasks, our server backend and our repairs."""

from __future__ import annotations

import sys
import warnings
from importlib.metadata import version
from typing import TYPE_CHECKING

from lighteval_tasks.versions import require_lighteval
from sobench_metrics.cli.command import Command

if TYPE_CHECKING:
    import argparse

__all__ = ["LIGHTEVAL", "run"]

_PROGRAM = "sobench lighteval"
_INTERRUPTED = 130


def _lighteval(args: argparse.Namespace) -> int:
    return run(args.rest)


def run(words: list[str]) -> int:
    """Run lighteval on the words and return its status.

    Raises UsageError for a user's mistake and KeyboardInterrupt when interrupted; a fault of lighteval or of ours
    passes with its traceback.
    """
    require_lighteval()
    from lighteval_tasks.commands import mistakes, registration

    mistakes.look_ahead(words)
    _prepare(quiet=not words or "--help" in words)
    from lighteval import __main__ as harness  # seconds of imports

    # Typer puts a hook of its own in place for good; ours tells faults as Python does, in full and in plain text
    hook, sys.argv = sys.excepthook, ["lighteval", *words]
    try:
        status = harness.app(words, prog_name=_PROGRAM, standalone_mode=False)
    except Exception as error:
        if type(error).__name__ == "Abort":  # click's word for Ctrl-C
            raise KeyboardInterrupt from None
        mistake = mistakes.as_mistake(error, words, registration.names())
        if mistake is None:
            raise
        sys.stderr.write("\n")  # a progress bar may stand open on the line
        raise mistake from None
    finally:
        sys.excepthook = hook
    if status == _INTERRUPTED:
        raise KeyboardInterrupt
    return status if isinstance(status, int) else 0  # a command returns its results


def _prepare(*, quiet: bool) -> None:
    """Put our tasks and the repairs in place, and say which repairs, so that a log shows what was changed."""
    from lighteval_tasks import repairs
    from lighteval_tasks.commands import registration

    # lighteval's own use of the hub's client, which [lighteval] pins because of it
    warnings.filterwarnings("ignore", message="Deprecated argument", category=FutureWarning)
    applied = set(repairs.apply_all())
    registration.install()
    told = ", ".join(one.name for one in repairs.REPAIRS if one.name in applied)
    if told and not quiet:
        print(f"sobench: repaired in lighteval {version('lighteval')}: {told}", file=sys.stderr, flush=True)


LIGHTEVAL = Command("lighteval's own command line with our tasks and repairs", _lighteval, passes_through=True)
