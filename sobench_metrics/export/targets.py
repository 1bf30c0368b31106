"""The targets by name: which gates each has, and what it makes of results that passed them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from sobench_metrics.export import every_eval_ever, gates, hf_eval_results, model_index, open_llm_leaderboard, tables
from sobench_metrics.export.files import ExportFile
from sobench_metrics.export.gates import Case, Refusal, refusals

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sobench_metrics.export.profiles import Profile
    from sobench_metrics.export.result import Result, Wishes

    Pairs = list[tuple[Result, Profile]]

__all__ = ["OF_TABLES", "TABLES", "TARGETS", "Target", "table"]


@dataclass(frozen=True, slots=True)
class Target:
    """A place that takes results: a line of help, what it refuses, what it is given, and which `Wishes` it reads."""

    help: str
    gates: tuple[Callable[[Case], Iterator[Refusal]], ...]
    build: Callable[[Pairs, Wishes], list[ExportFile]]
    reads: frozenset[str]
    takes_parts: bool = True

    def refuses(self, result: Result, profile: Profile, wishes: Wishes) -> list[Refusal]:
        """Return every closed gate of a result."""
        return refusals(self.gates, Case(result, profile, wishes))


_ALWAYS: Final = frozenset({"model_id", "revision", "dataset_revision"})
_SOURCE: Final = frozenset({"source_url", "source_name"})
_WHO: Final = frozenset({"source_user", "source_org"})

TARGETS: Final = {
    "hf-eval-results": Target(
        "a file of a model repository's .eval_results, shown on the hub's leaderboards",
        (*gates.COMMON, *gates.HUB_MODEL, *gates.WHOLE, *gates.OWN_DATASET),
        hf_eval_results.build,
        _ALWAYS | _SOURCE | _WHO | {"dataset_id", "task_id", "metric"},
        takes_parts=False,
    ),
    "model-index": Target(
        "the model-index in a model card",
        (*gates.COMMON, *gates.HUB_MODEL),
        model_index.build,
        _ALWAYS | _SOURCE | {"dataset_id"},
    ),
    "every-eval-ever": Target(
        "records of the cross-harness store of results",
        (*gates.COMMON, *gates.SAMPLES),
        every_eval_ever.build,
        _ALWAYS | _SOURCE | _WHO | {"dataset_id", "organization", "relationship", "availability", "samples"},
    ),
    "open-llm-leaderboard": Target(
        "results and request in the shape that copies of that leaderboard read",
        (*gates.COMMON, *gates.HUB_MODEL),
        open_llm_leaderboard.build,
        _ALWAYS,
    ),
}

OF_TABLES: Final = _ALWAYS | {"metric"}
"""What tables read of the wishes."""

TABLES: Final = {"csv": tables.csv_table, "markdown": tables.markdown_table}
"""For people: never refused, what the gates say stands beside the figures."""

_SUFFIXES: Final = {"csv": "csv", "markdown": "md"}


def table(name: str, results: Pairs, wishes: Wishes) -> list[ExportFile]:
    """Return one file with all figures of a run."""
    refused = {result.task: refusals(gates.COMMON, Case(result, profile, wishes)) for result, profile in results}
    return [ExportFile(f"results.{_SUFFIXES[name]}", TABLES[name](results, wishes, refused))]
