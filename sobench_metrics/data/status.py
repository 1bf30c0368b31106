"""What lies in a home folder: prepared sets, originals and half-read archives, and what of it could be freed."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from sobench_metrics.data import gc
from sobench_metrics.data.lock import is_locked
from sobench_metrics.data.prepared import prepared_root
from sobench_metrics.data.prepared_sets import all_sets, n_of_n, read_manifest
from sobench_metrics.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

__all__ = ["Place", "SetStatus", "Status", "survey"]


@dataclass(frozen=True, slots=True)
class SetStatus:
    """One prepared set; `fault` says why its manifest cannot be read, the rest is empty then."""

    prep_id: str
    path: str
    current: bool
    bytes: int
    samples: int = 0
    expected: int = 0
    domains: Mapping[str, tuple[int, int]] | None = None
    sources: Mapping[str, Mapping[str, Any]] | None = None
    partial: Mapping[str, Any] | None = None
    tool: str = ""
    commit: str = ""
    fault: str = ""


@dataclass(frozen=True, slots=True)
class Place:
    """A folder or file of the home with its size, named from there."""

    name: str
    bytes: int
    files: int


@dataclass(frozen=True, slots=True)
class Status:
    """Everything that `sobench status` tells; `missing` has the reason by doc id."""

    home: str
    preparing: bool
    sets: tuple[SetStatus, ...]
    originals: tuple[Place, ...]
    half_read: tuple[Place, ...]
    rendered: tuple[Place, ...]
    leftovers: tuple[Place, ...]
    upstream: tuple[Place, ...]
    missing: Mapping[str, str]
    freed_by_gc: int
    needed_of_freed: int  # what of that the next prepare would have to fetch again
    freed_by_gc_sets: int
    larger_sets: tuple[str, ...]  # ids of sets that `gc --sets` would free, with more samples than the current one

    @property
    def unfinished(self) -> bool:
        """Whether a run began to fetch and no set came of any yet."""
        return not self.sets and not self.preparing and self.needed_of_freed > 0

    def as_json(self) -> dict[str, Any]:
        """Return the same for machines."""
        return asdict(self)


def survey(home: Path) -> Status:
    """Return what lies in `home`, which need not exist. Makes no file and never raises for what it finds."""
    home = home.resolve()
    sets = _sets(home)
    items = gc.plan(home)
    others = _other_sets(home)
    return Status(
        home=str(home),
        preparing=is_locked(home),
        sets=sets,
        originals=_places(home, (item for item in items if item.kind == "originals")),
        half_read=_half_read(home, items),
        rendered=_places(home, (item for item in items if item.kind == "rendered")),
        leftovers=_places(home, (item for item in items if item.kind == "leftover")),
        upstream=_upstream(home),
        missing=_missing(home, sets),
        freed_by_gc=sum(item.bytes for item in items),
        needed_of_freed=sum(item.bytes for item in items if item.needed),
        freed_by_gc_sets=sum(item.bytes for item in others),
        larger_sets=tuple(item.path.name for item in others if item.larger),
    )


def _other_sets(home: Path) -> tuple[gc.Item, ...]:
    try:
        return tuple(item for item in gc.plan(home, sets=True) if item.kind == "set")
    except (UsageError, OSError, ValueError):  # unclear which one is current: gc would refuse
        return ()


def _sets(home: Path) -> tuple[SetStatus, ...]:
    try:
        current = prepared_root(home).resolve()
    except (UsageError, OSError):
        current = None
    return tuple(_set(root, current=root.resolve() == current) for root in all_sets(home))


def _set(root: Path, *, current: bool) -> SetStatus:
    size, _ = gc.size_of(root)
    try:
        manifest = read_manifest(root)
    except UsageError as error:
        return SetStatus(root.name, str(root), current, size, fault=str(error))
    return SetStatus(
        prep_id=manifest.prep_id or root.name,
        path=str(root),
        current=current,
        bytes=size,
        samples=manifest.total,
        expected=manifest.expected_total,
        domains=n_of_n(manifest),
        sources={
            name: {key: source.get(key) for key in ("domain", "revision", "found", "wanted")}
            for name, source in manifest.sources.items()
        },
        partial=manifest.partial,
        tool=manifest.tool,
        commit=manifest.commit,
    )


def _places(home: Path, items: Any) -> tuple[Place, ...]:
    return tuple(Place(item.path.relative_to(home).as_posix(), item.bytes, item.files) for item in items)


def _half_read(home: Path, items: tuple[gc.Item, ...]) -> tuple[Place, ...]:
    from sobench_metrics.data.fetch.spool import SPOOL_SUFFIX

    folders = [item.path / "index" for item in items if item.kind == "originals"]
    found = [file for folder in folders for file in sorted(folder.glob(f"*{SPOOL_SUFFIX}")) if not file.is_symlink()]
    return tuple(Place(file.relative_to(home).as_posix(), *gc.size_of(file)) for file in found)


def _upstream(home: Path) -> tuple[Place, ...]:
    folders = [path for path in sorted(home.glob("upstream/*")) if path.is_dir() and not path.is_symlink()]
    return tuple(Place(folder.name, *gc.size_of(folder)) for folder in folders)


def _missing(home: Path, sets: tuple[SetStatus, ...]) -> dict[str, str]:
    """Return what the last run could not get: its own list, else what the current set lacks."""
    from sobench_metrics.data.prepare.leftovers import MISSING_NAME

    try:
        listed = json.loads((home / MISSING_NAME).read_text(encoding="utf-8"))
        if isinstance(listed, dict):
            return {str(doc_id): str(why) for doc_id, why in listed.items()}
    except (OSError, ValueError, RecursionError):
        pass
    from pathlib import Path

    usable = [entry for entry in sets if entry.current and not entry.fault]
    return read_manifest(Path(usable[0].path)).missing if usable else {}
