"""What a report is made of: samples as they were asked, the answers of every column, and the views that show them.

Texts lie packed (zlib over JSON): a report over thousands of samples and several runs must fit into a small machine.
"""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sobench_metrics.report.columns import Column
    from sobench_metrics.report.slices import Kind
    from sobench_metrics.results.records import Run

__all__ = ["Answer", "Asked", "Gathered", "State", "View", "pack", "unpack"]

State = Literal["passed", "failed", "recoverable", "unjudged", "skipped", "not run"]


_SKIPPED: Final = "skipped"


@dataclass(frozen=True, slots=True)
class Answer:
    """One column's answer to one sample: its figures as logged, what explains them, and packed what the browser shows.

    `recoverable` is None where no tolerant reader could be asked: another task, or a row that is not at hand; `steps`
    are what it took. `first` is the family that lost a failed answer. `held` is how the answer was held to its schema
    ("constrained", "free", "skipped"), "" where the log does not say. `lost` says that the request failed, `differs`
    that this version judges otherwise than the log.
    """

    means: Mapping[str, float]
    ratios: Mapping[str, tuple[float, float]]
    passed: bool | None
    codes: tuple[str, ...]
    first: str
    packed: bytes
    recoverable: bool | None = None
    steps: tuple[str, ...] = ()
    held: str = ""
    lost: bool = False
    fields: Mapping[tuple[str, str], tuple[int, int]] = field(default_factory=dict)
    differs: bool = False

    @property
    def state(self) -> State:
        """The answer in one word; a recoverable one has failed by the official rules."""
        if self.held == _SKIPPED:
            return "skipped"
        if self.passed is None:
            return "unjudged"
        if self.passed:
            return "passed"
        return "recoverable" if self.recoverable else "failed"


@dataclass(slots=True)
class Asked:
    """One sample of a task, and the answers to it by the letter of their column.

    `prompt` is the hash of its text. `has_row` says that the benchmark's row is at hand.
    """

    task: str
    doc_id: str
    kind: Kind
    slices: Mapping[str, str]
    cluster: str
    image: str
    prompt: int
    has_row: bool
    packed: bytes
    answers: dict[str, Answer] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class View:
    """Samples that are shown under one name: a task, or the domains of SO-Bench pooled.

    `pooled` names its members, each with the letters of the columns that ran it. `planned` is how many samples the
    tasks have that a column ran, None where its log does not say.
    """

    name: str
    kind: Kind
    samples: Sequence[Asked]
    runs: Mapping[str, Sequence[Run]]
    planned: Mapping[str, int | None]
    pooled: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def answers(self, letter: str) -> list[tuple[Asked, Answer]]:
        """Return the samples that a column answered, with its answers."""
        return [(asked, asked.answers[letter]) for asked in self.samples if letter in asked.answers]

    def parts(self, letter: str) -> tuple[str, ...]:
        """Return the members that a column ran of a pooled view, () where it ran all of them."""
        ran = tuple(name for name, letters in self.pooled.items() if letter in letters)
        return () if len(ran) == len(self.pooled) else ran


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
