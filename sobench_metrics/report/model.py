"""What a report is made of: samples as they were asked, the answers of every column, and the views that show them.

Texts lie packed (zlib over JSON): a report over thousands of samples and several runs must fit into a small machine.
"""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sobench_metrics.report.columns import Column
    from sobench_metrics.report.slices import Kind
    from sobench_metrics.results.records import Run

__all__ = ["Answer", "Asked", "Gathered", "State", "View", "pack", "unpack"]

State = Literal["passed", "failed", "recoverable", "unjudged", "not run"]


@dataclass(frozen=True, slots=True)
class Answer:
    """One column's answer to one sample: its figures as logged, what explains them, and packed what the browser shows.

    `recoverable` is None where no tolerant reader was asked: a right answer, or a task without one. `first` is the
    family that lost a failed answer. `differs` says that this version judges otherwise than the log.
    """

    means: Mapping[str, float]
    ratios: Mapping[str, tuple[float, float]]
    passed: bool | None
    codes: tuple[str, ...]
    first: str
    packed: bytes
    recoverable: bool | None = None
    fields: Mapping[tuple[str, str], tuple[int, int]] = field(default_factory=dict)
    differs: bool = False

    @property
    def state(self) -> State:
        """The answer in one word; a recoverable one has failed by the official rules."""
        if self.passed is None:
            return "unjudged"
        if self.passed:
            return "passed"
        return "recoverable" if self.recoverable else "failed"


@dataclass(slots=True)
class Asked:
    """One sample of a task, and the answers to it by the letter of their column; `prompt` is the hash of its text."""

    task: str
    doc_id: str
    data_hash: str
    kind: Kind
    slices: Mapping[str, str]
    cluster: str
    image: str
    prompt: int
    packed: bytes
    answers: dict[str, Answer] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class View:
    """Samples that are shown under one name: a task, or the domains of SO-Bench pooled (`pooled` names them)."""

    name: str
    kind: Kind
    samples: Sequence[Asked]
    runs: Mapping[str, Sequence[Run]]
    pooled: tuple[str, ...] = ()

    def answers(self, letter: str) -> list[tuple[Asked, Answer]]:
        """Return the samples that a column answered, with its answers."""
        return [(asked, asked.answers[letter]) for asked in self.samples if letter in asked.answers]

    def planned(self, letter: str) -> int | None:
        """Return how many samples the tasks have that the column ran; None where its log does not say."""
        sizes = [run.planned for run in self.runs.get(letter, ())]
        return None if not sizes or None in sizes else sum(size or 0 for size in sizes)


@dataclass(frozen=True, slots=True)
class Gathered:
    """Everything that was read: columns, tasks in order, views to show, and what the reader has to know."""

    columns: Sequence[Column]
    tasks: Sequence[View]
    pooled: Sequence[View]
    warnings: tuple[str, ...]
    recoverable: bool

    @property
    def views(self) -> list[View]:
        """The views of slices and taxonomy: pooled ones instead of their members."""
        members = {name for view in self.pooled for name in view.pooled}
        return [*self.pooled, *(view for view in self.tasks if view.name not in members)]

    def samples(self) -> Iterable[Asked]:
        """Yield all samples, task by task."""
        for view in self.tasks:
            yield from view.samples


def pack(content: Any) -> bytes:
    """Return plain types as packed JSON; half surrogates survive as escapes."""
    return zlib.compress(json.dumps(content, separators=(",", ":")).encode("ascii"), 1)


def unpack(packed: bytes) -> Any:
    """Return what `pack` was given."""
    return json.loads(zlib.decompress(packed))
