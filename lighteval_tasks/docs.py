"""From a row to a lighteval `Doc`: the prompt, a reference to the picture, and the name of the row; no labels."""

from __future__ import annotations

from typing import Any

from lighteval.tasks.requests import Doc

from lighteval_tasks import data, settings
from sobench_metrics.data.prepared import image_of

__all__ = ["doc_of", "is_ours"]

_LABELS = ("schema_json", "target_json", "evaluation_labels_json")


def doc_of(found: data.TaskData, number: int) -> Doc:
    """Return row `number` as a question.

    `query` is the user's text, `instruction` SO-Bench's system prompt, `images` holds a reference that is plain text
    (`sha256:...`) wherever the doc is written to. `specific` is flat text: anything else breaks the table that
    lighteval writes after a run.
    """
    row = found.rows[number]
    named = {"task": found.task.name, "data": found.revision, "row": str(number), "doc_id": str(row["doc_id"])}
    system, user = data.prompts_of(found.prepared, row)
    if found.prepared is None:
        return Doc(query=user, choices=[""], gold_index=0, specific=named)
    if settings.labels_wanted():
        named |= {column: str(row[column]) for column in _LABELS}
    return Doc(
        query=user,
        instruction=system or None,
        choices=[""],
        gold_index=0,
        images=[image_of(found.prepared.root, dict(row))],
        specific=named,
    )


def is_ours(doc: Any) -> bool:
    """Return whether a doc was made here."""
    return isinstance(doc.specific, dict) and {"task", "data", "row", "doc_id"} <= doc.specific.keys()
