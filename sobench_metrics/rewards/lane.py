"""One worker process as its parent sees it: started, asked, found dead, ended."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import threading
from typing import TYPE_CHECKING, Any, BinaryIO, Final, cast

from sobench_metrics.errors import UsageError
from sobench_metrics.rewards.framing import EndOfStreamError, receive, send

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

__all__ = ["Lane", "WorkerLostError"]

_START_PATIENCE: Final = 300.0


class WorkerLostError(Exception):
    """The worker died, or did not answer in time, over a piece of work; the text says which."""


class Lane:
    """A worker process; used by one thread at a time."""

    def __init__(self, patience: float) -> None:
        """Start the process; it imports while the caller goes on. An answer may take `patience` seconds."""
        self._patience = patience
        start = f"import sys; sys.path[:] = {sys.path!r}; from sobench_metrics.rewards.worker import main; main()"
        self._process = subprocess.Popen(  # noqa: S603 - this interpreter, our own words
            [sys.executable, "-c", start],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C is the trainer's to handle, also while a worker imports
        )
        self._is_ready = False

    @property
    def pid(self) -> int:
        """The process's number."""
        return self._process.pid

    def ask(self, judge: bytes, texts: Sequence[str | None], rows: Sequence[Mapping[str, Any]]) -> list[float | None]:
        """Return the rewards of a piece of work.

        Raises WorkerLostError when the worker is gone, UsageError for a row that cannot be judged, a judge that
        cannot be imported there, or a worker that cannot even start, RuntimeError for a fault of the judge.
        """
        self._await_ready()
        try:
            with self._killed_after(self._patience):
                send(cast("BinaryIO", self._process.stdin), (judge, texts, rows))
                kind, content = cast("tuple[str, Any]", receive(cast("BinaryIO", self._process.stdout)))
        except (EndOfStreamError, OSError) as error:
            raise WorkerLostError(f"process {self.pid} ended with status {self._status()}") from error
        if kind == "usage":
            raise UsageError(content)
        if kind == "fault":
            raise RuntimeError(f"a reward's judge failed in a worker process: {content}")
        return cast("list[float | None]", content)

    def _await_ready(self) -> None:
        if self._is_ready:
            return
        try:
            with self._killed_after(_START_PATIENCE):
                receive(cast("BinaryIO", self._process.stdout))
        except (EndOfStreamError, OSError) as error:
            raise UsageError(
                f"a reward worker could not start (status {self._status()}; its own words are above): check that "
                f"`{sys.executable} -c 'import sobench_metrics.rewards'` works, or judge without a pool."
            ) from error
        self._is_ready = True

    @contextlib.contextmanager
    def _killed_after(self, seconds: float) -> Iterator[None]:
        timer = threading.Timer(seconds, self._process.kill)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def _status(self) -> int:
        self._process.kill()
        return self._process.wait()

    def close(self) -> None:
        """End the process, whatever it is doing."""
        self._process.kill()
        self._process.wait()
        with contextlib.suppress(OSError):  # bytes that nobody will read
            cast("BinaryIO", self._process.stdin).close()
        cast("BinaryIO", self._process.stdout).close()
