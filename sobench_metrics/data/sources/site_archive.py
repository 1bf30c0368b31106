"""One archive on a plain web site, or the user's own copy of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sobench_metrics.data.sources.local_copy import archive_revision, local_archive
from sobench_metrics.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from sobench_metrics.data.fetch.answers import Pin
    from sobench_metrics.data.fetch.origin import OpenFile
    from sobench_metrics.data.sources.source import Request

__all__ = ["Archive", "SiteArchive", "find_archive"]


@dataclass(frozen=True, slots=True)
class SiteArchive:
    """Where a source's archive lies: `source` is its name here, `folder` a web address, `file` the name in it."""

    source: str
    folder: str
    file: str

    @property
    def remedy(self) -> str:
        """Return what to do when the site does not give the archive."""
        return f"If you have {self.file} yourself, give it with `--local-archive {self.source}=PATH`."


@dataclass(frozen=True, slots=True)
class Archive:
    """The archive that was found, open at its start; `place` is the user's file, or the address that is asked.

    `pin` is the version at that address which all of this is about, None for the user's file.
    """

    where: str
    revision: str
    place: Path | str
    file: OpenFile
    evidence: Mapping[str, Any]
    pin: Pin | None = None


def find_archive(archive: SiteArchive, request: Request) -> Archive:
    """Ask for the archive's size and tag, and return it.

    Raises UsageError for a --revision, which a web site has not, and FetchError that says what to do about a dead
    host.
    """
    from sobench_metrics.data.fetch.errors import FetchError
    from sobench_metrics.data.fetch.origin import Folder, Site, version_of

    if request.revision is not None:
        raise UsageError(f"{archive.source} has no revisions: leave out --revision {archive.source}=SHA.")
    if request.local is not None:
        path = local_archive(archive.source, request.local, archive.file)
        own = Folder(path).open(archive.file)
        evidence = {"archive": archive.file, "local": True, "bytes": own.size}
        return Archive(str(path), archive_revision(path), path, own, evidence)
    site = Site(archive.folder, request.http)
    try:
        file = site.open(archive.file)
    except FetchError as error:
        raise type(error)(f"{error} {archive.remedy}") from error
    url = f"{site.where}{archive.file}"
    evidence = {"archive": url, "bytes": file.size, "etag": file.tag}
    if not file.tag:
        evidence["version"] = "known by its size alone: the site names neither a tag nor a date"
    return Archive(url, version_of(file.pin), site.url(archive.file), file, evidence, file.pin)
