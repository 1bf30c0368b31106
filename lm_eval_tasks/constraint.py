"""Which requests carry their sample's schema, decided before anything is sent, and told beside the answer."""

from __future__ import annotations

import json
import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lm_eval_tasks import chat_server
from lm_eval_tasks.answer import Answer, Skipped, notes_of
from lm_eval_tasks.sample_log import SampleMetrics
from sobench_metrics.constrained.engines import ENGINES
from sobench_metrics.constrained.plan import Plan, plan
from sobench_metrics.constrained.signs import signs
from sobench_metrics.errors import UsageError
from sobench_metrics.findings import compact

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from lm_eval.api.instance import Instance

__all__ = [
    "DIALECTS",
    "METRICS",
    "PART",
    "TOLD",
    "Constraints",
    "Settings",
    "engine_of",
    "of",
    "schema_of",
    "settings_of",
    "tell",
]

PART = "constraint"
"""The key of a request's third argument under which its constraint stands; plain JSON, so it is part of cache keys."""

TOLD = ("state", "reason", "codes", "engine", "dialect")
"""What an answer repeats of its request's constraint."""

_COUNTED = ("free", "skipped")
METRICS = tuple({"metric": name, "aggregation": "mean", "higher_is_better": False} for name in _COUNTED)
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
    """The constraints of one task: which engine holds its answers, and how many of them it held."""

    def __init__(self, metadata: Mapping[str, Any]) -> None:
        self._settings = settings_of(metadata)
        self._engine = ""
        self._backend = ""
        self._counts: dict[str, int] = {}  # of METRICS, and of all samples

    def meet(self, lm: Any) -> None:
        """Learn which engine will answer; raises UsageError for one that cannot hold answers to schemas."""
        if not self._engine and lm is not None:
            self._engine = engine_of(lm, self._settings.engine)
            self._backend = type(lm).__name__

    def part_of(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """Return what a request says about its constraint: state, schema as JSON text, codes of what was found."""
        made = Plan("constrained")
        if self._engine != _UNCHECKED:
            made = plan(row, self._engine, self._settings.on_unsupported)  # type: ignore[arg-type] - was checked
        state: str = made.state
        if state == "excluded":  # a schema that is none: the user chose for those that cannot be enforced
            state = "free" if self._settings.on_unsupported == "free" else "skipped"
        part = {
            "state": state,
            "schema": None if made.schema is None else json.dumps(made.schema),
            "codes": list(dict.fromkeys(entry.code for entry in (*made.findings, *made.changes))),
            "reason": made.findings[0].message if made.findings else "",
            "engine": self._engine,
            "dialect": self._settings.dialect,
            "backend": self._backend,
        }
        return {PART: part}

    def told(self, metrics: SampleMetrics, row: Mapping[str, Any], answer: Any) -> SampleMetrics:
        """Return a sample's metrics with what became of its constraint; a skipped one counts in `skipped` alone."""
        part = answer.constraint if isinstance(answer, Answer) else {}
        self._engine = self._engine or str(part.get("engine", ""))  # the harness may have kept the requests of a run
        return _told(metrics, row, answer, part)

    def counting(self, functions: dict[str, Any]) -> dict[str, Any]:
        """Return the aggregations of a task, of which ours also count: they see the samples of all ranks."""
        return {
            name: self._counter(name, aggregate) if name in _COUNTED else aggregate
            for name, aggregate in functions.items()
        }

    def _counter(self, name: str, aggregate: Callable[[list[float]], float]) -> Callable[[list[float]], float]:
        def count(values: list[float]) -> float:
            self._counts[name], self._counts[f"all {name}"] = round(sum(values)), len(values)
            return aggregate(values)

        return count

    def signature(self) -> dict[str, str]:
        """Return what the signature says: engine, dialect, and how many samples of each state."""
        free, skipped = (self._counts.get(name, 0) for name in _COUNTED)
        states = {"constrained": self._counts.get("all free", 0) - free, "free": free, "skipped": skipped}
        told = ",".join(f"{state}:{count}" for state, count in states.items() if count)
        return {"constraint": f"{self._engine or 'unknown'}/{self._settings.dialect}", "samples": told or "none"}


def _told(metrics: SampleMetrics, row: Mapping[str, Any], answer: Any, part: Mapping[str, Any]) -> SampleMetrics:
    diagnostics = dict(metrics["diagnostics"])
    state = part.get("state", "constrained")
    notes = notes_of(answer).get("generation", {})
    generation = {**notes, "constrained": state, "reason": part.get("reason", ""), "codes": part.get("codes", [])}
    if isinstance(answer, Skipped):
        return SampleMetrics({"skipped": 1.0}, {**diagnostics, "generation": generation})
    schema = row.get("schema_json") or row.get("json_schema")
    diagnostics["signs"] = compact(signs(str(answer), schema, at_limit=generation.get("limit")))
    free = float(state != "constrained")
    return SampleMetrics({**metrics, "skipped": 0.0, "free": free}, {**diagnostics, "generation": generation})


def tell(lm: Any, requests: Iterable[Instance]) -> None:
    """Log, before anything is sent, how many requests of each task go with their schema, and which do not and why.

    Raises UsageError for requests that were built for another backend, which `--cache_requests` can bring up.
    """
    tasks: dict[str, dict[str, list[tuple[str, str]]]] = {}
    engines: dict[str, str] = {}
    for request in requests:
        part = of(request)
        if not part:
            continue
        task = str(request.metadata[0])
        if part["backend"] != type(lm).__name__:
            raise UsageError(
                f"{task}: these requests were prepared for {part['backend']}, not for {type(lm).__name__}: "
                "leave --cache_requests out, or give it `refresh`."
            )
        engines[task] = part["engine"]
        named = (str((request.doc or {}).get("doc_id")), str(part["reason"]))
        tasks.setdefault(task, {}).setdefault(part["state"], []).append(named)
    for task, states in tasks.items():
        counts = ", ".join(f"{len(named)} {state}" for state, named in states.items())
        log.info("%s: answers held to their own schemas by %s: %s", task, engines[task], counts)
        for state, named in states.items():
            if state != "constrained":
                ids = ", ".join(doc_id for doc_id, _ in named[:_LISTED])
                more = f" and {len(named) - _LISTED} more" if len(named) > _LISTED else ""
                log.warning("%s: %d samples are %s: %s%s (%s)", task, len(named), state, ids, more, named[0][1])


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
