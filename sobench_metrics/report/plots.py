"""Small bars as inline SVG: no library, no style attribute, colours from the page's style sheet by class."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sobench_metrics.data.contact_sheet_page import escaped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sobench_metrics.report.figures import Measured

__all__ = ["parts_bar", "share_bar"]

_WIDTH: Final = 200
_HEIGHT: Final = 14
_GAP: Final = 0.6


def share_bar(found: Measured, column: int) -> str:
    """Return a bar of 0 to 100 % with the interval as a line; empty for what is no share or was not measured."""
    if not found.share or not found.answers:
        return ""
    value = _place(found.value)
    whisker = ""
    if found.interval is not None:
        low, high = (_place(end) for end in found.interval)
        whisker = (
            f'<rect class="whisker" x="{low:.1f}" y="{_HEIGHT / 2 - 1:.1f}" width="{max(1.0, high - low):.1f}" '
            f'height="2"/><rect class="whisker" x="{low:.1f}" y="4" width="1" height="{_HEIGHT - 8}"/>'
            f'<rect class="whisker" x="{max(0.0, high - 1):.1f}" y="4" width="1" height="{_HEIGHT - 8}"/>'
        )
    return (
        f'<svg class="bar" viewBox="0 0 {_WIDTH} {_HEIGHT}" preserveAspectRatio="none" aria-hidden="true">'
        f'<rect class="track" width="{_WIDTH}" height="{_HEIGHT}"/>'
        f'<rect class="c{column % 8}" y="2" width="{value:.1f}" height="{_HEIGHT - 4}"/>{whisker}</svg>'
    )


def parts_bar(parts: Sequence[tuple[str, str, int]], total: int) -> str:
    """Return one bar of parts that sum to `total`: (class, name, number) from left to right, parted by thin gaps.

    A part names itself under the pointer; for all others the table below holds the same numbers.
    """
    drawn, start = [], 0
    for kind, name, number in parts:
        if number:
            left, width = _WIDTH * start / total, _WIDTH * number / total
            told = f"<title>{escaped(name)}: {number:,} of {total:,}</title>"
            gap = min(_GAP, width / 2)
            drawn.append(
                f'<rect class="{kind}" x="{left:.2f}" width="{width - gap:.2f}" height="{_HEIGHT}">{told}</rect>'
            )
        start += number
    return (
        f'<svg class="bar parts" viewBox="0 0 {_WIDTH} {_HEIGHT}" preserveAspectRatio="none" aria-hidden="true">'
        f"{''.join(drawn)}</svg>"
    )


def _place(share: float) -> float:
    return _WIDTH * min(1.0, max(0.0, share))
