"""A progress bar for people, one line a stage for logs."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing_extensions import Self

    from sobench_metrics.data.fetch.http import Traffic
    from sobench_metrics.data.prepare.making import Watch

__all__ = ["Progress"]


class Progress:
    """Shows stages on stderr: a bar with the bytes moved on a terminal, else one line as each begins."""

    def __init__(self, traffic: Traffic) -> None:
        self._traffic = traffic
        self._bar: Any = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_fault: object) -> None:
        self._close()

    def watch(self) -> Watch:
        """Return the callables by which `prepare` tells what happens."""
        from sobench_metrics.data.prepare.making import Watch

        return Watch(self._stage, self._step, self._say)

    def _stage(self, title: str, total: int) -> None:
        from tqdm import tqdm

        self._close()
        if sys.stderr.isatty():
            self._bar = tqdm(total=total, desc=title, unit="img", leave=True)
        elif total:
            print(f"{title} {total} images", file=sys.stderr)

    def _step(self) -> None:
        if self._bar is not None:
            self._bar.set_postfix_str(f"{self._traffic.bytes / 1e6:,.1f} MB", refresh=False)
            self._bar.update()

    def _say(self, text: str) -> None:
        self._close()
        print(text, file=sys.stderr)

    def _close(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None
