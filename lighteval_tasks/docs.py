"""From a row to a lighteval `Doc`: the prompt, a reference to the picture, and the name of the row; no labels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lighteval.tasks.requests import Doc

from lighteval_tasks import data, settings
from sobench_metrics.data.prepared import image_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["asked_apart", "doc_of", "is_ours", "is_same"]

_NAMES = {"task", "data", "row", "doc_id"}
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
    return isinstance(doc.specific, dict) and doc.specific.keys() >= _NAMES


def is_same(written: Mapping[str, Any], doc: Doc) -> bool:
    """Return whether a doc as lighteval's details hold it asks the same row of the same data as a doc of ours."""
    before, now = written.get("specific") or {}, doc.specific or {}
    return all(before.get(name) == now[name] for name in _NAMES)


def asked_apart(
    questions: list[Doc], ours: Callable[[list[Doc]], list[Any]], others: Callable[[list[Doc]], list[Any]]
) -> list[Any]:
    """Return the answers in the order of the questions; each group is asked at once, and an empty one not at all."""
    answers: dict[int, Any] = {}
    for ask, wanted in ((ours, True), (others, False)):
        places = [place for place, doc in enumerate(questions) if is_ours(doc) is wanted]
        if places:
            answers |= zip(places, ask([questions[place] for place in places]), strict=True)
    return [answers[place] for place in range(len(questions))]
