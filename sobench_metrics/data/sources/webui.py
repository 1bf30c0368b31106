"""WebUI: screenshots of web pages, the test split: one zip of 17 gigabytes, cut into parts, on the hub.

Labels name `extracted/<path in the zip>`: upstream joins the parts in the order of their names and unpacks the whole.
The parts are plain cuts, so joined they are one zip that can be read where it lies. The hub tags it `other`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from sobench_metrics.data.sources.hub_repo import HubPlace, find_repository
from sobench_metrics.data.sources.names import Renaming, look_up, renamed
from sobench_metrics.data.sources.site_archive import SiteArchive, find_archive
from sobench_metrics.data.sources.source import Licence, Plan, Source
from sobench_metrics.data.sources.zip_images import look_into

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sobench_metrics.data.fetch.origin import OpenFile
    from sobench_metrics.data.sources.hub_repo import Repository
    from sobench_metrics.data.sources.source import Request

__all__ = ["SOURCE"]

_PLACE = HubPlace("webui", "biglab/webui-test", "test_split_webui.zip.001 and the other parts")
_JOINED = SiteArchive("webui", "https://huggingface.co/datasets/biglab/webui-test", "the joined zip")
_PART = re.compile(r"test_split_webui\.zip\.(?P<number>\d+)")
_RENAMING = Renaming(label="extracted/", source="")


def plan(request: Request) -> Plan:
    """Return the plan: one unit a member of the zip."""
    if request.local is not None and request.local.is_file():
        joined = find_archive(_JOINED, request)
        return _plan(request, joined.file, joined.where, joined.revision, joined.file.size, joined.evidence)
    from sobench_metrics.data.fetch.zip_members import concatenated

    repository = find_repository(_PLACE, request)
    parts = _parts(repository)
    whole = concatenated([repository.origin.open(part) for part in parts])
    evidence = {**repository.evidence, "parts": repository.content_of(parts)}
    return _plan(request, whole, repository.where, repository.revision, repository.total(), evidence)


def _plan(  # noqa: PLR0913, PLR0917 - what the two ways differ in
    request: Request, file: OpenFile, where: str, revision: str, bytes_full: int, evidence: Mapping[str, Any]
) -> Plan:
    opened = look_into(file, request.cache)
    asked = look_up(renamed(request.wanted, _RENAMING), opened.sizes, f"the zip of {where}")
    return Plan(
        where=where,
        revision=revision,
        recipe="as_is",
        originals=asked.originals,
        unavailable=asked.unavailable,
        units=opened.units(asked),
        bytes_full=bytes_full,
        bytes_needed=opened.weight(asked),
        evidence={**evidence, **asked.respelled_told()},
    )


def _parts(repository: Repository) -> tuple[str, ...]:
    from sobench_metrics.data.fetch.errors import FetchError

    numbers = {name: int(match["number"]) for name in repository.sizes if (match := _PART.fullmatch(name))}
    if sorted(numbers.values()) != list(range(1, len(numbers) + 1)):
        raise FetchError(
            f"{repository.where} should hold test_split_webui.zip.001 and every part up to the last, it holds "
            f"{', '.join(sorted(numbers)) or 'none'}: download what is missing, or join the parts and give the zip "
            "with `--local-archive webui=PATH`."
        )
    return tuple(sorted(numbers, key=numbers.__getitem__))


SOURCE = Source(
    name="webui",
    domain="ui",
    title="WebUI",
    home="https://huggingface.co/datasets/biglab/webui-test",
    licence=Licence(
        name="other",
        url="https://huggingface.co/datasets/biglab/webui-test",
        note="the hub's tag; COPYRIGHT.txt in the repository states the terms; the pages belong to their makers",
    ),
    plan=plan,
)
