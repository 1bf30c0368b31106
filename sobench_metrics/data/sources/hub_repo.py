"""A dataset repository of the hub at one commit: the user's, or the last one at the date of the paper."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any

from sobench_metrics.data.sources.local_copy import folder_revision, local_folder
from sobench_metrics.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sobench_metrics.data.fetch.hub import Revision
    from sobench_metrics.data.fetch.origin import Origin
    from sobench_metrics.data.sources.source import Request

__all__ = ["AS_OF", "HubPlace", "Repository", "at_commit", "chosen_commit", "copy_of", "find_repository"]

AS_OF = datetime(2025, 11, 30, 23, 59, 59, tzinfo=timezone.utc)
"""The end of the month in which the paper was published.

The labels were made from what the hub held before; what a repository became later, they cannot speak of. Upstream
pins nothing, so without a proof by content the last commit up to this day is the best that can be known.
"""

_FULL_ID = re.compile(r"[0-9a-f]{40}")
_SHORT_ID = re.compile(r"[0-9a-f]{7,39}")


@dataclass(frozen=True, slots=True)
class HubPlace:
    """Where a source lies on the hub: `source` is its name here, `holds` the part of the repository that is used."""

    source: str
    repo_id: str
    holds: str


@dataclass(frozen=True, slots=True)
class Repository:
    """A repository at one commit, or the user's copy of it: the size of each file, and its content id if known."""

    origin: Origin
    where: str
    revision: str
    sizes: Mapping[str, int]
    content: Mapping[str, str]
    evidence: Mapping[str, Any]

    def total(self, folder: str = "") -> int:
        """Return the bytes of all files below `folder`: what a whole download would move."""
        return sum(size for name, size in self.sizes.items() if name.startswith(folder))

    def content_of(self, names: Iterable[str]) -> dict[str, str | int]:
        """Return for the manifest what tells each file's content: the commit's hash, or the size in a copy."""
        return {name: self.content.get(name, self.sizes[name]) for name in names}


def find_repository(place: HubPlace, request: Request) -> Repository:
    """Return the repository at the user's --revision or as it was at AS_OF; or the user's own copy of it.

    Raises FetchError when the hub has no such repository or commit, UsageError for what the user cannot have meant.
    """
    if request.local is not None:
        return copy_of(place, request)
    from sobench_metrics.data.fetch.errors import FetchError
    from sobench_metrics.data.fetch.hub import hub_revisions

    commits = hub_revisions(place.repo_id)
    if request.revision is not None:
        return at_commit(place, chosen_commit(place, request.revision, commits), commits, request)
    sha = next((commit.sha for commit in commits if commit.date <= AS_OF), None)
    if sha is None:
        raise FetchError(
            f"{place.repo_id} has no commit of {AS_OF:%Y-%m-%d} or before: name one with --revision {place.source}=SHA."
        )
    return at_commit(place, sha, commits, request)


def chosen_commit(place: HubPlace, revision: str, commits: Sequence[Revision]) -> str:
    """Return the full id of the commit that the user named: in full, by its first digits, or as `main`."""
    if _FULL_ID.fullmatch(revision):
        return revision
    if revision == "main" and commits:
        return commits[0].sha
    known = [commit.sha for commit in commits if _SHORT_ID.fullmatch(revision) and commit.sha.startswith(revision)]
    if len(known) != 1:
        raise UsageError(
            f"--revision {place.source}={revision} names no single commit of {place.repo_id}: give all 40 digits of "
            "one, or main."
        )
    return known[0]


def at_commit(place: HubPlace, sha: str, commits: Sequence[Revision], request: Request) -> Repository:
    """Return the repository at a full commit id; asks for its list of files."""
    from sobench_metrics.data.fetch.hub import HubRepo

    origin = HubRepo(place.repo_id, sha, request.http, request.cache)
    files = origin.files()
    evidence: dict[str, Any] = {"repository": place.repo_id, "commit": sha}
    date = next((commit.date for commit in commits if commit.sha == sha), None)
    if date is not None:
        evidence["date"] = date.isoformat()
    if commits and commits[0].sha != sha:
        evidence["newest"] = {"commit": commits[0].sha, "date": commits[0].date.isoformat()}
    return Repository(
        origin=origin,
        where=origin.where,
        revision=sha,
        sizes={name: file.size for name, file in files.items()},
        content={name: file.sha256 or file.blob for name, file in files.items()},
        evidence=evidence,
    )


def copy_of(place: HubPlace, request: Request) -> Repository:
    """Return the user's own copy of a repository. Raises UsageError unless it is a folder with files."""
    if request.local is None:
        raise ValueError("no --local-archive was given")
    if request.revision is not None:
        raise UsageError(
            f"{place.source}: give either --revision or --local-archive, a copy on disk has the revision that it has."
        )
    folder = local_folder(place.source, request.local, f"{place.holds} of {place.repo_id}")
    sizes = {name: size for name, size in folder.listing().items() if not name.startswith(".")}
    if not sizes:
        raise UsageError(
            f"--local-archive {place.source}={request.local}: the folder is empty; it should hold {place.holds} of "
            f"{place.repo_id}."
        )
    evidence = {"repository": place.repo_id, "local": True, "files": len(sizes), "bytes": sum(sizes.values())}
    return Repository(folder, folder.where, folder_revision(folder.path, sizes), sizes, {}, evidence)
