"""Draw one document of a domain: which kind, in which look, under which schema."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sobench_metrics.data.sample_maker.figures.kind import chart_figure
from sobench_metrics.data.sample_maker.fresh.asking import asked_for_less, keys_rewritten
from sobench_metrics.data.sample_maker.fresh.looks import seen_otherwise
from sobench_metrics.data.sample_maker.kinds import DOMAINS
from sobench_metrics.data.sample_maker.pages.kind import document_page, natural_page, ui_page

if TYPE_CHECKING:
    from random import Random

    from sobench_metrics.data.sample_maker.drawn import Drawn, Kind

__all__ = ["drawn_document"]

_BUNDLED_PERCENT = 40
_LESS_PERCENT = 35
_RENAMED_PERCENT = 25
_TOLD_BY_WISH = ("line", "market", "scatter", "week_planner")  # their requests say an order that is asked for
_FREE: dict[str, tuple[str, Kind]] = {
    "ui": ("ui_page", ui_page), "natural": ("natural_page", natural_page),
    "document": ("document_page", document_page), "chart": ("chart_figure", chart_figure),
}  # fmt: skip


def drawn_document(domain: str, rng: Random) -> tuple[str, Drawn]:
    """Return the kind's name and a document; ValueError where a drawn text finds no room (draw again)."""
    if rng.randrange(100) < _BUNDLED_PERCENT:
        name = rng.choice(sorted(DOMAINS[domain]))
        drawn = DOMAINS[domain][name](rng)
        drawn = replace(drawn, image=seen_otherwise(drawn.image, domain, rng))
    else:
        name, draw = _FREE[domain]
        drawn = draw(rng)
    if rng.randrange(100) < _LESS_PERCENT and name not in _TOLD_BY_WISH:
        drawn = asked_for_less(drawn, rng)
    if rng.randrange(100) < _RENAMED_PERCENT:
        drawn = keys_rewritten(drawn, rng)
    return name, drawn
