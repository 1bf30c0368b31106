"""One page: a subject, its fields filled, set out, framed, with the request that asks for it."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from sobench_metrics.data.sample_maker.canvas import Canvas, photographed, scanned
from sobench_metrics.data.sample_maker.drawn import Drawn, arr
from sobench_metrics.data.sample_maker.pages import filling, frames, theme
from sobench_metrics.data.sample_maker.pages.arranging import arranged, sample_plan
from sobench_metrics.data.sample_maker.pages.parts import Bullets, Group, Table, record
from sobench_metrics.data.sample_maker.pages.wishes import wish
from sobench_metrics.ifstruct.generate.dials import Dials
from sobench_metrics.ifstruct.generate.schema_sampling import sample_item
from sobench_metrics.ifstruct.generate.taxonomy import entity_types

if TYPE_CHECKING:
    from random import Random

    from PIL import Image

    from sobench_metrics.data.sample_maker.drawn import Schema
    from sobench_metrics.data.sample_maker.pages.parts import Part
    from sobench_metrics.ifstruct.generate.entity import EntityType

__all__ = ["document_page", "natural_page", "ui_page"]

_DIALS = Dials(depth=1, narrowest=3, widest=9, optional_percent=12, group_percent=30)
_SMALL = Dials(depth=1, narrowest=2, widest=4, optional_percent=8, group_percent=0)
_SEVERAL_PERCENT = 25
_TALLEST = 2.4  # times its width: a taller picture is scaled down by every model until nobody can read it


def ui_page(rng: Random) -> Drawn:
    """A screen of a program: phone, window or browser."""
    look = theme.screen_theme(rng)
    width = rng.choice((420, 460, 500, 680, 760, 860, 940))
    page, drawn = _page(rng, look, width)
    return replace(drawn, image=frames.in_a_program(page, look, rng))


def document_page(rng: Random) -> Drawn:
    """A sheet of paper as a scanner saw it."""
    look = theme.paper_theme(rng)
    page, drawn = _page(rng, look, rng.choice((520, 600, 660, 740)))
    sheet = frames.on_paper(page, look, rng)
    return replace(drawn, image=scanned(_canvas_of(sheet), rng))


def natural_page(rng: Random) -> Drawn:
    """A board, poster or screen in a place, through a camera."""
    look = replace(theme.poster_theme(rng), size=rng.randint(19, 24))
    page, drawn = _page(rng, look, rng.choice((460, 540, 620)), small=True)
    return replace(drawn, image=photographed(_canvas_of(frames.hung_in_a_scene(page, rng)), rng))


def _page(rng: Random, look: theme.Theme, width: int, *, small: bool = False) -> tuple[Image.Image, Drawn]:
    entity = rng.choice(_subjects())
    manner = filling.sample_manner(rng)
    item = sample_item(entity.fields, _SMALL if small else _DIALS, rng)
    several = rng.randrange(100) < _SEVERAL_PERCENT
    first = filling.filled(item, manner, rng)
    items = [first]
    if several:  # one schema for all: nothing may be null in one of them only
        item = _without_optional(item)
        items = [filling.filled(item, manner, rng) for _ in range(rng.randint(2, 3))]
    title = entity.plural if several else entity.singular
    plan = sample_plan(width, rng)
    image = arranged(title[0].upper() + title[1:], items, look, plan)
    if image.height > _TALLEST * image.width:
        raise ValueError("the page is too long for its width")
    return image, _answer(image, entity, items, rng)


def _answer(image: Image.Image, entity: EntityType, items: list[tuple[Part, ...]], rng: Random) -> Drawn:
    told = [record(parts) for parts in items]
    several = len(items) > 1
    schema: Schema
    target: Any
    labels: Any
    schema, target, labels = told[0]
    if several:
        schema, target, labels = arr(schema, minItems=1), [one[1] for one in told], [one[2] for one in told]
    inner = [part.label.lower() for part in items[0] if isinstance(part, (Group, Table, Bullets))]
    intent = wish(entity.plural if several else entity.singular, inner, rng, several=several)
    return Drawn(image, schema, intent, target, labels)


def _without_optional(item: Schema) -> Schema:
    """Return the schema with every field required, at all levels."""
    made = {key: value for key, value in item.items() if key != "x-optional"}
    if "properties" in made:
        made["properties"] = {name: _without_optional(part) for name, part in made["properties"].items()}
    if "items" in made:
        made["items"] = _without_optional(made["items"])
    return made


def _canvas_of(image: Image.Image) -> Canvas:
    canvas = Canvas(image.width, image.height)
    canvas.paste(image, (0, 0))
    return canvas


@lru_cache(maxsize=1)
def _subjects() -> tuple[EntityType, ...]:
    """Return the subjects whose texts are short enough for a page."""
    return tuple(entity for entity in entity_types() if not entity.escaping)
