"""ChartQAPro: charts of many kinds in a parquet file on the hub.

Labels name `images/chart_<row>.jpg`, four digits or more: upstream numbers the rows of the test split, without
skipping any. A row's number depends on the revision, so the commit is pinned by date; `sobench contact-sheet` is the
look at image and target that no count can replace. The card states no licence.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sobench_metrics.data.sources.hub_repo import HubPlace, find_repository
from sobench_metrics.data.sources.row_images import IMAGE, Cell, cell_units, read_shards, recipe_of, weight
from sobench_metrics.data.sources.source import Licence, Plan, Source

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sobench_metrics.data.sources.row_images import Shard
    from sobench_metrics.data.sources.source import Request

__all__ = ["SOURCE"]

_PLACE = HubPlace("chartqapro", "ahmed-masry/ChartQAPro", "data/")
_IMAGE = re.compile(r"images/chart_(?P<row>\d{4,})\.jpg")


def plan(request: Request) -> Plan:
    """Return the plan: one unit for each row group that holds a wanted row."""
    from sobench_metrics.data.fetch.parquet_rows import features, kind_of

    repository = find_repository(_PLACE, request)
    shards = read_shards(repository, _PLACE.holds)
    first = repository.origin.open(shards[0].name)
    recipe, decided = recipe_of(features(first), kind_of(first, IMAGE), f"{shards[0].name} of {repository.where}")
    rows = sum(shard.rows for shard in shards)
    unavailable: dict[str, str] = {}
    originals: dict[str, tuple[str, ...]] = {}
    cells: dict[str, Cell] = {}
    for image in dict.fromkeys(each.image for each in request.wanted):
        parts = _IMAGE.fullmatch(image)
        row = int(parts["row"]) if parts else -1
        if parts is None or f"{row:04d}" != parts["row"]:
            unavailable[image] = f"{image} is not named images/chart_<row>.jpg, as upstream's script does"
        elif row >= rows:
            unavailable[image] = f"{image}: the test split of {_PLACE.repo_id} has {rows} rows only"
        else:
            name = f"rows/{row:04d}"
            originals[image], cells[name] = (name,), _place(shards, row)
    return Plan(
        where=repository.where,
        revision=repository.revision,
        recipe=recipe,
        originals=originals,
        unavailable=unavailable,
        units=cell_units(repository, shards, cells),
        bytes_full=repository.total(_PLACE.holds),
        bytes_needed=weight(shards, cells),
        evidence={
            **repository.evidence,
            "rows": rows,
            "recipe_by": decided,
            "shards": repository.content_of(shard.name for shard in shards),
        },
    )


def _place(shards: Sequence[Shard], row: int) -> Cell:
    number = 0
    while row >= shards[number].rows:
        row -= shards[number].rows
        number += 1
    return Cell(number, row)


SOURCE = Source(
    name="chartqapro",
    domain="chart",
    title="ChartQAPro",
    home="https://huggingface.co/datasets/ahmed-masry/ChartQAPro",
    licence=Licence(
        name="not stated",
        url="https://huggingface.co/datasets/ahmed-masry/ChartQAPro",
        note="no licence was found; the charts were collected from many sites and stay with their owners",
    ),
    plan=plan,
)
