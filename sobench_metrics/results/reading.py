"""Open a run by its place, whichever harness or reference wrote it: the one door for everything that reads runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sobench_metrics.errors import UsageError
from sobench_metrics.results import ifstruct_results, lighteval_log, lm_eval_log, prediction_line, predictions
from sobench_metrics.results.formats import Format, samples_of
from sobench_metrics.results.json_file import read_json
from sobench_metrics.results.records import RowSource
from sobench_metrics.results.rescoring import benchmark_of_sample, rescored
from sobench_metrics.results.text_lines import numbered_lines

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sobench_metrics.results.records import Run, Sample

__all__ = ["FORMATS", "open_runs", "samples"]

FORMATS: Final[dict[str, Format]] = {
    "lm-eval": lm_eval_log.LM_EVAL,
    "lighteval": lighteval_log.LIGHTEVAL,
    "ifstruct-results": ifstruct_results.IFSTRUCT,
    "predictions": predictions.PREDICTIONS,
}
"""How to read each `Run.format`."""

_ASKED: Final = RowSource()
_KINDS: Final = "a run of lm-eval or lighteval, a results file of IFStruct's runner, or predictions as JSONL"
_LINE_OF_LM_EVAL: Final = ("doc", "filtered_resps", "metrics")
_START: Final = 4


def open_runs(place: Path, rows: RowSource = _ASKED) -> dict[str, Run]:
    """Return the tasks of one run by name: of a folder's newest run, of a results file, or of a file of answers.

    `rows` says what was asked where the log does not. Raises UsageError for a place that holds no run we can read.
    """
    place = place.expanduser()
    if place.is_dir():
        return _of_folder(place, rows)
    if not place.is_file():
        raise UsageError(f"there is no {place}: name the folder given as --output_path, or {_KINDS}.")
    with place.open("rb") as raw:
        start = raw.read(_START)
    if start == b"PAR1":
        return lighteval_log.open_details(place, rows.file)
    if place.suffix == ".json":
        return _of_json(place, rows)
    return _of_lines(place, rows)


def samples(run: Run) -> Iterator[Sample]:
    """Yield the samples of a run, one in memory at a time, with their figures; a log without figures is scored.

    Raises UsageError for a damaged log.
    """
    for sample in samples_of(run, FORMATS[run.format]):
        has_figures = bool(sample.means or sample.ratios)
        yield sample if has_figures or benchmark_of_sample(sample) is None else rescored(run, sample)


def _of_folder(folder: Path, rows: RowSource) -> dict[str, Run]:
    newest, other = lighteval_log.newest(folder), lm_eval_log.newest(folder)
    if newest is None or (other is not None and other[1] > _date(newest)):
        return lm_eval_log.open_runs(folder)
    return lighteval_log.open_runs(newest, read_json(newest), rows.file)


def _date(results: Path) -> str:
    """Return when a results file of lighteval was written, in the form that both harnesses use."""
    named = lighteval_log.RESULTS.fullmatch(results.name)
    return named[1] if named else ""


def _of_json(file: Path, rows: RowSource) -> dict[str, Run]:
    content = read_json(file)
    if ifstruct_results.is_one(content):
        return ifstruct_results.open_runs(file, content, rows)
    if isinstance(content.get("config_general"), dict):
        return lighteval_log.open_runs(file, content, rows.file)
    return lm_eval_log.open_runs(file)


def _of_lines(file: Path, rows: RowSource) -> dict[str, Run]:
    for number, line in numbered_lines(file, remedy=f"name {_KINDS}"):
        try:
            first = prediction_line.decoded(line)
        except UsageError as error:
            raise UsageError(f"{file}, line {number} {error}: name {_KINDS}.") from error
        if all(name in first for name in _LINE_OF_LM_EVAL):
            return lm_eval_log.open_samples(file)
        return predictions.open_runs(file, first, rows)
    raise UsageError(f"{file} is empty: name {_KINDS}.")
