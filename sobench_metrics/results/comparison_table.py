"""A comparison as plain text that fits 100 columns."""

from __future__ import annotations

import textwrap
from collections import Counter
from typing import TYPE_CHECKING, Final

from sobench_metrics.data.plain_words import counted, one_line
from sobench_metrics.results.baselines import baseline_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sobench_metrics.results.comparison import Comparison, Row
    from sobench_metrics.results.pairing import Pairing

__all__ = ["SHOWN", "WIDTH", "lines", "shown_number"]

WIDTH: Final = 100
"""Columns of the text."""

SHOWN: Final = (
    "schema_validity", "field_match", "full_match", "strict_field_recall", "strict_field_f1", "strict_full_match",
    "invalid", "pass", "pass_strict",
)  # fmt: skip
"""The figures for people, in their order."""

_BESIDE: Final = ("at_limit", "tokens", "characters", "seconds")
_NAMES: Final = {"tokens": "tokens (mean)", "characters": "characters (mean)", "seconds": "seconds (mean)"}
_OF_RUN: Final = "seconds, whole run"
_FINDINGS: Final = 8
_CHANGED: Final = ("pass", "full_match", "field_match")


def lines(comparisons: Sequence[Comparison], *, listed: bool) -> Iterator[str]:
    """Yield the lines of the text: who is compared, a table for each task, what to know, both signatures.

    With `listed` each sample that was left out has a line, and each that changed its headline verdict.
    """
    first = comparisons[0].pairing
    for side, run in zip(first.sides, first.runs, strict=True):
        who = one_line(run.model) + (" (a baseline, no model)" if baseline_of(run.model) else "")
        told = ", ".join(filter(None, [who, one_line(run.harness)])) or "answers"
        yield from _wrapped(f"{side}  {told}: {one_line(run.where)}", "   ")
    for comparison in comparisons:
        yield ""
        yield from _table(comparison)
        if listed:
            yield from _changed(comparison)
            yield from _left_out(comparison.pairing)
    yield ""
    yield from _legend(comparisons)
    yield ""
    for comparison in comparisons:
        if not comparison.pairing.pooled:
            yield from _signatures(comparison.pairing)


def _table(comparison: Comparison) -> Iterator[str]:
    pairing = comparison.pairing
    yield from _wrapped(_title(pairing), "    ")
    for warning in pairing.warnings:
        yield from _wrapped(f"  warning: {warning}", "    ")
    a, b = pairing.sides
    yield (
        f"  {'figure':<20}{a:>10}{b:>10}{f'{b} - {a}':>10}{'95 % interval':>22}"
        f"{'wins':>6}{'losses':>7}{'ties':>6}{'p':>7}"
    )
    shown = _shown(comparison.rows)
    for row in shown:
        yield _line(row)
    if comparison.clusters is not None:
        yield from _wrapped(f"  intervals drawn over {comparison.clusters:,} pictures or entity types", "    ")
    small = [
        f"{row.figure} {shown_number(row, row.detectable)}"
        for row in shown
        if row.detectable is not None and row.unit == "percent"
    ]
    if small:
        told = ", ".join(small)
        yield from _wrapped(f"  least difference that these samples show in four of five repetitions: {told}", "    ")
    changed = sorted(comparison.findings.items(), key=lambda item: (-abs(item[1][1] - item[1][0]), item[0]))
    moved = [f"{one_line(code)} {before:,} -> {after:,}" for code, (before, after) in changed if before != after]
    if moved:
        more = f", and {len(moved) - _FINDINGS} more" if len(moved) > _FINDINGS else ""
        yield from _wrapped(f"  findings, answers of {a} -> of {b}: {', '.join(moved[:_FINDINGS])}{more}", "    ")


def _title(pairing: Pairing) -> str:
    ran_a, ran_b = pairing.ran
    of = "" if pairing.planned is None else f" of {pairing.planned:,}"
    a, b = pairing.sides
    ran = f"{a} ran {ran_a:,}, {b} ran {ran_b:,}" if ran_a != ran_b else f"both ran {ran_a:,}"
    tally = Counter((out.state, out.side) for out in pairing.left_out)
    out = "".join(f"; {number:,} {one_line(state)} in {side}" for (state, side), number in sorted(tally.items()))
    return f"{one_line(pairing.task)}: {counted(len(pairing.pairs), 'sample')}{of} compared ({ran}{out})"


