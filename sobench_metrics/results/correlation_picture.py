"""Correlations as a picture: the matrix in colours with its numbers, drawn with matplotlib."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any, Final, cast

from sobench_metrics.data.whole_file import whole_file
from sobench_metrics.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from sobench_metrics.results.correlation import Correlation, Method, Scores

__all__ = ["KINDS", "draw", "refuse_kind"]

KINDS: Final = (".png", ".svg", ".pdf")
_CELL: Final = 0.75  # inches
_LONGEST: Final = 32


def refuse_kind(file: Path) -> None:
    """Raise UsageError for a kind of picture that cannot be drawn."""
    if file.suffix.lower() not in KINDS:
        raise UsageError(f"{file} names no kind of picture: end it in {', '.join(KINDS)}.")


def draw(scores: Scores, found: Sequence[Correlation], method: Method, file: Path) -> None:
    """Write the picture; raises UsageError for a kind that is not known, and when matplotlib is not there."""
    refuse_kind(file)
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ModuleNotFoundError as error:
        raise UsageError("pictures are drawn with matplotlib: pip install 'sobench[report]'.") from error
    size = len(scores.benchmarks)
    by_pair = {frozenset((one.a, one.b)): one for one in found}
    names = [_short(name) for name in scores.benchmarks]
    margin = 0.09 * max(map(len, names)) + 0.6
    figure = Figure(figsize=(size * _CELL + margin + 1, size * _CELL + margin), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots()
    values = [[_value(by_pair, a, b) for b in scores.benchmarks] for a in scores.benchmarks]
    shown = axes.imshow(
        [[float("nan") if value is None else value for value in row] for row in values], vmin=-1, vmax=1, cmap="RdBu"
    )
    axes.set_xticks(range(size), names, rotation=45, ha="right")
    axes.set_yticks(range(size), names)
    for row, line in enumerate(values):
        for column, value in enumerate(line):
            _write(
                axes, row, column, value, by_pair.get(frozenset((scores.benchmarks[row], scores.benchmarks[column])))
            )
    axes.set_title(f"{method.capitalize()} r over {len(scores.models)} models (n of each pair below)", fontsize=10)
    figure.colorbar(shown, ax=axes, shrink=0.8)
    drawn = io.BytesIO()
    figure.savefig(drawn, format=file.suffix[1:].lower(), dpi=150)
    with whole_file(file) as handle:
        cast("io.TextIOWrapper", handle).buffer.write(drawn.getvalue())


def _value(by_pair: dict[frozenset[str], Correlation], a: str, b: str) -> float | None:
    if a == b:
        return 1.0
    found = by_pair.get(frozenset((a, b)))
    return None if found is None else found.r


def _write(axes: Any, row: int, column: int, value: float | None, found: Correlation | None) -> None:
    told = "-" if value is None else f"{value:.2f}"
    if found is not None:
        told += f"\n{len(found.models)}"
    colour = "white" if value is not None and abs(value) > 0.6 else "black"
    axes.text(column, row, told, ha="center", va="center", color=colour, fontsize=8)


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 3]}..."
