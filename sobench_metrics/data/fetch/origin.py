"""Places that have named files: a web folder, a folder on this disk; the hub has a file of its own."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable
from urllib.parse import quote, urlsplit

from sobench_metrics.data.fetch.answers import host_of, shown
from sobench_metrics.data.fetch.errors import FetchError, Refused
from sobench_metrics.data.fetch.open_file import LocalFile, OpenFile
from sobench_metrics.data.fetch.paths import safe_parts

if TYPE_CHECKING:
    from sobench_metrics.data.fetch.answers import Pin
    from sobench_metrics.data.fetch.http import Http
    from sobench_metrics.data.fetch.remote_file import RemoteFile

__all__ = ["Folder", "OpenFile", "Origin", "Site", "version_of"]

SITES_URL = "SOBENCH_SITES_URL"


def version_of(pin: Pin) -> str:
    """Return `etag:<tag>`, or `size:<bytes>` for a file whose server names no version: all that can be known of it."""
    return f"etag:{pin.tag}" if pin.tag else f"size:{pin.size}"


@runtime_checkable
class Origin(Protocol):
    """A place with named files. `where` is shown to users; `revision` names the content when it can be named.

    Every method raises FetchError when something cannot be had, Refused when it must not be used.
    """

    where: str
    revision: str

    def open(self, name: str) -> OpenFile:
        """Return a file for reading anywhere in it."""
        ...

    def read(self, name: str, *, limit: int) -> bytes:
        """Return a whole file of at most `limit` bytes."""
        ...

    def listing(self, folder: str = "") -> dict[str, int]:
        """Return the size of every file below `folder`, by its name from the root."""
        ...


class Site:
    """A plain web folder.

    When the environment sets SOBENCH_SITES_URL, a mirror, `https://HOST/path` is asked at its `/HOST/path`.
    """

    def __init__(self, base_url: str, http: Http) -> None:
        """Ask nothing yet; `revision` is named by `revision_of` a file."""
        base = base_url.rstrip("/") + "/"
        self.where, self.revision, self.http = shown(base), "", http
        mirror, path = os.environ.get(SITES_URL), urlsplit(base).path
        self._base = f"{mirror.rstrip('/')}/{host_of(base)}{path}" if mirror else base

    def url(self, name: str) -> str:
        """Return the address that is asked for a file. Raises Refused for an unsafe name."""
        return self._base + quote("/".join(safe_parts(name)))

    def revision_of(self, name: str) -> str:
        """Return the version of a file, see `version_of`. Raises FetchError."""
        return version_of(self.http.probe(self.url(name)))

    def open(self, name: str) -> RemoteFile:
        """Return a file for reading anywhere in it."""
        return self.http.open(self.url(name))

    def read(self, name: str, *, limit: int) -> bytes:
        """Return a whole file of at most `limit` bytes."""
        return self.http.get(self.url(name), limit=limit)

    def listing(self, folder: str = "") -> dict[str, int]:
        """Raise FetchError: a web folder does not say what it has."""
        raise FetchError(f"{self.where}{folder} has no list of its files.")


class Folder:
    """The user's own copy: a folder, or one file, which then stands for whatever name is asked."""

    def __init__(self, path: Path) -> None:
        """Use `path`; raises FetchError when there is nothing."""
        if not path.exists():
            raise FetchError(f"there is no {path}: check the path given with --local-archive.")
        self.path, self.where, self.revision = path, str(path), "local"

    def place(self, name: str) -> Path:
        """Return where a file lies; links in the user's own folder are followed. Raises Refused, FetchError."""
        parts = safe_parts(name)
        path = self.path if self.path.is_file() else self.path.joinpath(*parts)
        if not path.is_file():
            raise FetchError(f"{self.path} has no file {name}: check the path given with --local-archive.")
        return path

    def open(self, name: str) -> OpenFile:
        """Return a file for reading anywhere in it."""
        return LocalFile(self.place(name))

    def read(self, name: str, *, limit: int) -> bytes:
        """Return a whole file of at most `limit` bytes."""
        with self.open(name) as file:
            if file.size > limit:
                raise Refused(f"{self.place(name)} has {file.size} bytes, more than the {limit} that it may have.")
            return file.read()

    def listing(self, folder: str = "") -> dict[str, int]:
        """Return the size of every file below `folder`, by its name from the root."""
        if self.path.is_file():
            return {self.path.name: self.path.stat().st_size}
        top = self.path.joinpath(*safe_parts(folder)) if folder else self.path
        found = (Path(base) / name for base, _, names in os.walk(top) for name in names)
        return {path.relative_to(self.path).as_posix(): path.stat().st_size for path in sorted(found) if path.is_file()}
