"""From one answer to the numbers of the hard set, official and strict, by level and format, for each harness."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sobench_metrics.findings import compact
from sobench_metrics.ifstruct.figures import sample_figures
from sobench_metrics.ifstruct.hard.levels import LEVELS

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["FIGURES", "HARD_SLICES", "METRICS", "HardFigures", "hard_figures"]

METRICS = ("pass", "pass_strict")
HARD_SLICES = (*(f"level_{level.number}" for level in LEVELS), "json", "yaml")
FIGURES = (
    "pass_strict",
    *(f"pass_{name}" for name in HARD_SLICES if name.startswith("level")),
    *(f"pass_strict_{name}" for name in HARD_SLICES),
)
"""The figures that IFStruct's own tasks do not have."""


@dataclass(frozen=True, slots=True)
class HardFigures:
    """One sample: each of METRICS (1.0 or 0.0), whether it is in each of HARD_SLICES, and what explains it."""

    values: dict[str, float]
    inside: dict[str, bool]
    diagnostics: dict[str, Any]

    def table(self) -> dict[str, float | None]:
        """Return every metric, over all and in each slice; None outside a slice."""
        found: dict[str, float | None] = dict(self.values)
        for metric, value in self.values.items():
            found |= {f"{metric}_{name}": value if is_in else None for name, is_in in self.inside.items()}
        return found


def hard_figures(row: Mapping[str, Any], text: str | None, *, failure: str = "") -> HardFigures:
    """Return the figures of one answer to a row; never raises.

    `pass` is the official verdict, `pass_strict` asks for no strict finding beside it: what could not be checked
    within its bounds has not passed either. A row without a level is in no slice of levels.
    """
    found = sample_figures(row, text, failure=failure)
    told = compact(found.strict)
    inside = {name: name == f"level_{row.get('level')}" for name in HARD_SLICES}
    inside |= {"json": row["output_format"] != "yaml", "yaml": row["output_format"] == "yaml"}
    slices = {**found.diagnostics["slices"], "in": [name for name, is_in in inside.items() if is_in]}
    diagnostics = {**found.diagnostics, "slices": slices, "strict_findings": told["findings"]}
    strict = found.passed if not found.strict else 0.0
    return HardFigures({"pass": found.passed, "pass_strict": strict}, inside, diagnostics)
