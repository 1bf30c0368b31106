"""Numbers and words of the tables, the same on the page, in Markdown and in CSV."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from sobench_metrics.report.columns import Column
    from sobench_metrics.report.figures import Measured
    from sobench_metrics.report.model import Gathered, View

__all__ = ["GROUPS", "answered_notes", "answered_text", "counts_text", "interval_text", "marks", "notice", "value_text"]

GROUPS: Final = {
    "official": "the released scorers' rules, bit for bit",
    "strict": "SO-Bench by the paper's definitions: nothing invalid or missing leaves the denominator; the hard set of "
    "IFStruct with every rule of its schemas, the ones that the official verdict passes over included",
    "tolerant": "of all answers, those that failed by the official rules although a documented tolerant reading finds "
    "the data asked for; never part of an official or strict figure",
    "other": "as the harness logged them",
}
"""By which rules a figure is counted."""

_NOT_TO_PUBLISH: Final = (
    "Do not publish this page: it repeats prompts, labels and pictures of SO-Bench, whose terms (CC-BY-NC-ND) do not "
    "allow it. It is your own copy; send it only to those who work with you."
)
_WITH_CARE: Final = (
    "This page repeats the prompts of a benchmark and the answers to them: what is published ends in training data, so "
    "send it only to those who work with you."
)
_NOTHING: Final = "-"


def notice(gathered: Gathered) -> str:
    """Return what whoever holds the page must know before passing it on; the bundled sample set is free."""
    is_free = all(view.kind != "sobench" or view.name.endswith("_sample") for view in gathered.tasks)
    return _WITH_CARE if is_free else _NOT_TO_PUBLISH


def value_text(found: Measured) -> str:
    """Return a figure for people: a share in percent."""
    if not found.answers:
        return _NOTHING
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
    """Return how many samples a column has, of how many its tasks have."""
    number, planned = len(view.answers(letter)), view.planned.get(letter)
    return f"{number:,}" if planned is None else f"{number:,}/{planned:,}"


def answered_notes(view: View, letter: str) -> list[str]:
    """Return what became of samples that were not answered as the others: each such number in words."""
    answers = [answer for _, answer in view.answers(letter)]
    numbers = {
        "without an answer, the request failed": sum(answer.lost for answer in answers),
        "skipped, never asked": sum(answer.held == "skipped" for answer in answers),
        "answered free of the schema": sum(answer.held == "free" for answer in answers),
        "excluded": sum(answer.held == "excluded" for answer in answers),
    }
    return [f"{number:,} {words}" for words, number in numbers.items() if number]


def marks(column: Column, view: View | None = None) -> list[str]:
    """Return what a reader has to know of a column before comparing it, everywhere or in one view."""
    told = [f"baseline: {column.baseline}"] if column.baseline else []
    if column.constrained:
        told.append("constrained")
    if view is None:
        return told
    planned = view.planned.get(column.letter)
    if planned is not None and len(view.answers(column.letter)) < planned:
        told.append("partial")
    if ran := view.parts(column.letter):
        told.append(f"only {', '.join(name.removeprefix('sobench_').removesuffix('_sample') for name in ran)}")
    return told


def _whole(number: float) -> str:
    return f"{number:,.0f}" if float(number).is_integer() else f"{number:,.2f}"
