"""Gather a run's results: its figures from the samples by the scorers' own sums, all else from what the run noted."""

from __future__ import annotations

import contextlib
import json
import re
from collections import defaultdict
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from sobench_metrics.data.plain_words import one_line
from sobench_metrics.data.prepared import DOMAINS
from sobench_metrics.export.result import Figure, Model, Result
from sobench_metrics.export.run_file import RunFile, read_run_file
from sobench_metrics.results.agreement import plain_name
from sobench_metrics.results.reading import open_runs, samples
from sobench_metrics.results.records import CONSTRAINED, VARIANT, RowSource
from sobench_metrics.statistics import Ratio, value

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from sobench_metrics.results.records import Run

__all__ = ["BENCHMARKS", "collect"]

BENCHMARKS: Final = ("ifstruct", "sobench")
_FAILED: Final = "request.failed"
_UNSCORED: Final = frozenset({"row.unscorable", "scorer.fault"})
_HOLDS: Final = re.compile(
    r"guided_|structured_output|response_format|grammar|json_schema|logits_processor|^(?:regex|ebnf|tool_choice)$"
)
"""How backends spell that an answer is held to a shape, in generation settings."""

_HOLDS_NOTHING: Final = re.compile(r"_(?:backend|config|parser|plugin)s?$")
"""Settings of an engine that only say how it would hold an answer."""

_FREE: Final = ("text", "none", "auto")
_DEEPEST: Final = 16


@dataclass
class _Sums:
    """The columns of one task, and what was seen on the way."""

    columns: dict[str, list[Ratio]] = field(default_factory=lambda: defaultdict(list))
    n: int = 0
    failed: int = 0
    unscored: int = 0
    held: bool = False


def collect(place: Path) -> list[Result]:
    """Return the results of the tasks of ours in a run, then of each whole SO-Bench whose four domains are there.

    Raises UsageError for a place without a readable run, and for a damaged log.
    """
    results: list[Result] = []
    pools: dict[str, list[tuple[Result, _Sums]]] = defaultdict(list)
    for run in map(_by_its_log, open_runs(place).values()):
        plain = plain_name(run.task)
        benchmark = plain.split("_")[0]
        if benchmark not in BENCHMARKS:
            continue
        sums = _summed(run)
        result = _result(run, read_run_file(run.where), sums)
        results.append(result)
        if benchmark == "sobench":
            variant = VARIANT if VARIANT in run.task else ""
            pools[f"sobench{variant}{'_sample' if result.is_sample_set else ''}"].append((result, sums))
    return results + [
        _pooled(task, members)
        for task, members in pools.items()
        if sorted(one.part for one, _ in members) == sorted(DOMAINS)
    ]


def _by_its_log(run: Run) -> Run:
    """Return a run that is read without the benchmark's rows: lighteval's log has its figures, and rows may lie far."""
    return replace(run, rows=RowSource()) if run.format == "lighteval" else run


def _summed(run: Run) -> _Sums:
    sums = _Sums()
    for sample in samples(run):
        sums.n += 1
        sums.failed += bool(sample.failure) or _FAILED in sample.codes
        sums.unscored += not _UNSCORED.isdisjoint(sample.codes)
        sums.held = sums.held or sample.generation.state == CONSTRAINED
        for name, number in sample.means.items():
            sums.columns[name].append((number, 1))
        for name, pair in sample.ratios.items():
            sums.columns[name].append(pair)
    return sums


def _result(run: Run, noted: RunFile, sums: _Sums) -> Result:
    words = plain_name(run.task).split("_")
    is_sample_set = words[-1] == "sample"
    names = words[1:-1] if is_sample_set else words[1:]
    row = noted.rows.get(run.task.replace(":", "_"), {})
    generation = run.settings.get("generation")
    generation = generation if isinstance(generation, dict) else {}
    return Result(
        task=run.task,
        benchmark=words[0],
        part="_".join(names),
        is_sample_set=is_sample_set,
        harness=run.harness,
        file=run.where,
        model=Model(
            name=run.model,
            revision=noted.model_revision,
            backend=noted.backend or run.signature.get("backend", ""),
            dtype=noted.dtype,
            settings=noted.model_settings,
        ),
        figures=_figures(sums.columns, row, run.lower_is_better),
        n=sums.n,
        planned=run.planned,
        expected=_expected(run.signature),
        data=run.signature.get("data", ""),
        limit=noted.limit,
        constrained=_held(run, sums, generation, noted.model_settings),
        failed_requests=sums.failed,
        unscored=sums.unscored,
        signature=run.signature,
        generation=generation,
        seconds_since_1970=noted.seconds_since_1970,
        run=run,
    )


