"""Read what `sobench lighteval ... --output-dir X --save-details` leaves: a results file, and details of each task."""

from __future__ import annotations

import contextlib
import re
from typing import TYPE_CHECKING, Any, Final

from sobench_metrics.data.plain_words import one_line, reason
from sobench_metrics.errors import UsageError
from sobench_metrics.results.benchmark_rows import load
from sobench_metrics.results.formats import Format, Item
from sobench_metrics.results.json_file import read_json
from sobench_metrics.results.lighteval_line import BENCHMARKS, sample_of
from sobench_metrics.results.records import RowSource, Run
from sobench_metrics.results.signature_text import signature_parts
from sobench_metrics.results.told_figures import told_figures
from sobench_metrics.sobench.figures import LOWER_IS_BETTER

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from sobench_metrics.results.records import Sample

__all__ = ["LIGHTEVAL", "open_details", "open_runs", "results_files"]

_DATE: Final = r"\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(?:\.\d+)?"
_RESULTS: Final = re.compile(rf"results_({_DATE})\.json")
_DETAILS: Final = re.compile(rf"details_(.+?)(\|\d+)?_({_DATE})\.parquet")
_BATCH: Final = 64  # rows in memory
_DIGITS: Final = 18  # no count of samples has more
_COLUMNS: Final = ("doc", "metric", "model_response")
_REMEDY: Final = "repeat that run with --save-details"


def results_files(folder: Path) -> list[tuple[str, Path]]:
    """Return date and place of the results files of lighteval below a folder, the newest last."""
    return sorted(
        (named[1], file)
        for file in folder.rglob("results_*.json")
        if (named := _RESULTS.fullmatch(file.name)) and _is_one(file)
    )


def _is_one(file: Path) -> bool:
    try:
        return "config_general" in read_json(file)
    except UsageError:  # told when its turn comes: an older run must not take its place unseen
        return True


def open_runs(file: Path, content: Mapping[str, Any], rows: Path | None = None) -> dict[str, Run]:
    """Return our tasks in a decoded results file by name; `rows` is a file that holds the rows they asked.

    Raises UsageError when none of ours is there, or when details are missing.
    """
    named = _RESULTS.fullmatch(file.name)
    if named is None:  # the date alone says which details are its own
        raise UsageError(f"{file} has lost its name results_DATE.json: give it back, for its details bear that date.")
    tables = _tables(file, named[1])
    names = _our_keys(content)
    if not names:
        raise UsageError(f"{file} holds no task of sobench: name a run of `sobench lighteval`.")
    lost = [name for name in (key.partition("|")[0] for key in names) if name not in tables]
    if lost:
        raise UsageError(f"{file} has no details of {one_line(lost[0])} near it: {_REMEDY}, or copy the whole folder.")
    runs = {}
    for key in names:
        name = key.partition("|")[0]
        runs[name] = _run(content, key, file, tables[name], rows)
    return runs


def open_details(table: Path, rows: Path | None = None) -> dict[str, Run]:
    """Return the task of a details table alone: with what the results file tells where that is found, or without."""
    named = _DETAILS.fullmatch(table.name)
    if named is None:
        raise UsageError(f"{table} is no details table of lighteval: name details_TASK_DATE.parquet or its run.")
    for folder in table.absolute().parents[:4]:
        file = next(iter(folder.glob(f"results/**/results_{named[3]}.json")), None)
        if file is not None:
            content = read_json(file)
            for key in _our_keys(content):
                if key.partition("|")[0] == named[1]:
                    return {named[1]: _run(content, key, file, table, rows)}
    source = RowSource(task=named[1], file=rows)
    run = Run(table, table, named[1], "lighteval", "", format="lighteval", rows=source, lower_is_better=LOWER_IS_BETTER)
    return {named[1]: run}


