"""Read what `lm_eval --output_path X --log_samples` leaves: a results file, and one line a sample for each task."""

from __future__ import annotations

import json
import math
import re
from typing import TYPE_CHECKING, Any, Final

from sobench_metrics.data.plain_words import one_line, reason
from sobench_metrics.errors import UsageError
from sobench_metrics.results.formats import Format, Item, samples_of
from sobench_metrics.results.lm_eval_line import sample_of
from sobench_metrics.results.records import Run
from sobench_metrics.results.signature_text import signature_parts
from sobench_metrics.results.text_lines import numbered_lines
from sobench_metrics.results.told_figures import told_figures
from sobench_metrics.sobench.figures import LOWER_IS_BETTER

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from sobench_metrics.results.records import Sample

__all__ = ["LM_EVAL", "open_runs", "open_samples", "results_files", "samples"]

_DATE: Final = r"\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(?:\.\d+)?"
_RESULTS: Final = re.compile(rf"(?P<stem>.*)_(?P<date>{_DATE})\.json")
_SAMPLES: Final = re.compile(rf"samples_(.+)_({_DATE})\.jsonl")
_SHORT: Final = 12  # digits of a hash that a signature shows


def open_runs(place: Path) -> dict[str, Run]:
    """Return the tasks of one run by name: of a results file, or of the newest one in a folder.

    Raises UsageError when there is no run, when it cannot be read, or when its samples were not logged.
    """
    file, date = _results_file(place.expanduser())
    results = _read_results(file)
    logs = {task: file.parent / f"samples_{task}_{date}.jsonl" for task in results["configs"]}
    there = {task: log for task, log in logs.items() if log.is_file()}
    if not there:
        raise UsageError(f"{file} has no samples beside it: repeat that run with --log_samples.")
    lost = sorted(logs.keys() - there.keys())
    if lost:
        raise UsageError(
            f"{file} names {', '.join(map(one_line, lost))}, whose samples are not beside it "
            f"(samples_{one_line(lost[0])}_{date}.jsonl): copy the whole folder, or repeat that run with --log_samples."
        )
    return {task: _run(results, task, file, log) for task, log in there.items()}


def open_samples(log: Path) -> dict[str, Run]:
    """Return the task of a file of samples: with what the results file beside it tells, or alone without one.

    Raises UsageError when the results file cannot be read.
    """
    named = _SAMPLES.fullmatch(log.name)
    task = named[1] if named else log.name.partition(".")[0]
    file = log.parent / f"results_{named[2]}.json" if named else None
    if file is not None and file.is_file():
        results = _read_results(file)
        if task in results["configs"]:
            return {task: _run(results, task, file, log)}
    return {task: Run(log, log, task, "lm-eval", "", lower_is_better=LOWER_IS_BETTER)}


def samples(run: Run) -> Iterator[Sample]:
    """Yield the samples of a run, one line in memory at a time; where several filters were scored, of the first.

    Raises UsageError that names file and line for a line that is half-written, no sample, or there twice.
    """
    return samples_of(run, LM_EVAL)


def _items(run: Run) -> Iterator[Item]:
    return numbered_lines(run.log, remedy="repeat that run")


def _first_filter(run: Run) -> str | None:
    """Return the filter of the first line; one that cannot be read is told when its turn comes."""
    _, line = next(_items(run), (0, ""))
    try:
        return str(json.loads(line).get("filter", ""))
    except (ValueError, RecursionError, AttributeError):
        return None


def _sample(run: Run, chosen: str | None, item: Item) -> Sample | None:
    number, line = item
    try:
        content = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise UsageError(
            f"{run.log}, line {number} is not whole ({reason(error)}): the run or a copy broke off; repeat it."
        ) from error
    try:
        if chosen is not None and str(content.get("filter", "")) != chosen:
            return None
        return sample_of(content)
    except (KeyError, TypeError, AttributeError) as error:
        raise UsageError(
            f"{run.log}, line {number} is no sample of lm-eval: name the results of an lm-eval run."
        ) from error


LM_EVAL: Final = Format(items=_items, sample=_sample, context=_first_filter)


