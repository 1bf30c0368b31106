"""VisText: charts drawn from Statista tables, as one zip on a university's host; upstream joins several into one.

Labels name `images/<cluster>.png`. Upstream's own table lists the charts of each cluster, `images/<member>` in the
zip, and its script lays them out in a grid. A member that is missing would change the grid, so the cluster is then
unavailable. One host and no mirror is the weakest link of all: `--local-archive vistext=PATH` takes your own copy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sobench_metrics.data.sources.names import Asked, look_up
from sobench_metrics.data.sources.site_archive import SiteArchive, find_archive
from sobench_metrics.data.sources.source import Licence, Plan, Source
from sobench_metrics.data.sources.zip_images import look_into

if TYPE_CHECKING:
    from sobench_metrics.data.sources.source import Request

__all__ = ["SOURCE"]

_PLACE = SiteArchive("vistext", "https://vis.csail.mit.edu/vistext", "images.zip")
_FOLDER = "images/"


def plan(request: Request) -> Plan:
    """Return the plan: one unit a chart, and for each cluster the charts in the order of upstream's table."""
    archive = find_archive(_PLACE, request)
    opened = look_into(archive.file, request.cache)
    asked = look_up(_members(request), opened.sizes, archive.where)
    return Plan(
        where=archive.where,
        revision=archive.revision,
        recipe="grid",
        originals=asked.originals,
        unavailable=asked.unavailable,
        units=opened.units(asked),
        bytes_full=archive.file.size,
        bytes_needed=opened.weight(asked),
        evidence={**archive.evidence, **asked.respelled_told()},
    )


def _members(request: Request) -> Asked:
    originals: dict[str, tuple[str, ...]] = {}
    unavailable: dict[str, str] = {}
    for image in dict.fromkeys(each.image for each in request.wanted):
        cluster = image[len(_FOLDER) :]
        members = tuple(f"{_FOLDER}{member}" for member in request.mapping.get(cluster, ()))
        if not image.startswith(_FOLDER) or not members:
            unavailable[image] = f"{image} is no cluster of upstream's vistext_mapping.json"
        else:
            originals[image] = members
    return Asked(originals, unavailable)


SOURCE = Source(
    name="vistext",
    domain="chart",
    title="VisText",
    home="https://github.com/mitvis/vistext",
    licence=Licence(
        name="GPL-3.0 (repository)",
        url="https://github.com/mitvis/vistext",
        note="the licence is the code's; the charts are drawn from tables of Statista, whose terms apply",
    ),
    plan=plan,
)
