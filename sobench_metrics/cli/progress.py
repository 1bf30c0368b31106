"""A progress bar for people, a line now and then for logs; both go on while one long transfer runs."""

from __future__ import annotations

import sys
import threading
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing_extensions import Self

    from sobench_metrics.data.fetch.http import Traffic
    from sobench_metrics.data.prepare.making import Watch

__all__ = ["Progress"]

_BAR_SECONDS = 1.0
_LOG_SECONDS = 60.0


class Progress:
    """Shows stages on stderr with the bytes moved so far: a bar on a terminal, else one line a stage and a minute."""

    def __init__(self, traffic: Traffic) -> None:
        self._traffic = traffic
        self._terminal = sys.stderr.isatty()
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._title, self._total, self._done = "", 0, 0
        self._bar: Any = None

    def __enter__(self) -> Self:
        threading.Thread(target=self._tick, name="progress", daemon=True).start()
        return self

    def __exit__(self, *_fault: object) -> None:
        self._over.set()
        with self._lock:
            self._close()

    def watch(self) -> Watch:
        """Return the callables by which `prepare` tells what happens."""
        from sobench_metrics.data.prepare.making import Watch

        return Watch(self._stage, self._step, self._say)

    def line(self) -> str:
        """Return where the stage stands, in words."""
        share = f" {self._done} of {self._total} images" if self._total else ""
        return f"{self._title}{share}, {self._traffic.bytes / 1e6:,.1f} MB moved so far"

    def _stage(self, title: str, total: int | None) -> None:
        with self._lock:
            self._close()
            self._title, self._total, self._done = title, total or 0, 0
            if total == 0:
                return
            if not self._terminal:
                print(f"{title}{f' {total} images' if total else ''}", file=sys.stderr, flush=True)
                return
            from tqdm import tqdm

            layout = None if total else "{desc}: {elapsed}{postfix}"
            self._bar = tqdm(total=total, desc=title, unit="img", bar_format=layout, leave=total is not None)

    def _step(self) -> None:
        with self._lock:
            self._done += 1
            if self._bar is not None:
                self._bar.update()

    def _say(self, text: str) -> None:
        with self._lock:
            if self._bar is not None:
                self._bar.clear()
            print(text, file=sys.stderr, flush=True)

    def _tick(self) -> None:
        while not self._over.wait(_BAR_SECONDS if self._terminal else _LOG_SECONDS):
            with self._lock:
                if self._bar is not None:
                    self._bar.set_postfix_str(f"{self._traffic.bytes / 1e6:,.1f} MB")
                elif self._title and not self._terminal:
                    print(self.line(), file=sys.stderr, flush=True)

    def _close(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None
