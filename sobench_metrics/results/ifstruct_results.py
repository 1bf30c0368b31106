"""Read the results file of IFStruct's own runner: run, summary, and every sample with prompt and response."""

from __future__ import annotations

import datetime as dt
import hashlib
from typing import TYPE_CHECKING, Any, Final

from sobench_metrics.data.plain_words import one_line
from sobench_metrics.errors import UsageError
from sobench_metrics.results.benchmark_rows import load
from sobench_metrics.results.formats import Format, Item
from sobench_metrics.results.json_file import read_json
from sobench_metrics.results.records import RowSource, Run, Sample
from sobench_metrics.results.told_figures import numbers

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

__all__ = ["IFSTRUCT", "is_one", "open_runs"]

_TASK: Final = "ifstruct"
_RATES: Final = {
    "pass": (),
    "pass_json": ("by_format", "json"),
    "pass_yaml": ("by_format", "yaml"),
    "pass_wrapper": ("by_top_level_structure", "wrapper_key"),
    "pass_bare": ("by_top_level_structure", "bare_list"),
}
"""Where the runner's summary has the rates that we name so."""


def is_one(content: Mapping[str, Any]) -> bool:
    """Return whether a decoded file has the runner's three parts."""
    return all(
        isinstance(content.get(name), kind) for name, kind in (("run", dict), ("summary", dict), ("samples", list))
    )


def open_runs(file: Path, content: Mapping[str, Any], rows: RowSource) -> dict[str, Run]:
    """Return the run of a decoded results file; its rows come from `rows`, else from the data of the task ifstruct."""
    run, summary = content["run"], content["summary"]
    asked = [run.get("temperature"), run.get("max_tokens")]
    signature = {
        "task": f"{_TASK}:reference",
        "scores": "official",
        "reasoning": "removed by the scorer",
        "max_gen_toks": str(asked[1]),
        "decoding": "greedy" if asked[0] == 0 else f"temperature {asked[0]}",
        "backend": "chat server",
    }
    found = Run(
        where=file,
        log=file,
        task=rows.task or _TASK,
        harness="ifstruct-eval",
        model=str(run.get("model") or ""),
        signature=signature,
        settings={
            "model": "chat server",
            "model_args": {"base_url": run.get("base_url")},
            "limit": run.get("limit"),
            "generation": {"temperature": asked[0], "max_gen_toks": asked[1]},
        },
        seconds=_seconds(run),
        asked=total if isinstance(total := summary.get("total"), int) else None,
        format="ifstruct-results",
        told={rows.task or _TASK: numbers({name: _rate(summary, path) for name, path in _RATES.items()})},
        rows=rows if rows.task or rows.file else RowSource(task=_TASK),
    )
    return {found.task: found}


def _seconds(run: Mapping[str, Any]) -> float | None:
    told = run.get("duration_seconds")
    if isinstance(told, (int, float)):
        return float(told)
    try:
        ends = [dt.datetime.fromisoformat(str(run[name])) for name in ("started_at", "finished_at")]
        return (ends[1] - ends[0]).total_seconds()
    except (KeyError, ValueError, TypeError):
        return None


def _rate(summary: Mapping[str, Any], path: tuple[str, ...]) -> Any:
    part: Any = summary
    for name in path:
        part = part.get(name) if isinstance(part, dict) else None
    return part.get("pass_rate") if isinstance(part, dict) else None


def _items(run: Run) -> Iterator[Item]:
    return enumerate(read_json(run.log)["samples"], 1)


def _by_prompt(run: Run) -> dict[str, list[Mapping[str, Any]]]:
    """Return the rows by what they ask, for the file names a row by its prompt and the number it was drawn with."""
    found: dict[str, list[Mapping[str, Any]]] = {}
    for row in load(run.rows).by_id.values():
        found.setdefault(str(row.get("prompt")), []).append(row)
    return found


def _sample(run: Run, rows: Mapping[str, list[Mapping[str, Any]]], item: Item) -> Sample:
    number, told = item
    where = f"{run.log}, sample {number}"
    if not isinstance(told, dict) or not isinstance(told.get("prompt"), str):
        raise UsageError(f"{where} has no prompt: name a results file of IFStruct's runner.")
    prompt, response, seed = told["prompt"], told.get("response"), str(told.get("seed", number))
    if response is not None and not isinstance(response, str):
        raise UsageError(f"{where} has a response that is no text: name a results file of IFStruct's runner.")
    asked = rows.get(prompt, [])
    if len(asked) > 1:  # the same prompt twice: the number decides
        asked = [row for row in asked if seed in {str(row.get(name)) for name in ("doc_id", "seed", "id")}]
    if len(asked) != 1:
        raise UsageError(
            f"{where} (seed {one_line(seed)}) asks what no one row of the data asks: name the rows that were asked "
            "with --rows."
        )
    details = told.get("details")
    failed = isinstance(details, dict) and bool(details.get("api_error"))
    errors = told.get("errors") or []
    passed = bool(told.get("passed"))
    return Sample(
        doc_id=seed,
        data_hash=_digest(prompt),
        prompt_hash=_digest(prompt),
        answer=None if failed else response,
        means={"pass": float(passed)},
        ratios={},
        passed=passed,
        characters=len(response or ""),
        row=asked[0],
        prompt=prompt,
        row_id=str(asked[0].get("doc_id", seed)),
        failure=(one_line(errors[0]) if errors else "no reason given") if failed else "",
    )


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


IFSTRUCT: Final = Format(items=_items, sample=_sample, context=_by_prompt)
