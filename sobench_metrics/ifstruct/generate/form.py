"""The rules about an answer's outside, drawn at the test set's proportions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, cast

from sobench_metrics.ifstruct.generate import targets
from sobench_metrics.ifstruct.generate.chance import happens, weighted

if TYPE_CHECKING:
    from random import Random

__all__ = ["Fence", "Form", "sample_form"]

Fence = Literal["specific", "generic", "none", "free"]


@dataclass(frozen=True, slots=True)
class Form:
    """What surrounds the items: format, wrapper, number, fence, silence, and whether closedness is said.

    `fence`: `specific` names the language, `generic` does not, `none` says that no code block is wanted, `free` leaves
    it open. A code block is demanded by the first two. `low` to `high` items, both inclusive.
    """

    output_format: str
    wrapped: bool
    low: int
    high: int
    fence: Fence
    silent: bool
    closed: bool

    @property
    def fenced(self) -> bool:
        """Whether an answer without a code block fails."""
        return self.fence in ("specific", "generic")


def sample_form(rng: Random) -> Form:
    """Return a drawn form; each rule is drawn for itself."""
    low, high = weighted(rng, targets.COUNTS)
    return Form(
        output_format=weighted(rng, targets.FORMATS),
        wrapped=weighted(rng, targets.WRAPS),
        low=low,
        high=high,
        fence=cast("Fence", weighted(rng, targets.FENCES)),
        silent=weighted(rng, targets.SILENT),
        closed=happens(rng, targets.CLOSED_PERCENT),
    )
