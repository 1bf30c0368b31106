"""The lm-eval task class of SO-Bench: prompts and pictures in, every score set out."""

from __future__ import annotations

import json
import logging
from collections import Counter
from copy import deepcopy
from typing import TYPE_CHECKING, Any

from lm_eval_tasks import versions
from sobench_metrics import uncaught

uncaught.install()
versions.require_lm_eval()  # older ones lack names that are imported below, and would say only that

import datasets
from lm_eval.api.task import ConfigurableTask

import sobench_metrics
from lm_eval_tasks import chat_server, constraint, dispatch, prompt, sobench_scores
from sobench_metrics.data import prepared
from sobench_metrics.data.prompt_text import text_hash
from sobench_metrics.data.sample import sample_pictures
from sobench_metrics.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from lm_eval.api.instance import Instance

__all__ = ["SOBenchTask"]

_COUNTED = "field_match"  # not one of lm-eval's own aggregations, whose identity decides about the standard error
log = logging.getLogger(f"lm_eval.{__name__}")  # the harness shows its own loggers only


class SOBenchTask(ConfigurableTask):
    """One domain of SO-Bench.

    `dataset_kwargs` names the `domain`; `sample: true` takes the bundled set instead of the prepared data, and
    `constrained: true` holds every answer to its sample's schema (see `lm_eval_tasks.constraint` for its settings).
    `--metadata '{"reasoning": "keep"}'` scores the text as the model gave it; `'{"merge_system": true}'` puts the
    system prompt into the user's message, for chat templates without a system role.
    """

    MULTIMODAL = True
    prepared: prepared.PreparedSet

    def __init__(self, config: dict[str, Any] | None = None) -> None:
        dispatch.install()
        settings = {key: value for key, value in (config or {}).items() if key != "class"}
        constrained = bool((settings.get("dataset_kwargs") or {}).get("constrained"))
        if constrained:
            settings["metric_list"] = constraint.Constraints.pooled(settings["metric_list"])
        chosen = settings.get("metadata") or {}
        self._constraints = constraint.Constraints(chosen, str(settings.get("task"))) if constrained else None
        super().__init__(config=settings)
        # not before: the base class looks the kind up; from here on the harness pads ranks and sorts requests by it
        self.OUTPUT_TYPE = dispatch.REQUEST_TYPE
        self._codes: Counter[str] = Counter()
        self._scored = 0
        self._asked: dict[str, str] = {}
        self._check_settings()

    def _check_settings(self) -> None:
        reasoning = (self.config.metadata or {}).get("reasoning", "remove")
        if reasoning not in ("remove", "keep"):
            raise UsageError(f'--metadata reasoning={reasoning!r} is unknown: choose "remove" or "keep".')

    # ------------------------------------------------------------------ docs
    def download(self, dataset_kwargs: dict[str, Any] | None = None, **_: Any) -> None:
        """Load the domain's docs; pictures stay on the disk."""
        chosen = dataset_kwargs or {}
        home = sample_pictures() if chosen.get("sample") else prepared.prepared_root(prepared.sobench_home())
        self.prepared = prepared.load(home, chosen["domain"])
        if len(self.prepared.docs) < self.prepared.expected:
            log.warning(
                "%s: partial data, %d of %d samples", self.config.task, len(self.prepared.docs), self.prepared.expected
            )
        self.dataset = {self.config.test_split: datasets.Dataset.from_list(list(self.prepared.docs))}

    def doc_to_text(self, doc: dict[str, Any], doc_to_text: Any = None) -> str:
        return self.prepared.prompts.user_text(schema_json=doc["schema_json"], user_intent=doc["user_intent"])

    def doc_to_target(self, doc: dict[str, Any], doc_to_target: Any = None) -> str:  # type: ignore[override]
        return str(doc["target_json"])

    # -------------------------------------------------------------- requests
    def fewshot_context(  # type: ignore[override]
        self,
        doc: dict[str, Any],
        num_fewshot: int = 0,
        system_instruction: str | None = None,
        apply_chat_template: bool = False,
        fewshot_as_multiturn: bool = False,
        chat_template: Callable[..., Any] | None = None,
        gen_prefix: str | None = None,
    ) -> Any:
        """Return the rendered chat: system prompt, user text, then the image's place."""
        if not (apply_chat_template and chat_template):
            raise UsageError(f"{self.config.task} asks with an image and needs a chat: add --apply_chat_template.")
        lm = getattr(chat_template, "__self__", None)
        if self._constraints:
            self._constraints.meet(lm)
        system = "\n\n".join(filter(None, [system_instruction, self.prepared.prompts.system]))
        merge_system = bool((self.config.metadata or {}).get("merge_system"))
        if lm is not None and not self._asked:
            asked = text_hash(f"{system}\0{self.prepared.prompts.user}\0{merge_system}")
            template = lm.chat_template(True)
            self._asked = {
                "prompt": asked,
                "backend": type(lm).__name__,
                "template": text_hash(template) if template else "none",  # a server's own is not told
            }
        chat = prompt.chat(
            system=system,
            user=self.doc_to_text(doc),
            merge_system=merge_system,
            reserved=() if chat_server.serves(lm) else prompt.reserved_texts(lm),
        )
        return prompt.render(chat, chat_template, str(self.config.task))

    def construct_requests(self, doc: dict[str, Any], ctx: Any, **kwargs: Any) -> list[Instance]:
        """Return one request of our own type, with a reference to the picture instead of pixels."""
        reference = prepared.image_of(self.prepared.root, doc)
        part = self._constraints.part_of(doc) if self._constraints else {}
        arguments = (ctx, deepcopy(self.config.generation_kwargs), {"visual": [reference], **part})
        return dispatch.request(dispatch.REQUEST_TYPE, doc, arguments, kwargs["metadata"])

    # --------------------------------------------------------------- results
    def process_results(self, doc: dict[str, Any], results: list[Any]) -> dict[str, Any]:
        """Return every metric of one answer; never raises, a finished run is not lost to one sample."""
        if "bypass" in self._metric_fn_list:  # --predict_only
            return {"bypass": results}
        metrics = sobench_scores.sample_metrics(doc, results[0], keep_reasoning=self._keeps_reasoning)
        if self._constraints:
            metrics = self._constraints.told(metrics, doc, results[0])
        self._codes.update(metrics["diagnostics"]["codes"])
        return metrics

    def aggregation(self) -> dict[str, Any]:
        """Return the aggregations; one of them, called with the samples of all ranks, notes how many there are."""
        functions = dict(super().aggregation())
        if _COUNTED in functions:
            functions[_COUNTED] = self._counting(functions[_COUNTED])
        return self._constraints.counting(functions) if self._constraints else functions

    def _counting(self, aggregate: Callable[[list[Any]], Any]) -> Callable[[list[Any]], Any]:
        def count(values: list[Any]) -> Any:
            self._scored = len(values)
            return aggregate(values)

        return count

    @property
    def _keeps_reasoning(self) -> bool:
        return (self.config.metadata or {}).get("reasoning", "remove") == "keep"

    def dump_config(self) -> dict[str, Any]:
        """Return the configuration with the signature of the numbers; logs both it and the findings' counts."""
        config: dict[str, Any] = super().dump_config()
        signature = self.signature()
        log.info("%s signature: %s", self.config.task, signature)
        if self._codes:
            log.info("%s findings in this process: %s", self.config.task, dict(self._codes.most_common()))
        config["metadata"] = {**(config.get("metadata") or {}), "signature": signature}
        return config

    def signature(self) -> str:
        """Return what two numbers must share to be compared."""
        settings = dict(self.config.generation_kwargs or {})
        limit = settings.pop("max_gen_toks", None)
        greedy = settings == {"until": [], "do_sample": False, "temperature": 0.0}
        parts = {
            "task": f"{self.config.task}:{self.VERSION}",
            "scores": "official+strict",
            "reasoning": "kept" if self._keeps_reasoning else "removed",
            "data": self.prepared.prep_id,
            "n": f"{self._scored}/{self.prepared.expected}",
            "max_gen_toks": str(limit),
            "decoding": "greedy" if greedy else json.dumps(settings, sort_keys=True, default=str),
            **self._asked,
            **(self._constraints.signature() if self._constraints else {}),
            "sobench": sobench_metrics.__version__,
        }
        return "|".join(f"{key}={value}" for key, value in parts.items())
