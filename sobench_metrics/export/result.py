"""What is published of one task of one run: figures with all that is needed to believe them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from sobench_metrics.results.records import Run

__all__ = ["Figure", "Model", "Result", "Wishes"]


@dataclass(frozen=True, slots=True)
class Figure:
    """One number over all samples, a share of 1 in most; `told` is what the results file says of it, if anything."""

    name: str
    value: float
    stderr: float | None = None
    lower_is_better: bool = False
    told: float | None = None


@dataclass(frozen=True, slots=True)
class Model:
    """Who answered: `name` as the run was told, `revision` the commit that was loaded, "" where nobody noted it."""

    name: str
    revision: str = ""
    backend: str = ""
    dtype: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Result:
    """One task, or the pool of the four domains of SO-Bench.

    `part` is a domain or a format, "" for the whole benchmark. `n` samples were answered, of `planned` that the task
    held, of `expected` that the benchmark's data have (None: not told). `constrained` says how answers were held to a
    schema, "" when they were free. `data` names the rows: `hub:COMMIT`, `file:HASH`, or the id of a prepared set.
    `failed_requests` got no answer, `unscored` samples no verdict. `run` is the log behind it, None for a pool.
    """

    task: str
    benchmark: str
    part: str
    is_sample_set: bool
    harness: str
    file: Path
    model: Model
    figures: tuple[Figure, ...]
    n: int
    planned: int | None
    expected: int | None
    data: str
    limit: str = ""
    constrained: str = ""
    failed_requests: int = 0
    unscored: int = 0
    signature: Mapping[str, str] = field(default_factory=dict)
    generation: Mapping[str, Any] = field(default_factory=dict)
    seconds_since_1970: float | None = None
    run: Run | None = None

    def figure(self, name: str) -> Figure | None:
        """Return the figure of that name, if the run has it."""
        return next((one for one in self.figures if one.name == name), None)

    @property
    def signature_text(self) -> str:
        """The signature on one line, as tasks write it."""
        return "|".join(f"{key}={value}" for key, value in self.signature.items())


@dataclass(frozen=True, slots=True)
class Wishes:
    """What a user says beside the run; "" where nothing was said. `samples` asks for the answers beside the figures."""

    model_id: str = ""
    revision: str = ""
    dataset_id: str = ""
    task_id: str = ""
    dataset_revision: str = ""
    metric: str = ""
    source_url: str = ""
    source_name: str = ""
    source_user: str = ""
    source_org: str = ""
    organization: str = ""
    relationship: str = ""
    availability: str = ""
    samples: bool = False
