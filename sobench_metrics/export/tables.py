"""CSV and Markdown for people: every figure of a run, never refused; what the gates say stands beside."""

from __future__ import annotations

import csv
import io
import math
from typing import TYPE_CHECKING, Final

from sobench_metrics.data.plain_words import one_line
from sobench_metrics.export import naming

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sobench_metrics.export.gates import Refusal
    from sobench_metrics.export.profiles import Profile
    from sobench_metrics.export.result import Figure, Result, Wishes

__all__ = ["COLUMNS", "csv_table", "markdown_table"]

COLUMNS: Final = (
    "model", "benchmark", "score", "stderr", "figure", "n", "expected", "model_revision", "data", "harness", "date",
    "notes", "signature",
)  # fmt: skip
"""`model`, `benchmark` and `score` are what `sobench correlate` reads."""

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
_MARKS: Final = str.maketrans({mark: f"\\{mark}" for mark in "\\`*_{}[]<>|#~!"})


def csv_table(
    results: Sequence[tuple[Result, Profile]], wishes: Wishes, refused: Mapping[str, Sequence[Refusal]]
) -> str:
    """Return a line a figure; cells that a spreadsheet would run as a formula begin with an apostrophe."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for result, profile in results:
        told = [*naming.notes(result, profile), *(f"{one.message} [{one.code}]" for one in refused[result.task])]
        for figure in result.figures:
            writer.writerow(map(_cell, _row(result, figure, profile, wishes, "; ".join(told))))
    return out.getvalue()


def markdown_table(
    results: Sequence[tuple[Result, Profile]], wishes: Wishes, refused: Mapping[str, Sequence[Refusal]]
) -> str:
    """Return a table a task, its signature, and what keeps it from being published."""
    lines = []
    for result, profile in results:
        expected = "?" if result.expected is None else f"{result.expected:,}"
        lines += [
            f"### {_plain(naming.title(result, profile))} ({_plain(result.task)})",
            "",
            f"{_plain(_model(result, wishes))}, {_plain(result.harness)}, {result.n:,} of {expected} samples"
            + (f", {naming.day(result)}" if naming.day(result) else ""),
            "",
            "| figure | % | ± |",
            "| --- | ---: | ---: |",
            *(f"| {_plain(one.name)} | {_percent(one.value)} | {_percent(one.stderr)} |" for one in result.figures),
            "",
            f"`{_code(result.signature_text)}`",
            "",
        ]
        told = naming.notes(result, profile)
        lines += [f"- {_plain(note)}" for note in told]
        lines += [f"- **not for publication**: {_plain(one.message)} ({one.code})" for one in refused[result.task]]
        lines += [""] if told or refused[result.task] else []
    return "\n".join(lines)


def _row(result: Result, figure: Figure, profile: Profile, wishes: Wishes, told: str) -> tuple[object, ...]:
    main = figure.name == naming.metric(profile, wishes)
    return (
        _model(result, wishes),
        result.task if main else f"{result.task}/{figure.name}",
        repr(figure.value),
        "" if figure.stderr is None else repr(figure.stderr),
        figure.name,
        result.n,
        "" if result.expected is None else result.expected,
        naming.model_revision(result, wishes),
        result.data,
        result.harness,
        naming.day(result),
        told,
        result.signature_text,
    )


def _model(result: Result, wishes: Wishes) -> str:
    return naming.model_id(result, wishes) or result.model.name


def _cell(value: object) -> str:
    text = one_line(value)
    try:
        float(text)  # a negative number is none of a spreadsheet's formulas
    except ValueError:
        return f"'{text}" if text.startswith(_FORMULA) else text
    return text


def _percent(value: float | None) -> str:
    return "" if value is None or not math.isfinite(value) else f"{100 * value:.2f}"


def _plain(text: str) -> str:
    return one_line(text).translate(_MARKS)


def _code(text: str) -> str:
    return one_line(text).replace("`", "'")