def _pooled(task: str, members: list[tuple[Result, _Sums]]) -> Result:
    """Return the whole of SO-Bench: sums over all samples, as the harness's group has them."""
    first = members[0][0]
    columns: dict[str, list[Ratio]] = defaultdict(list)
    for _, sums in members:
        for name, column in sums.columns.items():
            columns[name] += column
    rows = read_run_file(first.file).rows
    row = rows.get(task) or rows.get(f"{task}__average") or {}
    lower = frozenset(one.name for one in first.figures if one.lower_is_better)
    results = [result for result, _ in members]
    signature = {
        **{
            key: text for key, text in first.signature.items() if all(one.signature.get(key) == text for one in results)
        },
        "task": f"{task}:{first.signature.get('task', '').rpartition(':')[2]}",
        "n": f"{sum(one.n for one in results)}/{_sum(one.expected for one in results)}",
    }
    order = [key for key in first.signature if key in signature]
    return Result(
        task=task,
        benchmark="sobench",
        part="",
        is_sample_set=first.is_sample_set,
        harness=first.harness,
        file=first.file,
        model=first.model,
        figures=_figures(columns, row, lower),
        n=sum(one.n for one in results),
        planned=_sum(one.planned for one in results),
        expected=_sum(one.expected for one in results),
        data=_shared_data([one.data for one in results]),
        limit=next((one.limit for one in results if one.limit), ""),
        constrained=next((one.constrained for one in results if one.constrained), ""),
        failed_requests=sum(one.failed_requests for one in results),
        unscored=sum(one.unscored for one in results),
        signature={key: signature[key] for key in order},
        generation=first.generation,
        seconds_since_1970=first.seconds_since_1970,
    )


def _shared_data(told: list[str]) -> str:
    """Return the set that all members read, "" where they differ; lighteval names a domain's rows behind a plus."""
    sets = {text if len(set(told)) == 1 else text.partition("+")[0] for text in told}
    return sets.pop() if len(sets) == 1 else ""


def _figures(columns: Mapping[str, list[Ratio]], row: Mapping[str, float], lower: frozenset[str]) -> tuple[Figure, ...]:
    return tuple(
        Figure(name, value(column), row.get(f"{name}_stderr"), name in lower, row.get(name))
        for name, column in columns.items()
    )


def _held(run: Run, sums: _Sums, generation: Mapping[str, Any], model: Mapping[str, Any]) -> str:
    """Return how answers were held to a shape, from the task, the signature, the samples and the settings."""
    if VARIANT in run.task:
        return run.task
    told = run.signature.get("constrained", "")
    if told:
        return told
    if sums.held:
        return "noted in the samples"
    return ", ".join(dict.fromkeys([*_holding(generation), *_holding(model)]))


def _holding(settings: Any, depth: int = 0) -> Iterator[str]:
    """Yield the names of settings, at any depth and also in JSON texts, that hold an answer to a shape."""
    if isinstance(settings, str) and settings.lstrip().startswith("{"):
        with contextlib.suppress(ValueError, RecursionError):
            settings = json.loads(settings)
    if isinstance(settings, dict) and depth < _DEEPEST:
        for key, given in settings.items():
            name = str(key).lower()
            kind = given.get("type") if isinstance(given, dict) else given
            if given and _HOLDS.search(name) and not _HOLDS_NOTHING.search(name) and kind not in _FREE:
                yield one_line(key)
            else:
                yield from _holding(given, depth + 1)


def _expected(signature: Mapping[str, str]) -> int | None:
    total = signature.get("n", "").rpartition("/")[2]
    return int(total) if total.isdecimal() else None


def _sum(numbers: Iterable[int | None]) -> int | None:
    known = list(numbers)
    return None if None in known else sum(number or 0 for number in known)
