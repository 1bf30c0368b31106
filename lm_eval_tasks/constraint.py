"""Which requests carry their sample's schema, decided before anything is sent, and told beside the answer."""

from __future__ import annotations

import json
import logging
import weakref
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lm_eval_tasks import chat_server, engines, pooling
from lm_eval_tasks.answer import Answer, Skipped, notes_of
from lm_eval_tasks.sample_log import SampleMetrics
from sobench_metrics.constrained.engines import ENGINES
from sobench_metrics.constrained.plan import Plan, plan
from sobench_metrics.constrained.signs import signs_of
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
METRICS = tuple({"metric": name, "aggregation": pooling.mean, "higher_is_better": False} for name in _COUNTED)
"""The shares of samples that were answered without their schema, and that were not asked."""

_REFUSED = "constrained.engine_refused"  # no table foresaw it, the engine itself said no
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


_chosen: dict[str, Settings] = {}
"""By task, what this process was asked for last: requests that the harness kept may say otherwise."""


class Constraints:
    """The constraints of one task: which engine holds its answers, and how many of them it held."""

    def __init__(self, metadata: Mapping[str, Any], task: str = "") -> None:
        self._settings = settings_of(metadata)
        _chosen[task] = self._settings
        self._engine = ""
        self._backend = ""
        self._lm: Callable[[], Any] | None = None
        self._counts: dict[str, int] = {}  # of METRICS, and of all samples

    def meet(self, lm: Any) -> None:
        """Learn which engine will answer; raises UsageError for one that cannot hold answers to schemas."""
        if not self._engine and lm is not None:
            self._engine = engine_of(lm, self._settings)
            self._backend = type(lm).__name__
            self._lm = None if chat_server.serves(lm) or self._engine == _UNCHECKED else weakref.ref(lm)

    def part_of(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """Return what a request says about its constraint: state, schema as JSON text, codes of what was found."""
        made = Plan("constrained")
        if not self._engine:
            raise UsageError("answers are held to schemas in a chat: add --apply_chat_template.")
        if self._engine != _UNCHECKED:
            made = plan(row, self._engine, self._settings.on_unsupported)  # type: ignore[arg-type] - was checked
        state: str = made.state
        schema = None if made.schema is None else json.dumps(made.schema)
        codes = list(dict.fromkeys(entry.code for entry in (*made.findings, *made.changes)))
        reason = made.findings[0].message if made.findings else ""
        lm = self._lm() if self._lm else None
        refusal = None if schema is None or lm is None else engines.schema_fault(lm, schema)
        if refusal is not None:
            schema, codes, reason = None, [*codes, _REFUSED], refusal
        if refusal is not None or state == "excluded":  # a schema that is none: the user chose for such
            state = "free" if self._settings.on_unsupported == "free" else "skipped"
        part = {
            "state": state,
            "schema": schema,
            "codes": codes,
            "reason": reason,
            "engine": self._engine,
            "backend": self._backend,
            "dialect": self._settings.dialect,
            "on_unsupported": self._settings.on_unsupported,
        }
        return {PART: part}

    def told(self, metrics: SampleMetrics, row: Mapping[str, Any], answer: Any) -> SampleMetrics:
        """Return a sample's metrics with what became of its constraint; a skipped one counts in `skipped` alone."""
        part = answer.constraint if isinstance(answer, Answer) else {}
        if not part and self._engine == _UNCHECKED:  # known answers are nobody's to hold
            part = {"state": "constrained"}
        self._engine = self._engine or str(part.get("engine", ""))  # the harness may have kept the requests of a run
        return _told(metrics, row, answer, part)

    @staticmethod
    def pooled(metrics: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Return a task's metrics with plain means that pool by the samples they are over, and METRICS behind them.

        Where samples are skipped, a group's rows are not what its means are over.
        """
        found: list[dict[str, Any]] = []
        for metric in metrics:
            if metric["aggregation"] != "mean":
                found.append(dict(metric))
                continue
            error = {"metric": f"{metric['metric']}_stderr", "aggregation": pooling.skip_none_stderr}
            found += [{**metric, "aggregation": pooling.mean}, {**error, "higher_is_better": False}]
        return [*found, *METRICS]

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
    state = part.get("state", "unknown")  # a filter of the user's made another text of the answer
    notes = notes_of(answer).get("generation", {})
    generation = {**notes, "constrained": state, "reason": part.get("reason", ""), "codes": part.get("codes", [])}
    if isinstance(answer, Skipped):  # nothing was said, so nothing was said wrong
        kept = {key: diagnostics[key] for key in ("slices",) if key in diagnostics}
        return SampleMetrics({"skipped": 1.0}, {"codes": [], **kept, "generation": generation})
    diagnostics["signs"] = compact(signs_of(str(answer), row, at_limit=generation.get("limit")))
    free = float(state != "constrained")
    means = {name: metrics[name] for name in metrics if isinstance(metrics[name], float)}
    errors = {f"{name}_stderr": number for name, number in means.items() if f"{name}_stderr" not in metrics}
    return SampleMetrics({**metrics, **errors, "skipped": 0.0, "free": free}, {**diagnostics, "generation": generation})


def tell(lm: Any, requests: Iterable[Instance]) -> None:
    """Log, before anything is sent, how many requests of each task go with their schema, and which do not and why.

    Raises UsageError for requests that were built for another backend or with other settings, which
    `--cache_requests` can bring up.
    """
    tasks: dict[str, dict[str, list[tuple[str, str]]]] = {}
    engines: dict[str, str] = {}
    for request in requests:
        part = of(request)
        if not part:
            continue
        task = str(request.metadata[0])
        other = _other(part, lm, _chosen.get(task))
        if other:
            raise UsageError(
                f"{task}: these requests were prepared {other}: leave --cache_requests out, or give it `refresh`."
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


def _other(part: Mapping[str, Any], lm: Any, chosen: Settings | None) -> str:
    """Say what a request was prepared for, where this run is another."""
    if part["backend"] != type(lm).__name__:
        return f"for {part['backend']}, not for {type(lm).__name__}"
    if chosen is None or part["engine"] == _UNCHECKED:
        return ""
    settings = {"engine": engine_of(lm, chosen), "dialect": chosen.dialect, "on_unsupported": chosen.on_unsupported}
    return next((f"with {key}={part[key]}, not {now}" for key, now in settings.items() if part[key] != now), "")


def settings_of(metadata: Mapping[str, Any]) -> Settings:
    """Return the settings in a task's metadata; raises UsageError for a value that is not known."""
    chosen = {
        "engine": (str(metadata.get("engine", "")), ("", *ENGINES)),
        "dialect": (str(metadata.get("dialect", DIALECTS[0])), DIALECTS),
        "on_unsupported": (str(metadata.get("on_unsupported", _ON_UNSUPPORTED[0])), _ON_UNSUPPORTED),
    }
    for key in metadata:
        if key not in chosen and str(key).lower().replace("-", "_") in chosen:
            raise UsageError(f"--metadata {key} is unknown: write {str(key).lower().replace('-', '_')}.")
    for name, (value, known) in chosen.items():
        if value not in known:
            raise UsageError(f"--metadata {name}={value!r} is unknown: choose {' or '.join(filter(None, known))}.")
    return Settings(*(value for value, _ in chosen.values()))


def engine_of(lm: Any, chosen: Settings) -> str:
    """Return the name of the engine that will hold answers to schemas, as `sobench_metrics.constrained` knows it.

    Raises UsageError for backends that cannot, and for an engine that is not theirs.
    """
    names = {kind.__name__ for kind in type(lm).__mro__}
    if "BaselineLM" in names:
        return _UNCHECKED
    if chat_server.serves(lm):
        if chosen.engine:
            return chosen.engine
        default = "vllm" if chosen.dialect == "vllm" else _SERVER_DEFAULT
        return next((engine for name, engine in _SERVER_ENGINES.items() if name in names), default)
    own = "vllm" if names & {"VLLM", "VLLM_VLM"} else "guidance" if names & {"HFLM", "HFMultimodalLM"} else ""
    if own and chosen.engine not in ("", own):
        raise UsageError(
            f"--metadata engine={chosen.engine} tells what a server runs, and {type(lm).__name__} has an engine of its "
            "own: leave it out."
        )
    if own:
        return own
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
