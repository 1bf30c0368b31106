"""The lm-eval task class of IFStruct: a plain task whose results carry the signature of their numbers."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from lm_eval_tasks import versions
from sobench_metrics import uncaught

uncaught.install()
versions.require_lm_eval()  # older ones lack names that are imported below, and would say only that

import datasets
from lm_eval.api.task import ConfigurableTask

from sobench_metrics import __version__
from sobench_metrics.data.ifstruct_rows import load_rows
from sobench_metrics.data.sample import sample_home
from sobench_metrics.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from sobench_metrics.data.ifstruct_rows import RowSet

__all__ = ["IFStructTask"]

_COUNTED = "pass_json"  # not one of lm-eval's own aggregations, whose identity decides about the standard error
log = logging.getLogger(f"lm_eval.{__name__}")  # the harness shows its own loggers only


class IFStructTask(ConfigurableTask):
    """The rows of IFStruct, asked as the harness asks any text.

    `dataset_kwargs`: `sample: true` takes the bundled rows instead of the benchmark's (hub, or the file that
    SOBENCH_IFSTRUCT names), `only_format` those that ask for "json" or "yaml".
    """

    found: RowSet

    def __init__(self, config: dict[str, Any] | None = None) -> None:
        self._scored = 0
        super().__init__(config={key: value for key, value in (config or {}).items() if key != "class"})

    def download(self, dataset_kwargs: dict[str, Any] | None = None, **_: Any) -> None:
        """Load the rows; raises UsageError when there are none."""
        chosen = dataset_kwargs or {}
        self.found = self.row_set(sample=bool(chosen.get("sample")))
        only = chosen.get("only_format")
        rows = self.chosen([row for row in self.found.rows if only in (None, row["output_format"])])
        if not rows:
            what = f"asks for {only}" if only else "can be held to a schema"
            raise UsageError(
                f"none of the {len(self.found.rows)} rows of {self.config.task} {what}: choose another task."
            )
        self.dataset = {self.config.test_split: datasets.Dataset.from_list(rows)}

    def row_set(self, *, sample: bool) -> RowSet:
        """Return the rows of the benchmark, or the bundled ones."""
        return load_rows(sample_home() / "ifstruct.jsonl" if sample else None)

    def chosen(self, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Return the rows that this task asks; a subclass leaves out what it cannot."""
        return rows

    def aggregation(self) -> dict[str, Any]:
        """Return the aggregations; one of them, called with the samples of all ranks, notes how many there are."""
        functions = dict(super().aggregation())
        if _COUNTED in functions:
            functions[_COUNTED] = self._counting(functions[_COUNTED])
        return functions

    def _counting(self, aggregate: Callable[[list[Any]], Any]) -> Callable[[list[Any]], Any]:
        def count(values: list[Any]) -> Any:
            self._scored = len(values)
            return aggregate(values)

        return count

    def dump_config(self) -> dict[str, Any]:
        """Return the configuration with the signature of the numbers, which is logged too."""
        config: dict[str, Any] = super().dump_config()
        signature = "|".join(f"{key}={value}" for key, value in self.signature().items())
        log.info("%s signature: %s", self.config.task, signature)
        config["metadata"] = {**(config.get("metadata") or {}), "signature": signature}
        return config

    def signature(self) -> dict[str, str]:
        """Return what two numbers must share to be compared, beside what the harness notes itself."""
        return {
            "task": f"{self.config.task}:{self.VERSION}",
            "scores": "official",
            "reasoning": "removed by the scorer",
            "data": self.found.revision,
            "n": f"{self._scored}/{len(self.dataset[self.config.test_split])}",
            "max_gen_toks": str((self.config.generation_kwargs or {}).get("max_gen_toks")),
            "sobench": __version__,
        }
