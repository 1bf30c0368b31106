"""Correlations as plain text, and as CSV."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Final

from sobench_metrics.results.correlation import FEW

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sobench_metrics.results.correlation import Correlation, Method, Scores

__all__ = ["lines", "rows"]

_WIDTH: Final = 100
_NAME: Final = 28
_COLUMN: Final = 9
_PER_BLOCK: Final = (_WIDTH - 6) // _COLUMN


def rows(found: Sequence[Correlation]) -> Iterator[list[str]]:
    """Yield the rows of a CSV file, the header first."""
    yield ["a", "b", "r", "low", "high", "models"]
    for one in found:
        ends = ("", "") if one.interval is None else tuple(f"{end:.4f}" for end in one.interval)
        yield [one.a, one.b, "" if one.r is None else f"{one.r:.4f}", *ends, str(len(one.models))]


def lines(scores: Scores, found: Sequence[Correlation], method: Method) -> Iterator[str]:
    """Yield the numbered benchmarks, the matrix of correlations, and each pair with interval and number of models."""
    told = f"{method} correlation over {len(scores.models)} models: {', '.join(scores.models)}"
    yield from textwrap.wrap(told, _WIDTH, subsequent_indent="    ")
    yield ""
    numbers = {name: str(place) for place, name in enumerate(scores.benchmarks, 1)}
    for name, number in numbers.items():
        have = sum((name, model) in scores.values for model in scores.models)
        yield f"{number:>4}  {name} ({have} models)"
    by_pair = {frozenset((one.a, one.b)): one for one in found}
    for start in range(0, len(scores.benchmarks), _PER_BLOCK):
        columns = scores.benchmarks[start : start + _PER_BLOCK]
        yield ""
        yield "    " + "".join(f"{numbers[name]:>{_COLUMN}}" for name in columns)
        for name in scores.benchmarks:
            cells = [_cell(by_pair.get(frozenset((name, other))), same=name == other) for other in columns]
            yield f"{numbers[name]:>4}" + "".join(f"{cell:>{_COLUMN}}" for cell in cells)
    yield ""
    for one in sorted(found, key=lambda one: -abs(one.r or 0)):
        names = f"{one.a[:_NAME]:<{_NAME}}  {one.b[:_NAME]:<{_NAME}}"
        told = "        -" if one.r is None else f"{one.r:>+9.2f}"
        span = "" if one.interval is None else "[{:+.2f}, {:+.2f}]".format(*one.interval)
        yield f"  {names}{told}  {span:<16}{len(one.models):>4} models".rstrip()
    few = sum(len(one.models) < FEW for one in found)
    note = "Intervals are Fisher's, 95 %: they hold for models drawn at random, which no list of models is."
    if few:
        note += f" {few} of {len(found)} pairs rest on fewer than {FEW} models."
    for sentence in (note, *scores.notes):
        yield ""
        yield from textwrap.wrap(sentence, _WIDTH)


def _cell(found: Correlation | None, *, same: bool) -> str:
    if same:
        return "1"
    return "-" if found is None or found.r is None else f"{found.r:+.2f}"
