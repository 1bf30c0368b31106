"""The curve of a run: what held-out rows earned at a step, with intervals, as a table and as a picture."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from sobench_metrics.data.whole_file import whole_file
from sobench_metrics.statistics import bootstrap_differences, bootstrap_values

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from sobench_metrics.statistics import Column, Interval

__all__ = ["Curve", "Point", "draw", "rise", "write"]

_ANYWHERE: Final = (0.0, 1.0)
_ANYTHING: Final = (-1.0, 1.0)


@dataclass(frozen=True, slots=True)
class Point:
    """Each held-out answer's official and shaped reward after so many steps, in the order of the rows."""

    step: int
    passed: tuple[float, ...]
    shaped: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Curve:
    """The held-out points, the first before any step; `types` names each row's entity type.

    `training` holds for each step the means over the answers that were trained on: step, pass rate, shaped reward.
    """

    types: tuple[str, ...]
    points: tuple[Point, ...]
    training: tuple[tuple[int, float, float], ...]


def rise(curve: Curve) -> dict[str, tuple[float, Interval]]:
    """Return what the last step changed against the start: official (`passed`) and shaped reward.

    Each with its 95 % interval, paired by row, entity types drawn whole.
    """
    first, last = curve.points[0], curve.points[-1]
    pairs = {"passed": (first.passed, last.passed), "shaped": (first.shaped, last.shaped)}
    intervals = bootstrap_differences(
        [(_column(before), _column(after)) for before, after in pairs.values()], clusters=curve.types
    )
    return {
        name: (_mean(after) - _mean(before), interval or _ANYTHING)
        for (name, (before, after)), interval in zip(pairs.items(), intervals, strict=True)
    }


def write(curve: Curve, file: Path) -> None:
    """Write one line a step as CSV: the held-out figures with their 95 % intervals, and what was trained on."""
    asked = {point.step: _figures(curve, point) for point in curve.points}
    trained = {step: figures for step, *figures in curve.training}
    with whole_file(file) as out:
        lines = csv.writer(out, lineterminator="\n")
        held_out = [f"held_out_{name}{part}" for name in ("pass", "shaped") for part in ("", "_low", "_high")]
        lines.writerow(["step", *held_out, "trained_pass", "trained_shaped"])
        for step in sorted({*asked, *trained}):
            figures = [*asked.get(step, [""] * 6), *trained.get(step, [""] * 2)]
            lines.writerow([step, *(f"{figure:.4f}" if figure != "" else "" for figure in figures)])


def draw(curve: Curve, file: Path) -> None:
    """Draw the curve as a PNG."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(figsize=(6.4, 3.6), dpi=100)
    steps = [step for step, *_ in curve.training]
    asked = [point.step for point in curve.points]
    figures = [_figures(curve, point) for point in curve.points]
    for name, colour, at in (("shaped reward", "#2f5d9b", 3), ("pass rate", "#c0651a", 0)):
        trained = [pair[1 if at == 0 else 2] for pair in curve.training]
        axes.plot(steps, trained, color=colour, alpha=0.35, linewidth=1, label=f"{name}, trained on")
        axes.plot(asked, [each[at] for each in figures], "o-", color=colour, label=f"{name}, held out (95 %)")
        axes.fill_between(
            asked, [each[at + 1] for each in figures], [each[at + 2] for each in figures], color=colour, alpha=0.13
        )
    axes.set(xlabel="GRPO step (4 prompts, 8 answers each)", ylabel="mean reward", ylim=(0, 1))
    axes.set_title(f"{len(curve.types)} held-out rows of {len(set(curve.types))} unseen entity types", fontsize=9)
    axes.grid(alpha=0.3)
    axes.legend(fontsize=8, loc="best")
    figure.tight_layout()
    figure.savefig(file)
    plt.close(figure)


def _figures(curve: Curve, point: Point) -> list[float]:
    """Return value, low, high of the pass rate, then of the shaped reward."""
    columns = [_column(point.passed), _column(point.shaped)]
    intervals = bootstrap_values(columns, clusters=curve.types)
    means = (_mean(point.passed), _mean(point.shaped))
    return [part for mean, found in zip(means, intervals, strict=True) for part in (mean, *(found or _ANYWHERE))]


def _column(rewards: Sequence[float]) -> Column:
    return [(reward, 1.0) for reward in rewards]


def _mean(rewards: Sequence[float]) -> float:
    return sum(rewards) / len(rewards)
