"""Images from one big compressed tar on a web site: read once from front to back, left as soon as all are found."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sobench_metrics.data.sources.names import renamed
from sobench_metrics.data.sources.site_archive import find_archive
from sobench_metrics.data.sources.source import IMAGE_LIMIT, Plan, Unit

if TYPE_CHECKING:
    from sobench_metrics.data.sources.names import Renaming
    from sobench_metrics.data.sources.site_archive import Archive, SiteArchive
    from sobench_metrics.data.sources.source import Deposit, Request

__all__ = ["TarImages", "plan_tar"]


@dataclass(frozen=True, slots=True)
class TarImages:
    """A tar.gz at a place, the way its members are named, and the pixel recipe."""

    place: SiteArchive
    renaming: Renaming
    recipe: str


def plan_tar(images: TarImages, request: Request) -> Plan:
    """Return the plan: one unit, since a compressed tar has no index and is read in order.

    Whether it holds a member is only known at its end. With N members anywhere in it, the last is expected after
    N / (N + 1) of the bytes. What was read stays in the cache, for whoever wants more of it; the caller clears it.
    """
    archive = find_archive(images.place, request)
    asked = renamed(request.wanted, images.renaming)
    names = asked.names()

    def fetch(missing: frozenset[str], deposit: Deposit) -> None:
        _read_through(images.place, archive, request, missing, deposit)

    return Plan(
        where=archive.where,
        revision=archive.revision,
        recipe=images.recipe,
        originals=asked.originals,
        unavailable=asked.unavailable,
        units=(Unit(names, fetch),) if names else (),
        bytes_full=archive.file.size,
        bytes_needed=archive.file.size * len(names) // (len(names) + 1),
        evidence=archive.evidence,
    )


def _read_through(
    place: SiteArchive, archive: Archive, request: Request, missing: frozenset[str], deposit: Deposit
) -> None:
    from sobench_metrics.data.fetch.errors import FetchError
    from sobench_metrics.data.fetch.spool import SpooledStream
    from sobench_metrics.data.fetch.tar_stream import members_of

    left = set(missing)
    # named by version: a copy of an older one must not be taken for this one
    version = hashlib.sha256(archive.revision.encode()).hexdigest()[:12]
    copy = request.cache / f"{version}-{place.file}"
    with SpooledStream(request.http, archive.place, copy, pin=archive.pin) as stream:
        for name, data in members_of(stream, set(missing), limit=IMAGE_LIMIT):
            deposit(name, data)
            left.discard(name)
    if left:
        some = ", ".join(sorted(left)[:5]) + (f" and {len(left) - 5} others" if len(left) > 5 else "")
        raise FetchError(f"{archive.where} was read to its end and does not hold {some}. {place.remedy}")
