"""The lm-eval task class of IFStruct with a schema for each request; the plain tasks need no class."""

from __future__ import annotations

import logging
from copy import deepcopy
from typing import TYPE_CHECKING, Any

from lm_eval_tasks import versions
from sobench_metrics import uncaught

uncaught.install()
versions.require_lm_eval()

import datasets
from lm_eval.api.task import ConfigurableTask

from lm_eval_tasks import constraint, dispatch, ifstruct
from sobench_metrics import __version__
from sobench_metrics.constrained.answer_schema import NotPossible, answer_schema
from sobench_metrics.data.ifstruct_rows import load_rows
from sobench_metrics.data.sample import sample_home
from sobench_metrics.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from lm_eval.api.instance import Instance

    from sobench_metrics.data.ifstruct_rows import RowSet

__all__ = ["ConstrainedIFStruct"]

_LISTED = 5
log = logging.getLogger(f"lm_eval.{__name__}")  # the harness shows its own loggers only


class ConstrainedIFStruct(ConfigurableTask):
    """The rows of IFStruct that ask for JSON and nothing around it, each held to its own schema.

    `--metadata` settings are those of `lm_eval_tasks.constraint`.
    """

    _found: RowSet

    def __init__(self, config: dict[str, Any] | None = None) -> None:
        dispatch.install()
        settings = {key: value for key, value in (config or {}).items() if key != "class"}
        settings["metric_list"] = [*settings["metric_list"], *constraint.METRICS]
        self._constraints = constraint.Constraints(settings.get("metadata") or {})
        super().__init__(config=settings)
        # not before: the base class looks the kind up; from here on the harness pads ranks and sorts requests by it
        self.OUTPUT_TYPE = dispatch.TEXT_TYPE

    def download(self, dataset_kwargs: dict[str, Any] | None = None, **_: Any) -> None:
        """Load the rows that a schema can describe, and say by name how many others there are."""
        sample = bool((dataset_kwargs or {}).get("sample"))
        self._found = load_rows(sample_home() / "ifstruct.jsonl" if sample else None)
        excluded: dict[str, list[str]] = {}
        rows = []
        for row in self._found.rows:
            possible = answer_schema(row)
            if isinstance(possible, NotPossible):
                excluded.setdefault(possible.code, []).append(str(row["doc_id"]))
            else:
                rows.append(row)
        for code, ids in excluded.items():
            more = f" and {len(ids) - _LISTED} more" if len(ids) > _LISTED else ""
            log.info("%s: %d rows excluded, %s: %s%s", self.config.task, len(ids), code, ", ".join(ids[:_LISTED]), more)
        if not rows:
            raise UsageError(f"none of the {len(self._found.rows)} rows of {self.config.task} can be held to a schema.")
        self.dataset = {self.config.test_split: datasets.Dataset.from_list(rows)}
        self._excluded = sum(map(len, excluded.values()))

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
        """Return the aggregations; two of them, called with the samples of all ranks, note how many were what."""
        return self._constraints.counting(dict(super().aggregation()))

    def dump_config(self) -> dict[str, Any]:
        """Return the configuration with the signature of the numbers, which is logged too."""
        config: dict[str, Any] = super().dump_config()
        rows = len(self.dataset[self.config.test_split])
        parts = {
            "task": f"{self.config.task}:{self.VERSION}",
            "scores": "official",
            "reasoning": "removed by the scorer",
            "rows": f"{rows}/{len(self._found.rows)}",
            "excluded": str(self._excluded),
            "data": self._found.revision,
            **self._constraints.signature(),
            "sobench": __version__,
        }
        signature = "|".join(f"{key}={value}" for key, value in parts.items())
        log.info("%s signature: %s", self.config.task, signature)
        config["metadata"] = {**(config.get("metadata") or {}), "signature": signature}
        return config
