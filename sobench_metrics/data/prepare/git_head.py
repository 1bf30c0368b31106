"""The commit that a clone stands at, read from git's own files: no git program is needed, and no hook is run."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["head_commit"]

_SHA = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_REF = re.compile(r"ref: (refs/[^\s:?*\[\\~^]+)")


def head_commit(folder: Path) -> str | None:
    """Return the full commit of HEAD; None for a folder that is no clone, or one without a commit yet.

    Follows the layouts of gitrepository-layout(5): a `.git` file (worktree, submodule), `commondir`, loose and packed
    refs. Never raises for what it finds there.
    """
    try:
        return _commit(folder)
    except (OSError, ValueError):
        return None


def _commit(folder: Path) -> str | None:
    git = folder / ".git"
    if git.is_file():
        git = folder / git.read_text(encoding="utf-8").strip().removeprefix("gitdir: ")
    head = (git / "HEAD").read_text(encoding="utf-8").strip()
    if _SHA.fullmatch(head):
        return head
    ref = _REF.fullmatch(head)
    if ref is None or ".." in ref[1]:
        return None
    common = git
    if (git / "commondir").is_file():
        common = git / (git / "commondir").read_text(encoding="utf-8").strip()
    loose = common / ref[1]
    if loose.is_file():
        sha = loose.read_text(encoding="utf-8").strip()
        return sha if _SHA.fullmatch(sha) else None
    return _packed(common / "packed-refs", ref[1])


def _packed(file: Path, ref: str) -> str | None:
    for line in file.read_text(encoding="utf-8").splitlines():
        sha, _, name = line.partition(" ")
        if name == ref and _SHA.fullmatch(sha):
            return sha
    return None