def results_files(folder: Path) -> list[tuple[str, Path]]:
    """Return date and place of the results files that lm-eval's layout has in a folder, the newest last."""
    # lm-eval writes into a folder named after the model; a path ending in .json stays beside its samples
    return sorted(
        (named["date"], file)
        for pattern in ("*.json", "*/*.json")
        for file in folder.glob(pattern)
        if (named := _RESULTS.fullmatch(file.name))
        and (named["stem"] == "results" or _has_samples(file, named["date"]))
    )


def _has_samples(file: Path, date: str) -> bool:
    return any(file.parent.glob(f"samples_*_{date}.jsonl"))


def _results_file(place: Path) -> tuple[Path, str]:
    """Return the results file and its date, which the names of its samples share."""
    if place.is_file():
        named = _RESULTS.fullmatch(place.name)
        if named is None:
            raise UsageError(f"{place} is no results file of lm-eval: name results_DATE.json or its folder.")
        return place, named["date"]
    if not place.is_dir():
        raise UsageError(f"there is no {place}: name the folder given as --output_path, or a results file in it.")
    found = results_files(place)
    if not found:
        raise UsageError(f"{place} holds no results of lm-eval: name the folder given as --output_path.")
    date, file = found[-1]
    return file, date


def _read_results(file: Path) -> dict[str, Any]:
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise UsageError(f"cannot read {file} ({reason(error)}): repeat that run.") from error
    if not isinstance(found, dict) or not isinstance(found.get("configs"), dict):
        raise UsageError(f"{file} is no results file of lm-eval: name results_DATE.json or its folder.")
    return found


def _run(results: Mapping[str, Any], task: str, file: Path, log: Path) -> Run:
    config = _part(results, "configs", task)
    options = _part(results, "config")
    sizes = _part(results, "n-samples", task)
    higher = _part(results, "higher_is_better", task)
    return Run(
        where=file,
        log=log,
        task=task,
        harness=f"lm-eval {results.get('lm_eval_version')}",
        model=str(results.get("model_name") or options.get("model")),
        signature=_signature(results, task, config),
        settings={
            "model": options.get("model"),
            "model_args": options.get("model_args"),
            "batch_size": options.get("batch_size"),
            "limit": options.get("limit"),
            "generation": config.get("generation_kwargs"),
        },
        seconds=_seconds(results.get("total_evaluation_time_seconds")),
        planned=_count(sizes.get("original")),
        asked=_count(sizes.get("effective")),
        lower_is_better=LOWER_IS_BETTER | {name for name, is_higher in higher.items() if is_higher is False},
        told=told_figures(results),
    )


def _signature(results: Mapping[str, Any], task: str, config: Mapping[str, Any]) -> dict[str, str]:
    """Return the signature that a task told itself, completed by what the harness noted."""
    settings = dict(_part(config, "generation_kwargs"))
    limit = settings.pop("max_gen_toks", None)
    greedy = settings.get("do_sample") is False and settings.get("temperature") in (None, 0)
    sizes = _part(results, "n-samples", task)
    told = signature_parts(str(_part(config, "metadata").get("signature") or ""))
    noted = {
        "task": f"{task}:{_part(results, 'versions').get(task)}",
        "n": f"{sizes.get('effective')}/{sizes.get('original')}",
        "shots": str(_part(results, "n-shot").get(task)),
        "max_gen_toks": str(limit),
        "decoding": "greedy" if greedy else json.dumps(settings, sort_keys=True, default=str),
        "backend": str(_part(results, "config").get("model")),
        "system": str(results.get("system_instruction_sha") or "none")[:_SHORT],
        "template": str(results.get("chat_template_sha") or "none")[:_SHORT],
        "lm_eval": str(results.get("lm_eval_version")),
    }
    if "prompt" in told:  # it covers the system prompt
        del noted["system"]
    return {**noted, **told}


def _part(content: Mapping[str, Any], *keys: str) -> Mapping[str, Any]:
    for key in keys:
        found = content.get(key)
        content = found if isinstance(found, dict) else {}
    return content


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _seconds(value: Any) -> float | None:
    try:
        seconds = float(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return seconds if math.isfinite(seconds) else None
