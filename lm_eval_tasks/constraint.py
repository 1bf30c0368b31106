"""Which requests carry their sample's schema, decided before anything is sent, and told beside the answer."""

from __future__ import annotations

import json
import logging
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lm_eval_tasks import chat_server
from lm_eval_tasks.answer import Skipped, notes_of
from lm_eval_tasks.sample_log import SampleMetrics
from sobench_metrics.constrained.engines import ENGINES
from sobench_metrics.constrained.plan import Plan, plan
from sobench_metrics.constrained.signs import signs
from sobench_metrics.errors import UsageError
from sobench_metrics.findings import compact

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["DIALECTS", "METRICS", "PART", "Constraints", "Settings", "engine_of", "of", "schema_of", "settings_of"]

PART = "constraint"
"""The key of a request's third argument under which its constraint stands; plain JSON, so it is part of cache keys."""

METRICS = tuple({"metric": name, "aggregation": "mean", "higher_is_better": False} for name in ("free", "skipped"))
"""The shares of samples that were answered without their schema, and that were not asked."""

DIALECTS = ("json_schema", "vllm")
_ON_UNSUPPORTED = ("free", "skip")
_UNCHECKED = "none"  # for LMs that answer without asking a model
_SERVER_ENGINES = {"OpenAIChatCompletion": "openai"}
_SERVER_DEFAULT = "xgrammar"  # what vLLM and SGLang use unless told otherwise
_LISTED = 5
log = logging.getLogger(f"lm_eval.{__name__}")  # the harness shows its own loggers only


@dataclass(frozen=True, slots=True)
class Settings:
    """What the user chose by `--metadata`: `engine` is empty for the backend's own."""

    engine: str = ""
    dialect: str = DIALECTS[0]
    on_unsupported: str = _ON_UNSUPPORTED[0]


class Constraints:
    """The constraints of one task: made for the LM that is met first, counted as the requests are built."""

    def __init__(self, metadata: Mapping[str, Any]) -> None:
        self._settings = settings_of(metadata)
        self._engine = ""
        self._states: dict[str, str] = {}  # by doc id
        self._reasons: dict[str, str] = {}
        self._told = False

    def meet(self, lm: Any) -> None:
        """Learn which engine will answer; raises UsageError for one that cannot hold answers to schemas."""
        if not self._engine and lm is not None:
            self._engine = engine_of(lm, self._settings.engine)

    def part_of(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """Return what a request says about its constraint: state, schema as JSON text, codes of what was found."""
        made = Plan("constrained")
        if self._engine != _UNCHECKED:
            made = plan(row, self._engine, self._settings.on_unsupported)  # type: ignore[arg-type] - was checked
        self._states[str(row["doc_id"])] = made.state
        if made.findings:
            self._reasons[str(row["doc_id"])] = made.findings[0].message
        part = {
            "state": made.state,
            "schema": None if made.schema is None else json.dumps(made.schema),
            "codes": list(dict.fromkeys(entry.code for entry in (*made.findings, *made.changes))),
            "engine": self._engine,
            "dialect": self._settings.dialect,
        }
        return {PART: part}

    def told(self, metrics: SampleMetrics, row: Mapping[str, Any], answer: Any) -> SampleMetrics:
        """Return a sample's metrics with what became of its constraint; a skipped one counts in `skipped` alone."""
        self._tell()
        doc_id = str(row["doc_id"])
        found = self._states.get(doc_id, "constrained")
        diagnostics = dict(metrics["diagnostics"])
        notes = notes_of(answer).get("generation", {})
        generation = {**notes, "constrained": found, "reason": self._reasons.get(doc_id, "")}
        if isinstance(answer, Skipped):
            return SampleMetrics({"skipped": 1.0}, {**diagnostics, "generation": generation})
        at_limit = generation.get("limit")
        schema = row.get("schema_json") or row.get("json_schema")
        diagnostics["signs"] = compact(signs(str(answer), schema, at_limit=at_limit))
        free = float(found != "constrained")
        return SampleMetrics({**metrics, "skipped": 0.0, "free": free}, {**diagnostics, "generation": generation})

    def signature(self) -> dict[str, str]:
        """Return what the signature says: engine, dialect, and how many samples of each state."""
        told = ",".join(f"{state}:{count}" for state, count in sorted(Counter(self._states.values()).items()))
        return {"constraint": f"{self._engine or 'unknown'}/{self._settings.dialect}", "samples": told}

    def _tell(self) -> None:
        if self._told:
            return
        self._told = True
        counts = Counter(self._states.values())
        log.info("answers held to their own schemas by %s: %s", self._engine, dict(counts.most_common()))
        for state in counts:
            if state != "constrained":
                ids = [doc_id for doc_id, found in self._states.items() if found == state]
                more = f" and {len(ids) - _LISTED} more" if len(ids) > _LISTED else ""
                reason = self._reasons.get(ids[0], "")
                log.warning("%d samples are %s: %s%s (%s)", len(ids), state, ", ".join(ids[:_LISTED]), more, reason)


def settings_of(metadata: Mapping[str, Any]) -> Settings:
    """Return the settings in a task's metadata; raises UsageError for a value that is not known."""
    chosen = {
        "engine": (str(metadata.get("engine", "")), ("", *ENGINES)),
        "dialect": (str(metadata.get("dialect", DIALECTS[0])), DIALECTS),
        "on_unsupported": (str(metadata.get("on_unsupported", _ON_UNSUPPORTED[0])), _ON_UNSUPPORTED),
    }
    for name, (value, known) in chosen.items():
        if value not in known:
            raise UsageError(f"--metadata {name}={value!r} is unknown: choose {' or '.join(filter(None, known))}.")
    return Settings(*(value for value, _ in chosen.values()))


def engine_of(lm: Any, chosen: str) -> str:
    """Return the name of the engine that will hold answers to schemas, as `sobench_metrics.constrained` knows it.

    Raises UsageError for backends that cannot.
    """
    names = {kind.__name__ for kind in type(lm).__mro__}
    if "BaselineLM" in names:
        return _UNCHECKED
    if chosen:
        return chosen
    if chat_server.serves(lm):
        return next((engine for name, engine in _SERVER_ENGINES.items() if name in names), _SERVER_DEFAULT)
    if names & {"VLLM", "VLLM_VLM"}:
        return "vllm"
    if names & {"HFLM", "HFMultimodalLM"}:
        return "guidance"
    raise UsageError(
        f"{type(lm).__name__} cannot hold answers to a schema: use hf, hf-multimodal, vllm, vllm-vlm or a chat server."
    )


def of(request: Any) -> dict[str, Any]:
    """Return the constraint of an lm-eval request; {} for one that has none."""
    arguments = request.args
    found: dict[str, Any] = arguments[2].get(PART, {}) if len(arguments) > 2 else {}
    return found


def schema_of(request: Any) -> str | None:
    """Return the schema, as JSON text, that the answer to a request shall be held to; None for a free answer."""
    schema: str | None = of(request).get("schema")
    return schema
