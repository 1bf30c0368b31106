"""From rows to inspect samples: the prompts, and the name of the row; no picture, and no labels unless asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageSystem, ChatMessageUser

from lighteval_tasks import data, settings

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inspect_ai.model import ChatMessage

__all__ = ["TaskRows", "located", "sample_of"]

_LABELS = ("schema_json", "target_json", "evaluation_labels_json")


class TaskRows(MemoryDataset):
    """The samples of one of our tasks; `found` are the rows behind them."""

    def __init__(self, found: data.TaskData) -> None:
        super().__init__([sample_of(found, number) for number in range(len(found.rows))], name=found.task.name)
        self.found = found


def sample_of(found: data.TaskData, number: int) -> Sample:
    """Return row `number` as a question without its picture.

    The solver puts the picture in when the sample's turn comes: inspect holds all samples in memory, and writes them
    into its log as they are here.
    """
    row = found.rows[number]
    system, user = data.prompts_of(found.prepared, row)
    asked: list[ChatMessage] = [ChatMessageSystem(content=system)] if system else []
    named = {"task": found.task.name, "data": found.revision, "row": number, "doc_id": str(row["doc_id"])}
    labelled = found.prepared is not None and settings.labels_wanted()
    return Sample(
        id=number + 1,  # `doc_id` need not be unique in rows of the user's own
        input=[*asked, ChatMessageUser(content=user)],
        target=str(row["target_json"]) if labelled else "",
        metadata=named | ({column: str(row[column]) for column in _LABELS} if labelled else {}),
    )


def located(metadata: Mapping[str, Any]) -> tuple[data.TaskData, Mapping[str, Any]]:
    """Return the rows that a sample's metadata names, and the sample's own; raises UsageError if they changed."""
    found = data.loaded(str(metadata["task"]), str(metadata["data"]))
    return found, found.rows[int(metadata["row"])]
