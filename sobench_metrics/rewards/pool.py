"""Judging in several processes: thousands of completions a step, while the trainer's own process stays as it is."""

from __future__ import annotations

import os
import pickle
import threading
import warnings
import weakref
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from sobench_metrics.errors import UsageError
from sobench_metrics.rewards.judge import judge_all
from sobench_metrics.rewards.lane import Lane, WorkerLostError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from typing_extensions import Self

    from sobench_metrics.rewards.judge import Judge
    from sobench_metrics.rewards.reward import Reward

__all__ = ["RewardPool"]

_PIECE: Final = 64
_PIECE_CHARS: Final = 1_000_000
_PATIENCE: Final = 600.0
_TRIES: Final = 2


class RewardPool:
    """Processes that judge completions, started at the first call and kept from step to step.

        pool = RewardPool(workers=8)
        trainer = GRPOTrainer(reward_funcs=pool.parallel(ifstruct_reward), ...)

    Rewards are those of judging in turn. Calls may come from any thread, one at a time is served. The processes are
    started afresh, not forked, and never run the caller's script; each holds one piece of at most 64 completions. A
    worker that dies is told as a warning and replaced, its piece halved; a single completion over which two workers
    died counts as a missing answer. A copy in a forked or another process starts workers of its own.
    """

    def __init__(self, workers: int | None = None) -> None:
        """Keep the number of workers, by default one less than the processors; raises UsageError for less than 1."""
        self.workers = max(1, (os.cpu_count() or 2) - 1) if workers is None else workers
        if self.workers < 1:
            raise UsageError(f"A pool of {workers} workers cannot judge: give 1 or more.")
        self._forget()

    def _forget(self) -> None:
        self._lock = threading.RLock()  # a signal's handler may close the pool in the midst of a call
        self._lanes: list[Lane] = []
        self._owner = os.getpid()
        self._end = weakref.finalize(self, _end, self._lanes, self._owner)

    def __getstate__(self) -> dict[str, Any]:
        """Return the settings: processes cannot be handed on."""
        return {"workers": self.workers}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take settings over; workers start at the first call."""
        self.workers = state["workers"]
        self._forget()

    def __enter__(self) -> Self:
        """Return the pool."""
        return self

    def __exit__(self, *exception: object) -> None:
        """End the workers."""
        self.close()

    def close(self) -> None:
        """End the workers, after the call that another thread may be in; a later call starts new ones."""
        if self._owner == os.getpid():
            with self._lock:
                _end(self._lanes, self._owner)

    def parallel(self, reward: Reward) -> Reward:
        """Return the reward, judged in this pool."""
        return replace(reward, run=self.run)

    def run(self, judge: Judge, texts: Sequence[str | None], rows: Sequence[Mapping[str, Any]]) -> list[float | None]:
        """Return the reward of each text, as `judge_all` does.

        Raises UsageError as that does, for a judge that cannot be pickled, and where workers cannot start.
        """
        if self._owner != os.getpid():
            self._end.detach()
            self._forget()
        with self._lock:
            while len(self._lanes) < min(self.workers, max(1, len(texts))):
                self._lanes.append(Lane(_PATIENCE))
            job = _Job(judge, texts, rows)
            try:
                with ThreadPoolExecutor(len(self._lanes), "reward") as threads:
                    running = [threads.submit(self._serve, number, job) for number in range(len(self._lanes))]
                    try:
                        for future in running:
                            future.result()
                    except BaseException:
                        job.stop()
                        _end(self._lanes, self._owner)  # or the threads wait for answers that nobody wants
                        raise
            finally:
                job.stop()
            return job.rewards

    def _serve(self, number: int, job: _Job) -> None:
        """Do pieces of the job with one worker until none is left."""
        try:
            while (piece := job.next()) is not None:
                self._do(number, job, piece)
        except BaseException:
            job.stop()
            raise

    def _do(self, number: int, job: _Job, piece: _Piece) -> None:
        lane = self._lanes[number]
        try:
            job.keep(piece, lane.ask(job.judge, *job.content(piece)))
        except WorkerLostError as lost:
            if job.is_stopped:
                return
            told = f"a reward worker was lost ({lost}); another takes its place."
            warnings.warn(told, RuntimeWarning, stacklevel=2)
            lane.close()
            self._lanes[number] = Lane(_PATIENCE)
            job.put_back(piece)


def _end(lanes: list[Lane], owner: int) -> None:
    if owner == os.getpid():
        while lanes:
            lanes.pop().close()


@dataclass(frozen=True, slots=True)
class _Piece:
    start: int
    end: int
    losses: int = 0


class _Job:
    """One call's completions, cut into pieces that are handed out, kept, or put back."""

    def __init__(self, judge: Judge, texts: Sequence[str | None], rows: Sequence[Mapping[str, Any]]) -> None:
        try:
            self.judge = pickle.dumps(judge)
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            raise UsageError(
                f"The reward cannot be judged in other processes ({error}): its judge must be importable by name."
            ) from error
        self._plain_judge, self._texts, self._rows = judge, texts, rows
        self.rewards: list[float | None] = [None] * len(texts)
        self._waiting = deque(_pieces(texts))
        self._lock = threading.Lock()
        self.is_stopped = False

    def next(self) -> _Piece | None:
        """Return a piece that nobody has, None when there is none or the job was stopped."""
        with self._lock:
            return self._waiting.popleft() if self._waiting and not self.is_stopped else None

    def content(self, piece: _Piece) -> tuple[list[str | None], list[dict[str, Any]]]:
        """Return texts and rows of a piece; equal texts in its rows are one object, so that they travel once."""
        same: dict[str, str] = {}
        rows = [
            {name: same.setdefault(value, value) if isinstance(value, str) else value for name, value in row.items()}
            for row in self._rows[piece.start : piece.end]
        ]
        return list(self._texts[piece.start : piece.end]), rows

    def keep(self, piece: _Piece, rewards: list[float | None]) -> None:
        """Keep the rewards of a piece."""
        self.rewards[piece.start : piece.end] = rewards

    def put_back(self, piece: _Piece) -> None:
        """Have a piece over which a worker was lost done again in halves; a single one is given up in the end."""
        middle = (piece.start + piece.end) // 2
        if piece.end - piece.start > 1:
            halves = [_Piece(piece.start, middle), _Piece(middle, piece.end)]
            with self._lock:
                self._waiting.extendleft(reversed(halves))
        elif piece.losses + 1 < _TRIES:
            with self._lock:
                self._waiting.appendleft(replace(piece, losses=piece.losses + 1))
        else:
            message = f"completion {piece.start} cost {_TRIES} reward workers; it counts as a missing answer."
            warnings.warn(message, RuntimeWarning, stacklevel=2)
            self.keep(piece, judge_all(self._plain_judge, [None], self._rows[piece.start : piece.end]))

    def stop(self) -> None:
        """Hand out no more."""
        self.is_stopped = True


def _pieces(texts: Sequence[str | None]) -> Iterator[_Piece]:
    """Yield pieces of at most 64 completions and, unless it is one alone, a million characters."""
    start = chars = 0
    for index, text in enumerate(texts):
        length = len(text or "")
        if index > start and (index - start >= _PIECE or chars + length > _PIECE_CHARS):
            yield _Piece(start, index)
            start, chars = index, 0
        chars += length
    if texts:
        yield _Piece(start, len(texts))
