"""`--load-responses-from-details-date-id` finds no task, and of several tasks would keep the last one's answers.

The file names carry `task|n`, the search takes the `|n` off and compares with `task|n` again. Behind that, the
answers of each task replace those of the one before, and nothing proves that an answer belongs to its question.
Here the answers come in the order of the questions, each with the text that it answered, or the run stops. Questions of
ours must be of the same data besides: many share their text and differ in the picture alone. And what was cut of the
answers then is no part of them: this run cuts as it is told.

Upstream: PRs #1345 (names) and #1350 (several tasks).
"""

from __future__ import annotations

from typing import Any

from lighteval_tasks.repairs.repair import Repair, is_repaired, repaired
from lighteval_tasks.repairs.source import calls
from sobench_metrics.errors import UsageError

__all__ = ["SAVED_RESPONSES"]

_OPTION = "--load-responses-from-details-date-id"


def _needed() -> bool:
    # the fault shows in one line: the name without its last part is looked up among whole names
    cuts = calls("lighteval.logging.evaluation_tracker", "EvaluationTracker.load_details_datasets", "join")
    if not cuts:
        return False
    from lighteval.pipeline import Pipeline

    return not is_repaired(Pipeline._load_responses_from_details)  # noqa: SLF001


def _apply() -> None:
    from lighteval.pipeline import Pipeline

    def load(self: Any) -> dict[Any, list[Any]]:
        saved = _saved(self.evaluation_tracker, self.pipeline_parameters.load_responses_from_details_date_id)
        left = {name: iter(saved.get(name, ())) for name in self.tasks_dict}
        return {
            method: [_answer(doc, next(left[doc.task_name], None)) for doc in docs]
            for method, docs in self.sampling_docs.items()
        }

    Pipeline._load_responses_from_details = repaired(load, Pipeline._load_responses_from_details)  # noqa: SLF001


def _saved(tracker: Any, date_id: str) -> dict[str, Any]:
    """Return the rows of each task's file of a run; FileNotFoundError, which starts the model, is the harness's."""
    from datasets import load_dataset

    folder = tracker._get_details_sub_folder(date_id)  # noqa: SLF001
    prefix, suffix = "details_", f"_{folder.name}.parquet"
    files = {str(file).rsplit("/", 1)[-1]: file for file in tracker.fs.glob(f"{folder}/{prefix}*{suffix}")}
    if not files:
        raise UsageError(f"{_OPTION}: no details in {folder}; run once with --save-details.")
    return {
        name.removeprefix(prefix).removesuffix(suffix): load_dataset("parquet", data_files=str(file), split="train")
        for name, file in files.items()
    }


def _answer(doc: Any, row: dict[str, Any] | None) -> Any:
    from lighteval.models.model_output import ModelResponse

    from lighteval_tasks import docs

    if row is None or row["doc"]["query"] != doc.query or (docs.is_ours(doc) and not docs.is_same(row["doc"], doc)):
        raise UsageError(
            f"{_OPTION}: the details hold no answer to question {doc.id} of {doc.task_name} in its place; they are of "
            "other data or of another --max-samples."
        )
    return ModelResponse(**{**row["model_response"], "text_post_processed": None})


SAVED_RESPONSES = Repair("answers from saved details", "PRs #1345, #1350", _needed, _apply)
