"""Images that lie as plain files in a dataset repository: listed once, then fetched one by one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sobench_metrics.data.sources.hub_repo import find_repository
from sobench_metrics.data.sources.names import look_up, renamed
from sobench_metrics.data.sources.source import IMAGE_LIMIT, Plan, Unit

if TYPE_CHECKING:
    from sobench_metrics.data.sources.hub_repo import HubPlace, Repository
    from sobench_metrics.data.sources.names import Asked, Renaming
    from sobench_metrics.data.sources.source import Deposit, Request

__all__ = ["HubFiles", "file_units", "plan_files"]


@dataclass(frozen=True, slots=True)
class HubFiles:
    """A folder of a repository, `place.holds`, which upstream downloads whole; how labels name its files; a recipe."""

    place: HubPlace
    renaming: Renaming
    recipe: str


def plan_files(files: HubFiles, request: Request) -> Plan:
    """Return the plan: one unit a file."""
    repository = find_repository(files.place, request)
    asked = look_up(renamed(request.wanted, files.renaming), repository.sizes, repository.where)
    names = asked.names()
    return Plan(
        where=repository.where,
        revision=repository.revision,
        recipe=files.recipe,
        originals=asked.originals,
        unavailable=asked.unavailable,
        units=file_units(repository, asked),
        bytes_full=repository.total(files.place.holds),
        bytes_needed=sum(repository.sizes[name] for name in names),
        evidence={**repository.evidence, **asked.respelled_told()},
    )


def file_units(repository: Repository, asked: Asked) -> tuple[Unit, ...]:
    """Return one unit for each file."""

    def fetch(missing: frozenset[str], deposit: Deposit) -> None:
        for name in missing:
            deposit(name, repository.origin.read(name, limit=IMAGE_LIMIT))

    return tuple(Unit((name,), fetch) for name in asked.names())
