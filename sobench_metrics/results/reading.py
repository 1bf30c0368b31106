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

__all__ = ["FORMATS", "open_runs", "results_files", "samples"]

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
_LISTED: Final = 5


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


def results_files(folder: Path) -> list[Path]:
    """Return the results files of both harnesses in a folder, the newest last."""
    both = {*lm_eval_log.results_files(folder), *lighteval_log.results_files(folder)}
    return [file for _, file in sorted(both)]


def _of_folder(folder: Path, rows: RowSource) -> dict[str, Run]:
    files = results_files(folder)
    if not files:
        return lm_eval_log.open_runs(folder)  # says what is missing
    models = {_model_folder(folder, file): file.parent for file in files}
    if len(models) > 1:
        listed = ", ".join(map(str, list(models.values())[:_LISTED])) + ", ..." * (len(models) > _LISTED)
        raise UsageError(f"{folder} holds runs of {len(models)} models: name one of {listed}.")
    return _of_json(files[-1], rows)


def _model_folder(folder: Path, file: Path) -> str:
    """Return the name of the folder that a harness gave the model; lighteval lays it into `results`, in parts."""
    parts = file.parent.relative_to(folder).parts
    return "__".join(parts[1:] if parts[:1] == ("results",) else parts)


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
