"""One scoring process as its parent sees it: started, given a piece, heard of, ended.

Each has a pipe of its own, of which nobody else holds an end: whichever side dies, the other one reads its end. The
pool of the standard library shares its pipes, and waits for ever for the rest of a result whose writer was killed.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import pickle
import signal
import traceback
from multiprocessing import resource_tracker
from typing import TYPE_CHECKING, Any, Final

from sobench_metrics.errors import UsageError
from sobench_metrics.results.scored_pieces import Piece, score_piece

if TYPE_CHECKING:
    from collections.abc import Iterator
    from multiprocessing.connection import Connection
    from pathlib import Path

    from sobench_metrics.results.formats import Item

__all__ = ["Worker", "WorkerLostError"]

_CONTEXT: Final = multiprocessing.get_context("spawn")


class WorkerLostError(Exception):
    """The process ended before it gave its piece back."""


class Worker:
    """A scoring process, started afresh and not forked; it has one piece at a time."""

    def __init__(self, work: Path) -> None:
        """Start the process; `work` is a file of what every piece needs, pickled: run, context, and whether lines.

        Raises WorkerLostError when the system has no place for it.
        """
        self.pipe, theirs = _CONTEXT.Pipe()
        self._process = _CONTEXT.Process(target=_serve, args=(work, theirs), daemon=True)
        try:
            with _deaf_to_ctrl_c():
                self._process.start()
        except OSError as error:
            raise WorkerLostError from error
        finally:
            theirs.close()

    def give(self, piece: list[Item]) -> None:
        """Hand a piece to a worker that has none; raises WorkerLostError."""
        try:
            self.pipe.send(piece)
        except OSError as error:
            raise WorkerLostError from error

    def result(self) -> Piece:
        """Wait for the scored piece; raises WorkerLostError, UsageError for no sample, RuntimeError for a fault."""
        try:
            found = self.pipe.recv()
        except (EOFError, OSError) as error:
            raise WorkerLostError from error
        if isinstance(found, Piece):
            return found
        raise found if isinstance(found, UsageError) else RuntimeError(f"a scoring process failed:\n{found}")

    def end(self) -> None:
        """End the process, whatever it is doing."""
        self._process.kill()
        self._process.join()
        self.pipe.close()


@contextlib.contextmanager
def _deaf_to_ctrl_c() -> Iterator[None]:
    """Have a process that is started here never hear Ctrl-C, which a terminal sends to all: it is the parent's."""
    mask = getattr(signal, "pthread_sigmask", None)  # not on every system
    if mask is None:
        yield
        return
    resource_tracker.ensure_running()  # which lets the signal through again once it has started
    before = mask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        mask(signal.SIG_SETMASK, before)


def _serve(work: Path, pipe: Connection) -> None:
    """Score pieces until the parent closes the pipe or is gone."""
    run, context, as_lines = pickle.loads(work.read_bytes())  # noqa: S301 - our own parent's
    with contextlib.suppress(EOFError, OSError):
        while True:
            pipe.send(_scored(run, context, pipe.recv(), as_lines=as_lines))


def _scored(run: Any, context: Any, piece: list[Item], *, as_lines: bool) -> Piece | UsageError | str:
    try:
        return score_piece(run, context, piece, as_lines=as_lines)
    except UsageError as error:
        return error
    except Exception:  # noqa: BLE001 - told by the parent, in whole
        return traceback.format_exc()
