"""How many rows are made by now, told while a command works."""

from __future__ import annotations

import sys
import time

__all__ = ["RowCounter"]

_LOOK_SECONDS = 0.5


class RowCounter:
    """Shows a running number on a terminal; nothing elsewhere."""

    def __init__(self, wanted: int) -> None:
        """Begin at no row of `wanted`."""
        self.rows = 0
        self._wanted, self._shown = wanted, time.monotonic()
        self._terminal = sys.stderr.isatty()

    def __call__(self, rows: int) -> None:
        """Take note of the number of rows so far."""
        self.rows = rows
        if self._terminal and time.monotonic() - self._shown > _LOOK_SECONDS:
            self._shown = time.monotonic()
            print(f"\r{rows:,} of {self._wanted:,} rows ", end="", file=sys.stderr, flush=True)

    def close(self) -> None:
        """Clear the line."""
        if self._terminal:
            print("\r\033[K", end="", file=sys.stderr)