def _shown(rows: Sequence[Row]) -> list[Row]:
    """Return the rows for people: our benchmarks' main figures, or all of another task; length and time last."""
    ours = sorted((row for row in rows if row.figure in SHOWN), key=lambda row: SHOWN.index(row.figure))
    beside = [row for row in rows if row.figure in _BESIDE]
    return [*(ours or [row for row in rows if row not in beside]), *beside]


def _line(row: Row) -> str:
    name = _OF_RUN if row.of_run else _NAMES.get(row.figure, one_line(row.figure))
    interval = (
        "" if row.interval is None else "[{}, {}]".format(*(shown_number(row, end, sign="+") for end in row.interval))
    )
    tally = row.counts
    counted_ = f"{tally.wins:>6}{tally.losses:>7}{tally.ties:>6}" if tally else " " * 19
    p = "" if row.p is None else "<0.001" if row.p < 0.001 else f"{row.p:.3f}"
    values = (
        f"{shown_number(row, row.a):>10}{shown_number(row, row.b):>10}{shown_number(row, row.difference, sign='+'):>10}"
    )
    return f"  {name[:20]:<20}{values}{interval:>22}{counted_}{p:>7}".rstrip()


def shown_number(row: Row, number: float, sign: str = "") -> str:
    """Return a figure's number in its unit and with its digits."""
    if row.unit == "percent":
        number *= 100
    digits = {"tokens": 1, "characters": 1, "number": 3}.get(row.unit, 2)
    return f"{round(number, digits) + 0.0:{sign}.{digits}f}"  # + 0.0: no "-0.00"


def _changed(comparison: Comparison) -> Iterator[str]:
    """Name the samples that one side alone got right, by the first headline figure that the task has."""
    figures = {row.figure: row for row in comparison.rows}
    row = next((figures[name] for name in _CHANGED if name in figures), None)
    if row is None:
        return
    for side, names in zip(comparison.pairing.sides[::-1], (row.won, row.lost), strict=True):
        if names:
            told = ", ".join(map(one_line, names))
            yield from _wrapped(f"  {row.figure} better in {side} ({len(names):,}): {told}", "    ")


def _left_out(pairing: Pairing) -> Iterator[str]:
    for out in sorted(pairing.left_out, key=lambda out: (out.state, out.side)):
        why = f": {one_line(out.reason)}" if out.reason else ""
        yield from _wrapped(f"  left out: {one_line(out.doc_id)}, {one_line(out.state)} in {out.side}{why}", "    ")


def _legend(comparisons: Sequence[Comparison]) -> Iterator[str]:
    rows = [row for comparison in comparisons for row in _shown(comparison.rows)]
    notes = {
        "Figures in percent; wins, losses, ties: samples in which the second is better, worse, equal (fewer is better "
        "for invalid, length and time); interval: paired bootstrap; p: exact McNemar test.": True,
        "The test takes samples for independent, the interval does not: trust the interval where they disagree.": any(
            comparison.clusters is not None for comparison in comparisons
        ),
        "An interval without width: every sample differs alike, here, which is no proof for others.": any(
            row.interval and row.interval[0] == row.interval[1] for row in rows
        ),
        "A sample without denominator on a side, as an invalid answer in official figures, is none of the three.": any(
            row.counts and row.counts.undefined for row in rows
        ),
        "The logs do not tell the tokens of every answer: length is in characters.": any(
            row.figure == "characters" for row in rows
        ),
        "The logs do not tell the time of every answer: seconds are the whole run's, loading and all tasks included.": (
            any(row.of_run for row in rows)
        ),
        "Compared are the samples that were really constrained on the constrained side and answered on both.": any(
            comparison.pairing.common == "constrained" for comparison in comparisons
        ),
    }
    yield from _wrapped(" ".join(note for note, holds in notes.items() if holds), "")


def _signatures(pairing: Pairing) -> Iterator[str]:
    for side, run in zip(pairing.sides, pairing.runs, strict=True):
        # broken between its parts, which may hold spaces and dashes of their own
        line = side + " "
        for key, value in run.signature.items():
            part = f" {key}={one_line(value)}"
            if len(line) + len(part) > WIDTH:
                yield from _wrapped(line, "   ")
                line = "  "
            line += part
        yield from _wrapped(line, "   ")


def _wrapped(text: str, indent: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, subsequent_indent=indent, replace_whitespace=False) or [""]
