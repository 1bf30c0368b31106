"""Numbers and words of the tables, the same on the page, in Markdown and in CSV."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from sobench_metrics.report.columns import Column
    from sobench_metrics.report.figures import Measured
    from sobench_metrics.report.model import View

__all__ = ["GROUPS", "answered_text", "counts_text", "interval_text", "marks", "value_text"]

GROUPS: Final = {
    "official": "the released scorers' rules, bit for bit",
    "strict": "the paper's definitions: nothing invalid or missing leaves the denominator",
    "tolerant": "of all answers, those that failed by the official rules although a documented tolerant reading finds "
    "the data; never part of an official or strict figure",
    "other": "as the harness logged them",
}
"""By which rules a figure is counted."""

NOTHING: Final = "-"


def value_text(found: Measured) -> str:
    """Return a figure for people: a share in percent."""
    if not found.answers:
        return NOTHING
    return f"{100 * found.value:.1f}" if found.share else f"{found.value:.3f}"


def interval_text(found: Measured) -> str:
    """Return the ends of a 95 % interval; empty where there is none."""
    if found.interval is None:
        return ""
    return "{} to {}".format(*(f"{100 * end:.1f}" if found.share else f"{end:.3f}" for end in found.interval))


def counts_text(found: Measured) -> str:
    """Return the sums that a share is made of."""
    if not found.share:
        return f"{found.answers:,} answers"
    return f"{_whole(found.top)}/{_whole(found.bottom)}"


def answered_text(view: View, letter: str) -> str:
    """Return how many samples a column answered, of how many its tasks have."""
    number, planned = len(view.answers(letter)), view.planned(letter)
    return f"{number:,}" if planned is None else f"{number:,}/{planned:,}"


def marks(column: Column) -> list[str]:
    """Return what a reader has to know of a column before comparing it."""
    told = [f"baseline: {column.baseline}"] if column.baseline else []
    return [*told, "constrained"] if column.constrained else told


def _whole(number: float) -> str:
    return f"{number:,.0f}" if float(number).is_integer() else f"{number:,.2f}"
