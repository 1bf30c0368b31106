"""The runs of a report as its columns: one for each run, two where a run also holds constrained variants."""

from __future__ import annotations

import contextlib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from sobench_metrics.data.plain_words import one_line
from sobench_metrics.errors import UsageError
from sobench_metrics.results.agreement import plain_name
from sobench_metrics.results.baselines import baseline_of
from sobench_metrics.results.reading import open_runs
from sobench_metrics.results.records import VARIANT, RowSource

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from sobench_metrics.report.model import View
    from sobench_metrics.results.records import Run

__all__ = [
    "MOST_COLUMNS",
    "Column",
    "differences",
    "differing_keys",
    "lm_eval_name",
    "open_columns",
    "signature_lines",
    "signature_of",
]

MOST_COLUMNS: Final = 26

_OF_EACH: Final = ("n",)  # the tables say which samples a figure is about
_SAME_KEY: Final = {"max_tokens": "max_gen_toks"}  # lighteval's word and lm-eval's
_LIGHTEVAL_SAMPLE: Final = re.compile(r"sobench_sample_(\w+)")
_NAMELESS: Final = "(model not told) {}"
_ALL_TOLD: Final = RowSource()


@dataclass(frozen=True, slots=True)
class Column:
    """One side of the report: its letter, who answered, and its tasks by name; `constrained` holds for all or none.

    `baseline` is the known answer that stood in for a model ("oracle", "empty", "placeholder"), empty for a model.
    """

    letter: str
    model: str
    harness: str
    place: str
    runs: Mapping[str, Run]
    constrained: bool = False
    baseline: str = ""


def open_columns(places: Sequence[Path], chosen: Sequence[str] = (), rows: RowSource = _ALL_TOLD) -> list[Column]:
    """Return the columns of the runs at `places`, with the tasks named in `chosen` or all.

    `rows` says what was asked where a log does not. Raises UsageError for a place without a run, a task that no run
    holds, the same log twice, or too many columns.
    """
    wanted = {plain_name(name) for name in chosen}
    opened = [open_runs(place, rows) for place in places]
    held = {plain_name(name) for runs in opened for name in runs}
    if unknown := sorted(wanted - held):
        listed = ", ".join(one_line(name) for name in sorted(held))
        raise UsageError(f"no task {', '.join(map(one_line, unknown))} in these runs: they hold {listed}.")
    parts: list[dict[str, Run]] = []
    for runs in opened:
        kept = {name: run for name, run in runs.items() if not wanted or plain_name(name) in wanted}
        plain = {name: run for name, run in kept.items() if VARIANT not in name}
        bound = {name: run for name, run in kept.items() if VARIANT in name}
        parts += [part for part in (plain, bound) if part]
    if not parts:
        raise UsageError("these runs hold none of the tasks: choose other --tasks.")
    if len(parts) > MOST_COLUMNS:
        raise UsageError(f"{len(parts)} runs are too many for one page: name {MOST_COLUMNS} at most.")
    _refuse_twice(parts)
    return [_column(chr(ord("A") + number), runs) for number, runs in enumerate(parts)]


def differences(runs: Sequence[Run]) -> list[str]:
    """Return the keys of the signatures that are not the same in all runs, in the order of the first one."""
    told = [signature_of(run) for run in runs]
    if any("+" not in signature.get("data", "+") for signature in told):
        # lighteval's tasks add a hash of what they drew to the name of the data, which lm-eval's do not tell
        told = [{**one, "data": one["data"].partition("+")[0]} if "data" in one else one for one in told]
    keys = dict.fromkeys(key for signature in told for key in signature)
    return [key for key in keys if key not in _OF_EACH and len({signature.get(key) for signature in told}) > 1]


def differing_keys(view: View) -> list[str]:
    """Return the keys in which the runs of a view differ, those of one task compared with each other."""
    runs = [run for own in view.runs.values() for run in own]
    if not view.pooled:
        return differences(runs)
    names = dict.fromkeys(lm_eval_name(run.task) for run in runs)
    by_task = [[run for run in runs if lm_eval_name(run.task) == name] for name in names]
    return list(dict.fromkeys(key for group in by_task for key in differences(group)))


def signature_lines(view: View, letter: str) -> list[str]:
    """Return the signatures of a column in a view as text, each once."""
    told = (signature_of(run) for run in view.runs.get(letter, ()))
    lines = ("|".join(f"{key}={value}" for key, value in signature.items()) for signature in told)
    return list(dict.fromkeys(one_line(line) for line in lines))


def signature_of(run: Run) -> dict[str, str]:
    """Return a run's signature in the words of lm-eval, whichever harness told it."""
    found = {_SAME_KEY.get(key, key): value for key, value in run.signature.items()}
    if "task" in found:
        name, _, version = found["task"].rpartition(":")
        with contextlib.suppress(ValueError):
            version = f"{float(version):g}"  # "1" and "1.0" are one version
        found["task"] = f"{lm_eval_name(name)}:{version}"
    return found


def lm_eval_name(task: str) -> str:
    """Return the name of a task as lm-eval writes it, without the mark of its constrained variant."""
    return _LIGHTEVAL_SAMPLE.sub(r"sobench_\1_sample", plain_name(task))


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
    asked = str(first.settings.get("model") or "")
    return Column(
        letter=letter,
        model=one_line(first.model) or _NAMELESS.format(one_line(first.where.name)),
        harness=one_line(first.harness) or "saved answers",
        place=one_line("/".join(first.where.parts[-2:])),  # the way there is the user's own affair
        runs=runs,
        constrained=all(VARIANT in run.task for run in runs.values()),
        baseline=baseline_of(first.model) or baseline_of(asked),
    )
