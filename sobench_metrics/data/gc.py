"""Free what a prepared set no longer needs: a plan of folders and files first, then their removal.

Only places that preparation itself makes are looked at, links are never followed, and nothing outside the home folder
is ever named. A set is renamed before it is removed, so that a kill leaves a leftover and no half set.
"""

from __future__ import annotations

import shutil
import stat
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sobench_metrics.data.lock import LOCK_NAME
from sobench_metrics.data.plain_words import reason
from sobench_metrics.data.prepared import prepared_root
from sobench_metrics.data.prepared_sets import all_sets, read_manifest
from sobench_metrics.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sobench_metrics.data.prepared_sets import SetManifest

    _Current = tuple[Path, SetManifest] | None

__all__ = ["Item", "free", "plan", "size_of"]

_BUILDING = ".building-"
_TEMPORARY = ".tmp-"


@dataclass(frozen=True, slots=True)
class Item:
    """Something to free: what it is, where, how much; `files` counts plain files.

    `needed` is set for originals that the next preparation would have to fetch again. A set has its n of N, and is
    `larger` when it holds more samples than the current one.
    """

    kind: str  # "originals", "rendered", "leftover" or "set"
    path: Path
    bytes: int
    files: int
    needed: bool = False
    samples: int = 0
    expected: int = 0
    larger: bool = False


def plan(home: Path, *, sets: bool = False) -> tuple[Item, ...]:
    """Return what can be freed in `home`; with `sets` also every prepared set but the current one.

    A home that no preparation has ever locked, or that is itself one prepared set, has nothing to free. Raises
    UsageError when `sets` is given and it is unclear which set is the current one.
    """
    home = home.resolve()
    if not (home / LOCK_NAME).is_file() or (home / "manifest.json").exists():
        return ()
    current = _current(home)
    items = [
        Item("originals", folder, *size_of(folder), needed=_needed(folder, current)) for folder in _source_folders(home)
    ]
    rendered = home / _rendered()
    if _is_folder(rendered.parent) and _is_folder(rendered):
        items.append(Item("rendered", rendered, *size_of(rendered)))
    items += [Item("leftover", path, *size_of(path)) for path in _leftovers(home)]
    items += [_set_item(root, current) for root in (_other_sets(home) if sets else ())]
    return tuple(items)


def free(items: tuple[Item, ...], home: Path) -> tuple[Item, ...]:
    """Remove the items of a plan for `home`, whose lock the caller holds; return those that went.

    Raises UsageError for the first that cannot be removed; the others before it are gone.
    """
    home = home.resolve()
    for item in items:
        path = item.path
        if home not in path.parents or any(part.is_symlink() for part in (path, *path.parents) if home in part.parents):
            raise UsageError(f"{path} is a link or outside {home}: it was left alone; repeat the command.")
        try:
            if item.kind == "set":
                path = path.rename(path.with_name(f"{_BUILDING}{path.name}-freed"))
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink(missing_ok=True)
        except OSError as error:
            raise UsageError(f"cannot remove {item.path} ({reason(error)}): remove it by hand.") from error
    return items


def size_of(path: Path) -> tuple[int, int]:
    """Return bytes and number of the plain files in a folder, or of one file; links count nothing."""
    size = files = 0
    waiting = [path]
    while waiting:
        place = waiting.pop()
        try:
            status = place.lstat()
            if stat.S_ISDIR(status.st_mode):
                waiting.extend(place.iterdir())
            elif stat.S_ISREG(status.st_mode):
                size, files = size + status.st_size, files + 1
        except OSError:  # gone in between, or not ours to read
            continue
    return size, files


def _source_folders(home: Path) -> Iterator[Path]:
    from sobench_metrics.data.sources import SOURCES

    if _is_folder(home / "raw"):
        yield from (home / "raw" / name for name in SOURCES if _is_folder(home / "raw" / name))


def _current(home: Path) -> _Current:
    """Return the current set with its manifest; None when there is none that can be read."""
    try:
        root = prepared_root(home)
        return root, read_manifest(root)
    except (UsageError, OSError, ValueError):
        return None


def _needed(folder: Path, current: _Current) -> bool:
    """Return whether a source's folder holds what the current set lacks: half-read archives, or originals.

    Nothing is lacking when the set has all images of the source. One that has some holds the originals that are older.
    """
    from sobench_metrics.data.fetch.spool import SPOOL_SUFFIX

    have, whole = (
        numbers.get("source", {}).get(folder.name, 0)
        for numbers in ((current[1].counts, current[1].expected) if current else ({}, {}))
    )
    if have and have == whole:
        return False
    files = [path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()]
    if any(path.name.endswith(SPOOL_SUFFIX) for path in files):
        return True
    originals = [path for path in files if path.relative_to(folder).parts[0] != "index"]
    if current is None or not have:
        return bool(originals)
    written = (current[0] / "manifest.json").stat().st_mtime_ns
    return any(path.stat().st_mtime_ns > written for path in originals)


def _set_item(root: Path, current: _Current) -> Item:
    try:
        manifest = read_manifest(root)
    except UsageError:
        return Item("set", root, *size_of(root))
    larger = current is not None and manifest.total > current[1].total
    return Item("set", root, *size_of(root), samples=manifest.total, expected=manifest.expected_total, larger=larger)


def _leftovers(home: Path) -> Iterator[Path]:
    from sobench_metrics.data.prepare.leftovers import MISSING_NAME

    yield from sorted(home.glob(f".{MISSING_NAME}{_TEMPORARY}*"))
    if _is_folder(home / "prepared"):
        yield from sorted(path for path in (home / "prepared").glob(f"{_BUILDING}*") if not path.is_symlink())
    yield from sorted(_temporary_files(home / "upstream"))


def _temporary_files(folder: Path) -> Iterator[Path]:
    if not _is_folder(folder):
        return
    for path in folder.iterdir():
        if _is_folder(path):
            yield from _temporary_files(path)
        elif _TEMPORARY in path.name and not path.is_symlink():
            yield path


def _other_sets(home: Path) -> list[Path]:
    known = all_sets(home)
    if not known or not _is_folder(home / "prepared"):
        return []
    current = prepared_root(home).resolve()
    return [root for root in known if root.resolve() != current and not root.is_symlink()]


def _rendered() -> str:
    from sobench_metrics.data.prepare.finished import RENDERED

    return RENDERED


def _is_folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()
