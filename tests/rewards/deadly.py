"""Judges that do to a worker what a bad completion might: importable, so that they travel."""

from __future__ import annotations

import os
import signal
from dataclasses import dataclass

WORD = "the deadly one"


@dataclass(frozen=True)
class Deadly:
    """Kills the process that judges the word, unless it is the test's own."""

    own: int
    columns: tuple[str, ...] = ("json_schema",)

    def __call__(self, text, row):
        if text == WORD and os.getpid() != self.own:
            os.kill(os.getpid(), signal.SIGKILL)
        return 0.0 if text is None else 1.0


@dataclass(frozen=True)
class Hanging:
    """Waits for ever over the word, unless the process is the test's own."""

    own: int
    columns: tuple[str, ...] = ("json_schema",)

    def __call__(self, text, row):
        if text == WORD and os.getpid() != self.own:
            signal.pause()
        return 0.0 if text is None else 1.0
