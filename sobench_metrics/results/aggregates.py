"""The final figures in results files of either harness, of our tasks and of any other."""

from __future__ import annotations

import csv
import json
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from sobench_metrics.data.plain_words import one_line, reason
from sobench_metrics.errors import UsageError
from sobench_metrics.results.records import VARIANT
from sobench_metrics.results.task_names import plain_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

__all__ = ["Aggregate", "of_place", "of_scores"]

_MAIN: Final = (
    "pass", "field_match", "exact_match", "acc_norm", "acc", "prompt_level_strict_acc", "score", "em", "f1",
)  # fmt: skip
"""The figure that stands for a task unless the user names another: the first of these that it has."""

_COLUMNS: Final = ("model", "benchmark", "score")


@dataclass(frozen=True, slots=True)
class Aggregate:
    """One figure of one task of one model; `main` marks the one that stands for its task."""

    model: str
    task: str
    figure: str
    value: float
    main: bool
    source: str

    @property
    def name(self) -> str:
        """The benchmark as a table names it."""
        return self.task if self.main else f"{self.task}/{self.figure}"


def of_place(place: Path) -> list[Aggregate]:
    """Return the figures of a results file, or of all that lie in a folder, each model's newest of a task last.

    Raises UsageError for a place without results, and for a file that cannot be read.
    """
    if place.is_file():
        return list(_of_file(place))
    if not place.is_dir():
        raise UsageError(f"there is no {place}: name a results file, or a folder given as --output_path.")
    files = sorted(
        (file for file in place.rglob("*.json") if "results" in file.name), key=lambda file: (file.name, str(file))
    )
    found = [figure for file in files for figure in _of_file(file)]
    if not found:
        raise UsageError(f"{place} holds no results of lm-eval or lighteval: name the folder given as --output_path.")
    return found


def of_scores(file: Path) -> list[Aggregate]:
    """Return the figures of a CSV file with the columns model, benchmark, score: published numbers, other harnesses.

    Raises UsageError naming the line that cannot be read, or that scores the same once more.
    """
    try:
        with file.open(encoding="utf-8-sig", newline="") as handle:
            rows = csv.DictReader(handle)
            if rows.fieldnames is None or not set(_COLUMNS) <= set(rows.fieldnames):
                raise UsageError(f"{file} needs the columns {', '.join(_COLUMNS)} in its first line.")
            found = [_scored(file, number, row) for number, row in enumerate(rows, 2)]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise UsageError(f"cannot read {file} ({reason(error)}): need a CSV file of {', '.join(_COLUMNS)}.") from error
    seen: set[tuple[str, str]] = set()
    for number, one in enumerate(found, 2):
        if (one.model, one.task) in seen:
            raise UsageError(
                f"{file}, line {number} scores {one.model} on {one.task} again: keep one of the two lines."
            )
        seen.add((one.model, one.task))
    return found


def _scored(file: Path, number: int, row: Mapping[str, Any]) -> Aggregate:
    try:
        score = float(row["score"])
    except (TypeError, ValueError):
        score = math.nan
    if not math.isfinite(score) or not row["model"] or not row["benchmark"]:
        raise UsageError(f"{file}, line {number}: need a model, a benchmark and a number.")
    return Aggregate(one_line(row["model"]), one_line(row["benchmark"]), "score", score, main=True, source=str(file))


def _of_file(file: Path) -> Iterator[Aggregate]:
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise UsageError(f"cannot read {file} ({reason(error)}): name results of lm-eval or lighteval.") from error
    results = content.get("results") if isinstance(content, dict) else None
    if not isinstance(results, dict):
        raise UsageError(f"{file} is no results file of lm-eval or lighteval.")
    general = content.get("config_general")
    named = general.get("model_name") if isinstance(general, dict) else content.get("model_name")
    model = str(named or file.parent.name)
    for key, figures in results.items():
        if isinstance(figures, dict) and key != "all":
            task = key.partition("|")[0]
            yield from _of_task(model, plain_name(task) + VARIANT * (VARIANT in task), figures, str(file))


def _of_task(model: str, task: str, figures: Mapping[str, Any], source: str) -> Iterator[Aggregate]:
    found: dict[str, float] = {}
    for key, value in figures.items():
        name = key.partition(",")[0]
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
        if is_number and "_stderr" not in name and name not in ("sample_len", "alias", "sample_count"):
            found.setdefault(name, float(value))  # of several filters the first
    main = next((name for name in _MAIN if name in found), next(iter(found), ""))
    for name, value in found.items():
        yield Aggregate(one_line(model), one_line(task), one_line(name), value, name == main, source)
