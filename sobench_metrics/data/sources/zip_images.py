"""Images from a zip file that stays where it is: its directory, then only the wanted members, by ranges."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sobench_metrics.data.sources.source import IMAGE_LIMIT, Unit

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from sobench_metrics.data.fetch.origin import OpenFile
    from sobench_metrics.data.sources.names import Asked
    from sobench_metrics.data.sources.source import Deposit

__all__ = ["OpenZip", "look_into"]


@dataclass(frozen=True, slots=True)
class OpenZip:
    """An open zip file and the size of each of its members."""

    archive: Any
    sizes: Mapping[str, int]

    def units(self, asked: Asked) -> tuple[Unit, ...]:
        """Return one unit a member, so that a damaged one costs no other, in the order of the directory."""
        order = {name: place for place, name in enumerate(self.sizes)}
        return tuple(Unit((name,), self._fetch) for name in sorted(asked.names(), key=order.__getitem__))

    def weight(self, asked: Asked) -> int:
        """Return the bytes of all members that are asked."""
        return sum(self.sizes[name] for name in asked.names())

    def _fetch(self, missing: frozenset[str], deposit: Deposit) -> None:
        from sobench_metrics.data.fetch.zip_members import read_member

        for name in missing:
            deposit(name, read_member(self.archive, name, limit=IMAGE_LIMIT))


def look_into(file: OpenFile, cache: Path) -> OpenZip:
    """Open the zip in `file`; its directory is kept in `cache`. Raises FetchError when it is none."""
    from sobench_metrics.data.fetch.zip_members import members, open_zip

    archive = open_zip(file, directory_cache=cache)
    return OpenZip(archive, members(archive))