def _tables(file: Path, date: str) -> dict[str, Path]:
    """Return the details tables of a run by task; lighteval lays results and details beside each other."""
    for folder in file.absolute().parents[:4]:
        found = {
            named[1]: table
            for table in sorted((folder / "details").rglob(f"*{date}.parquet"))
            if (named := _DETAILS.fullmatch(table.name))
        }
        if found:
            return found
    return {}


def _our_keys(content: Mapping[str, Any]) -> list[str]:
    return [key for key, config in _part(content, "config_tasks").items() if _is_ours(config)]


def _is_ours(config: Any) -> bool:
    metrics = config.get("metrics") if isinstance(config, dict) else None
    known = metrics if isinstance(metrics, list) else []
    return any(isinstance(one, dict) and str(one.get("metric_name")) in BENCHMARKS for one in known)


def _run(content: Mapping[str, Any], key: str, file: Path, table: Path, rows: Path | None) -> Run:
    general, config = _part(content, "config_general"), _part(content, "config_tasks", key)
    model = _part(general, "model_config")
    name = key.partition("|")[0]
    signature = signature_parts(str(config.get("signature") or ""))
    asked, _, planned = signature.get("n", "").partition("/")
    version = signature.get("lighteval", "")
    seconds = None
    with contextlib.suppress(TypeError, ValueError, KeyError, OverflowError):
        seconds = float(general["total_evaluation_time_secondes"])
    return Run(
        where=file,
        log=table,
        task=name,
        harness=f"lighteval {version}".strip(),
        model=str(general.get("model_name") or model.get("model_name") or ""),
        signature=signature,
        settings={
            "model": signature.get("backend"),
            "model_args": {name: value for name, value in model.items() if value not in (None, {})},
            "limit": general.get("max_samples"),
            "generation": {
                name: value for name, value in _part(model, "generation_parameters").items() if value is not None
            },
        },
        seconds=seconds,
        planned=_count(planned, config.get("original_num_docs")),
        asked=_count(asked, config.get("effective_num_docs")),
        lower_is_better=LOWER_IS_BETTER,
        format="lighteval",
        told=told_figures(content),
        rows=RowSource(task=name, file=rows, revision=signature.get("data", "")),
    )


def _count(signed: str, noted: Any) -> int | None:
    """Return the number that the signature tells, or else the one that the harness noted."""
    if signed.isdecimal() and len(signed) < _DIGITS:
        return int(signed)
    return noted if isinstance(noted, int) and not isinstance(noted, bool) else None


def _items(run: Run) -> Iterator[Item]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    number = 0
    try:
        with pq.ParquetFile(run.log) as table:
            for batch in table.iter_batches(batch_size=_BATCH, columns=list(_COLUMNS)):
                for detail in batch.to_pylist():
                    number += 1
                    yield number, detail
    except (OSError, pa.ArrowException) as error:
        why = reason(error) if isinstance(error, OSError) else one_line(error)[:200]
        raise UsageError(f"cannot read {run.log} after row {number} ({why}): {_REMEDY}.") from error


def _rows_at_hand(run: Run) -> Mapping[str, Mapping[str, Any]]:
    """Return the rows that were asked; {} when they are not on this disk, for the log has its figures without them."""
    try:
        return load(run.rows).by_id
    except UsageError:
        if run.rows.file is not None:
            raise
        return {}


def _sample(run: Run, rows: Mapping[str, Mapping[str, Any]], item: Item) -> Sample:
    number, detail = item
    try:
        return sample_of(detail, rows)
    except (KeyError, TypeError, AttributeError, StopIteration, ValueError) as error:
        raise UsageError(f"{run.log}, row {number} is no sample of ours: name a run of `sobench lighteval`.") from error


def _part(content: Mapping[str, Any], *keys: str) -> Mapping[str, Any]:
    for key in keys:
        found = content.get(key)
        content = found if isinstance(found, dict) else {}
    return content


LIGHTEVAL: Final = Format(items=_items, sample=_sample, context=_rows_at_hand)
