"""One run of one task and its samples, whichever harness made them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

__all__ = ["CONSTRAINED", "VARIANT", "Generation", "RowSource", "Run", "Sample", "base_name"]

VARIANT: Final = "_constrained"
"""The part of a task's name that tells the variant in which each answer is held to its own schema."""

CONSTRAINED: Final = "constrained"
"""The state of a sample whose answer was really held to its schema."""


def base_name(task: str) -> str:
    """Return a task's name without the mark of its constrained variant."""
    return task.replace(VARIANT, "")


@dataclass(frozen=True, slots=True)
class Generation:
    """What is known of how an answer came about; None where the log does not say.

    `state` is "constrained", or in a constrained run "free", "skipped" or "excluded" with the `reason`.
    """

    tokens: int | None = None
    seconds: float | None = None
    at_limit: bool | None = None
    state: str | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class RowSource:
    """Where the rows behind answers are: those of a task, or of a file; neither when the log holds them itself.

    `revision` is the data that the log says it asked, "" where it does not say.
    """

    task: str = ""
    file: Path | None = None
    revision: str = ""


@dataclass(frozen=True, slots=True)
class Run:
    """One task of one run: where it lies, who answered, and by which rules (`signature`) and options (`settings`).

    `seconds` is the time of the whole run, loading and other tasks included. `planned` is the size of the task, and
    `asked` the number of samples that the run says it is about; None where it does not say.
    `format` names what the log is written in, and `chosen` what of it is read where a log holds several tellings of one
    sample. `told` are the run's own final figures by task and name, groups of tasks included. `rows` says where the
    benchmark's rows come from that the log does not repeat.
    """

    where: Path
    log: Path
    task: str
    harness: str
    model: str
    signature: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    seconds: float | None = None
    planned: int | None = None
    asked: int | None = None
    lower_is_better: frozenset[str] = frozenset()
    format: str = "lm-eval"
    chosen: str = ""
    told: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    rows: RowSource = RowSource()


@dataclass(frozen=True, slots=True)
class Sample:
    """One answered sample: which it is, what was said, and its figures.

    `means` are numbers to be averaged, `ratios` (numerator, denominator) pairs to be summed apart. `data_hash` covers
    the row (prompt parts, target, picture), `prompt_hash` the text as it was sent. `passed` is whether the answer is
    wholly right by the official rules, None where a task has no such figure. `row` is the benchmark's row as the log
    repeats it (its columns are those of `sobench_metrics.data`), `prompt` the text that was sent; both empty where the
    log does not say. Where several samples answer one row, `doc_id` tells them apart and `row_id` is the row's name.
    `failure` says why there is no answer, "" where there is one or nobody knows.
    """

    doc_id: str
    data_hash: str
    prompt_hash: str
    answer: str | None
    means: Mapping[str, float]
    ratios: Mapping[str, tuple[float, float]]
    passed: bool | None = None
    characters: int = 0
    codes: tuple[str, ...] = ()
    diagnostics: Mapping[str, Any] = field(default_factory=dict)
    generation: Generation = Generation()
    row: Mapping[str, Any] = field(default_factory=dict)
    prompt: str = ""
    row_id: str = ""
    failure: str = ""
