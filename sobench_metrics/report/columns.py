"""The runs of a report as its columns: one for each run, two where a run also holds constrained variants."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from sobench_metrics.data.plain_words import one_line
from sobench_metrics.errors import UsageError
from sobench_metrics.results.reading import open_runs
from sobench_metrics.results.records import VARIANT, base_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from sobench_metrics.results.records import Run

__all__ = ["BASELINES", "MOST_COLUMNS", "Column", "differences", "open_columns"]

BASELINES: Final = ("oracle", "empty", "placeholder")
MOST_COLUMNS: Final = 26

_OF_EACH: Final = ("n",)  # the tables say which samples a figure is about


@dataclass(frozen=True, slots=True)
class Column:
    """One side of the report: its letter, who answered, and its tasks by base name.

    `baseline` is the known answer that stood in for a model ("oracle", "empty", "placeholder"), empty for a model.
    """

    letter: str
    model: str
    harness: str
    place: str
    runs: Mapping[str, Run]
    constrained: bool = False
    baseline: str = ""


def open_columns(places: Sequence[Path], chosen: Sequence[str] = ()) -> list[Column]:
    """Return the columns of the runs at `places`, with the tasks named in `chosen` or all.

    Raises UsageError for a place without a run, a task that no run holds, the same log twice, or too many columns.
    """
    wanted = {base_name(name) for name in chosen}
    opened = [open_runs(place) for place in places]
    held = {base_name(name) for runs in opened for name in runs}
    if unknown := sorted(wanted - held):
        listed = ", ".join(one_line(name) for name in sorted(held))
        raise UsageError(f"no task {', '.join(map(one_line, unknown))} in these runs: they hold {listed}.")
    parts: list[dict[str, Run]] = []
    for runs in opened:
        kept = {name: run for name, run in runs.items() if not wanted or base_name(name) in wanted}
        plain = {name: run for name, run in kept.items() if VARIANT not in name}
        bound = {base_name(name): run for name, run in kept.items() if VARIANT in name}
        clash = plain.keys() & bound.keys()
        parts += [plain, bound] if clash else [{**plain, **bound}] if kept else []
    if not parts:
        raise UsageError("these runs hold none of the tasks: choose other --tasks.")
    if len(parts) > MOST_COLUMNS:
        raise UsageError(f"{len(parts)} runs are too many for one page: name {MOST_COLUMNS} at most.")
    _refuse_twice(parts)
    return [_column(chr(ord("A") + number), runs) for number, runs in enumerate(parts)]


def differences(runs: Sequence[Run]) -> list[str]:
    """Return the keys of the signatures that are not the same in all runs, in the order of the first one."""
    keys = dict.fromkeys(key for run in runs for key in run.signature)
    return [
        key for key in keys if key not in _OF_EACH and len({_told(run.signature.get(key), key) for run in runs}) > 1
    ]


def _told(value: str | None, key: str) -> str | None:
    return base_name(value) if value is not None and key == "task" else value


def _refuse_twice(parts: Sequence[Mapping[str, Run]]) -> None:
    seen: set[tuple[str, str]] = set()
    for runs in parts:
        for run in runs.values():
            known = (str(run.log.resolve()), run.task)
            if known in seen:
                raise UsageError(f"{one_line(run.where)} is named twice: name each run once.")
            seen.add(known)


def _column(letter: str, runs: dict[str, Run]) -> Column:
    first = next(iter(runs.values()))
    name = first.model.replace("\\", "/").rstrip("/").rpartition("/")[2]
    asked = str(first.settings.get("model") or "")
    return Column(
        letter=letter,
        model=one_line(first.model),
        harness=one_line(first.harness),
        place=one_line("/".join(first.where.parts[-2:])),  # the way there is the user's own affair
        runs=runs,
        constrained=all(VARIANT in run.task for run in runs.values()),
        baseline=next((known for known in BASELINES if known in (name, asked)), ""),
    )
