"""The rows behind a task: loaded once, named by their content, at hand when an answer is scored.

lighteval's own way (`load_dataset` of a repository) serves stale Arrow files after data changed, decodes every picture
before the first question, and copies what it is given into files that can be pushed. So rows stay here: a lighteval
doc names its row, and nothing of the labels travels with it.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lighteval_tasks import catalog, settings
from sobench_metrics.data import ifstruct_rows, prepared
from sobench_metrics.data.hard_rows import load_hard_rows
from sobench_metrics.data.prompt_text import merged
from sobench_metrics.data.sample import sample_home, sample_pictures
from sobench_metrics.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sobench_metrics.data.prepared import PreparedSet

__all__ = ["TaskData", "load", "loaded", "prompts_of", "row_behind"]


@dataclass(frozen=True, slots=True)
class TaskData:
    """Rows of one task in file order; `revision` names the set and, behind a plus sign, rows and prompts by content.

    `prepared` is None for IFStruct and the hard set; `expected` is how many rows a complete set has.
    """

    task: catalog.Entry
    rows: tuple[Mapping[str, Any], ...]
    revision: str
    expected: int
    prepared: PreparedSet | None = None


_LOADED: dict[tuple[str, str], TaskData] = {}


def load(name: str) -> TaskData:
    """Return the rows of a task as they are on the disk now; raises UsageError when they are not there or not whole."""
    task = catalog.entry(name)
    data = {"sobench": _sobench, "ifstruct": _ifstruct, "ifstruct_hard": _hard}[task.benchmark](task)
    _LOADED[name, data.revision] = data
    return data


def loaded(name: str, revision: str) -> TaskData:
    """Return rows that were loaded in this process; raises UsageError when they were not, or changed since."""
    data = _LOADED.get((name, revision)) or load(name)
    if data.revision != revision:
        raise UsageError(f"the data of {name} changed from {revision} to {data.revision} during the run: run it again.")
    return data


def prompts_of(found: PreparedSet | None, row: Mapping[str, Any]) -> tuple[str, str]:
    """Return the system prompt ("" for none) and the user's text of a row, as every route asks them."""
    if found is None:
        return "", str(row["prompt"])
    user = found.prompts.user_text(schema_json=row["schema_json"], user_intent=row["user_intent"])
    return ("", merged(found.prompts.system, user)) if settings.merge_system() else (found.prompts.system, user)


def row_behind(doc: Any) -> Mapping[str, Any]:
    """Return the row that a lighteval `Doc` of ours names."""
    named = doc.specific
    data = loaded(str(named["task"]), str(named["data"]))
    return data.rows[int(named["row"])]


def _sobench(task: catalog.Entry) -> TaskData:
    root = sample_pictures() if task.sample else prepared.prepared_root(prepared.sobench_home())
    found = prepared.load(root, task.domain)
    revision = f"{found.prep_id}+{_digest(found, found.docs)}"
    return TaskData(task, found.docs, revision, found.expected, found)


def _ifstruct(task: catalog.Entry) -> TaskData:
    found = ifstruct_rows.load_rows(sample_home() / "ifstruct.jsonl" if task.sample else None)
    rows = tuple(row for row in found.rows if task.only_format in ("", row["output_format"]))
    if not rows:
        raise UsageError(
            f"none of the {len(found.rows)} rows of {task.name} asks for {task.only_format}: choose another task."
        )
    return TaskData(task, rows, f"{found.revision}+{_digest(None, rows)}", len(rows))


def _hard(task: catalog.Entry) -> TaskData:
    found = load_hard_rows(sample=task.sample)
    return TaskData(task, found.rows, f"{found.revision}+{_digest(None, found.rows)}", len(found.rows))


def _digest(found: PreparedSet | None, rows: Sequence[Mapping[str, Any]]) -> str:
    """Name rows and prompts by content: lighteval's cache of answers knows neither data nor prompts."""
    content = [(row, prompts_of(found, row)) for row in rows]
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:12]
