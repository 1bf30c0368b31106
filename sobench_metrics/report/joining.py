"""Which answers of several logs are answers to one sample: by task, name and data, whichever runner wrote them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from sobench_metrics.data.plain_words import one_line
from sobench_metrics.data.prepared import DOMAINS
from sobench_metrics.report.columns import lm_eval_name
from sobench_metrics.results.agreement import content

if TYPE_CHECKING:
    from collections.abc import Callable

    from sobench_metrics.report.model import Asked
    from sobench_metrics.results.agreement import Content
    from sobench_metrics.results.records import Run, Sample

__all__ = ["Shelf", "Shelved", "name_of", "task_of"]

_WHOLE: Final = re.compile(r"sobench(_sample)?")


def task_of(run: Run, sample: Sample | None = None) -> str:
    """Return the name of a task as lm-eval writes it; a sample of the whole of SO-Bench belongs to its own domain."""
    name = lm_eval_name(run.task)
    whole = _WHOLE.fullmatch(name)
    domain = sample.row.get("domain") if sample else None
    if whole and domain in DOMAINS:
        name = f"sobench_{domain}{whole[1] or ''}"
    return one_line(name)


def name_of(sample: Sample) -> str:
    """Return the name of the row that was asked, with the number of the rollout where there are several."""
    row = sample.row_id
    return sample.doc_id if not row or sample.doc_id.startswith(f"{row}#") else row


@dataclass(slots=True)
class Shelved:
    """The samples of one task, and who ran it: runs by the letter of their column."""

    found: list[Asked] = field(default_factory=list)
    by_name: dict[str, list[tuple[Content, Asked]]] = field(default_factory=dict)
    runs: dict[str, list[Run]] = field(default_factory=dict)


@dataclass(slots=True)
class Shelf:
    """The samples of all tasks in the order in which they were first met."""

    tasks: dict[str, Shelved] = field(default_factory=dict)

    def asked(self, letter: str, run: Run, sample: Sample, make: Callable[[str, str], Asked]) -> Asked:
        """Return the sample that an answer of a column is to: a known one, or what `make` gives for task and name.

        A column that answers one row twice under different names has two samples: no answer replaces another.
        """
        task, name, own = task_of(run, sample), name_of(sample), content(sample)
        shelf = self.tasks.setdefault(task, Shelved())
        runs = shelf.runs.setdefault(letter, [])
        if run not in runs:
            runs.append(run)
        named = shelf.by_name.setdefault(name, [])
        for known, asked in named:
            if letter not in asked.answers and _same_data(known, own):
                return asked
        found = make(task, name)
        named.append((own, found))
        shelf.found.append(found)
        return found


def _same_data(known: Content, other: Content) -> bool:
    """Return whether two logs speak of the same row: by the columns that both hold, else by the log's own hash."""
    shared = known.columns.keys() & other.columns.keys()
    if shared:
        return all(known.columns[name] == other.columns[name] for name in shared)
    return known.data_hash == other.data_hash
