"""The lm-eval task class of IFStruct with a schema for each request."""

from __future__ import annotations

import logging
from copy import deepcopy
from typing import TYPE_CHECKING, Any

from lm_eval_tasks import constraint, dispatch, ifstruct
from lm_eval_tasks.ifstruct_task import IFStructTask
from sobench_metrics.constrained.answer_schema import NotPossible, answer_schema

if TYPE_CHECKING:
    from collections.abc import Callable

    from lm_eval.api.instance import Instance

__all__ = ["ConstrainedIFStruct"]

_LISTED = 5
log = logging.getLogger(f"lm_eval.{__name__}")  # the harness shows its own loggers only


class ConstrainedIFStruct(IFStructTask):
    """The rows of IFStruct that ask for JSON and nothing around it, each held to its own schema.

    `--metadata` settings are those of `lm_eval_tasks.constraint`.
    """

    def __init__(self, config: dict[str, Any] | None = None) -> None:
        dispatch.install()
        settings = dict(config or {})
        settings["metric_list"] = constraint.Constraints.pooled(settings["metric_list"])
        self._constraints = constraint.Constraints(settings.get("metadata") or {}, str(settings.get("task")))
        super().__init__(config=settings)
        # not before: the base class looks the kind up; from here on the harness pads ranks and sorts requests by it
        self.OUTPUT_TYPE = dispatch.TEXT_TYPE

    def chosen(self, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Return the rows that a schema can describe, and say by name how many others there are."""
        excluded: dict[str, list[str]] = {}
        kept = []
        for row in rows:
            possible = answer_schema(row)
            if isinstance(possible, NotPossible):
                excluded.setdefault(possible.code, []).append(str(row["doc_id"]))
            else:
                kept.append(row)
        for code, ids in excluded.items():
            more = f" and {len(ids) - _LISTED} more" if len(ids) > _LISTED else ""
            log.info("%s: %d rows excluded, %s: %s%s", self.config.task, len(ids), code, ", ".join(ids[:_LISTED]), more)
        return kept

    def fewshot_context(self, *args: Any, chat_template: Callable[..., Any] | None = None, **kwargs: Any) -> Any:
        """Return the prompt as the plain task asks it, byte by byte."""
        self._constraints.meet(getattr(chat_template, "__self__", None))
        return super().fewshot_context(*args, chat_template=chat_template, **kwargs)

    def construct_requests(self, doc: dict[str, Any], ctx: Any, **kwargs: Any) -> list[Instance]:
        """Return one request of our own type, which carries the schema."""
        self._constraints.meet(getattr(kwargs.get("chat_template"), "__self__", None))
        arguments = (ctx, deepcopy(self.config.generation_kwargs), self._constraints.part_of(doc))
        return dispatch.request(dispatch.TEXT_TYPE, doc, arguments, kwargs["metadata"])

    def process_results(self, doc: dict[str, Any], results: list[Any]) -> dict[str, Any]:
        """Return `pass`, its slices, and what became of the constraint; never raises."""
        if "bypass" in self._metric_fn_list:  # --predict_only
            return {"bypass": results}
        return self._constraints.told(ifstruct.process_results(doc, results), doc, results[0])

    def aggregation(self) -> dict[str, Any]:
        """Return the aggregations; some of them, called with the samples of all ranks, note how many were what."""
        return self._constraints.counting(super().aggregation())

    def signature(self) -> dict[str, str]:
        """Return the plain task's signature, with rows that stayed out, the engine, and how many answers it held."""
        parts = super().signature()
        rows, asked = len(self.found.rows), len(self.dataset[self.config.test_split])
        told = {"rows": f"{asked}/{rows}", "excluded": str(rows - asked), **self._constraints.signature()}
        return {**{key: value for key, value in parts.items() if key != "sobench"}, **told, "sobench": parts["sobench"]}
