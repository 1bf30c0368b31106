"""The process that judges: pieces of work come in on standard input, rewards go out on what was standard output.

It is started afresh, never forked, and never runs the trainer's own script: no torch in it, no copy of a CUDA process.
It ends when its input does, so it cannot outlive the training.
"""

from __future__ import annotations

import os
import pickle
import sys
from typing import Any, BinaryIO, cast

from sobench_metrics.errors import UsageError
from sobench_metrics.rewards.framing import EndOfStreamError, receive, send
from sobench_metrics.rewards.judge import judge_all

__all__ = ["main"]


def main() -> None:
    """Serve until the input ends."""
    source = sys.stdin.buffer
    # What anything prints must not get among the answers.
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    try:
        send(out, ("ready", None))
        _serve(source, out)
    except (EndOfStreamError, OSError):
        return


def _serve(source: BinaryIO, out: BinaryIO) -> None:
    known: tuple[bytes, Any] = (b"", None)
    while True:
        pickled, texts, rows = cast("tuple[bytes, Any, Any]", receive(source))
        try:
            if pickled != known[0]:
                known = (pickled, _loaded(pickled))
            answer: tuple[str, Any] = ("rewards", judge_all(known[1], texts, rows))
        except UsageError as error:
            answer = ("usage", str(error))
        except Exception as error:  # noqa: BLE001 - told to the parent, which raises it
            answer = ("fault", f"{type(error).__name__}: {error}")
        send(out, answer)


def _loaded(pickled: bytes) -> Any:
    try:
        return pickle.loads(pickled)  # noqa: S301 - our own parent's
    except Exception as error:
        raise UsageError(
            f"the reward cannot be judged in other processes ({error}): define its judge in a module that can be "
            "imported, not in a script or a notebook."
        ) from error
