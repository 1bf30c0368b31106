"""A dataset repository of the hub in memory: blobs by content, commits by date."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Blob", "Commit", "Repo", "blob", "commit", "pointer"]

_LFS_NAMES = (".png", ".jpg", ".jpeg", ".webp", ".parquet", ".zip", ".pdf")


@dataclass(frozen=True)
class Blob:
    """The bytes of one file, with the two hashes by which the hub knows it."""

    data: bytes = field(repr=False)
    lfs: bool
    sha256: str
    oid: str  # git blob sha1; of the pointer text when the bytes lie in LFS
    pointer_size: int

    @property
    def etag(self) -> str:
        return self.sha256 if self.lfs else self.oid


@dataclass(frozen=True)
class Commit:
    """One state of the repository."""

    sha: str
    date: str
    title: str
    files: Mapping[str, Blob] = field(repr=False)


@dataclass
class Repo:
    """A repository; `commits` go from old to new, the last one is main."""

    name: str
    commits: list[Commit]
    private: bool = False
    gated: bool = False

    def at(self, revision: str) -> Commit | None:
        """Return the commit of a full sha or of `main`; None when there is none."""
        if revision in {"main", "refs/heads/main"}:
            return self.commits[-1]
        return next((one for one in self.commits if one.sha == revision), None)


def blob(name: str, data: bytes) -> Blob:
    """Return the blob of a file; its name decides whether it is kept in LFS."""
    lfs = name.lower().endswith(_LFS_NAMES) or ".zip." in name
    note = pointer(data)
    stored = note if lfs else data
    oid = hashlib.sha1(b"blob %d\0" % len(stored) + stored).hexdigest()
    return Blob(data, lfs, hashlib.sha256(data).hexdigest(), oid, len(note))


def pointer(data: bytes) -> bytes:
    """Return what git keeps in the place of bytes that lie in LFS."""
    sha256 = hashlib.sha256(data).hexdigest()
    return f"version https://git-lfs.github.com/spec/v1\noid sha256:{sha256}\nsize {len(data)}\n".encode()


def commit(files: Mapping[str, Blob], date: str, title: str, parent: str = "") -> Commit:
    """Return a commit whose sha follows from its content, date, title and parent."""
    content = "\n".join(f"{name} {files[name].oid}" for name in sorted(files))
    sha = hashlib.sha1(f"{parent}\n{date}\n{title}\n{content}".encode()).hexdigest()
    return Commit(sha, date, title, dict(files))
