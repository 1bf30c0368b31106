"""Names from elsewhere become paths under one folder, or nothing.

A name comes from an archive, a listing or a label: whoever wrote it may have meant another place on this disk.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sobench_metrics.data.fetch.errors import Refused

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["safe_parts", "safe_path"]

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_DRIVE = re.compile(r"[A-Za-z]:")
_PART_BYTES = 200  # file systems stop at 255; a temporary name must fit too
_NAME_BYTES = 1000


def safe_parts(name: str) -> tuple[str, ...]:
    """Return the parts of a relative name with forward slashes.

    Raises Refused for an absolute name, a drive, an empty, "." or ".." part, a backslash, a control character,
    text that is no UTF-8, and anything too long for a file system.
    """
    try:
        parts = tuple(name.split("/"))
        too_long = len(name.encode()) > _NAME_BYTES or any(len(part.encode()) > _PART_BYTES for part in parts)
    except UnicodeEncodeError:
        raise Refused(f"the name {name!a} is not valid text: it is not used as a file name.") from None
    reason = ""
    if name.startswith("/") or _DRIVE.match(name):
        reason = "is absolute"
    elif ".." in parts:
        reason = "leads out of its folder"
    elif "" in parts or "." in parts:
        reason = "has an empty part"
    elif "\\" in name or _CONTROL.search(name):
        reason = "holds a backslash or a control character"
    elif too_long:
        reason = "is too long"
    if reason:
        raise Refused(f"the name {name[:120]!a} {reason}: it is not used as a file name.")
    return parts


def safe_path(root: Path, name: str) -> Path:
    """Return the place of `name` under `root`, which itself may be a link.

    Raises Refused for what `safe_parts` refuses and when a part below the root is a symbolic link.
    """
    path = root
    for part in safe_parts(name):
        path = path / part
        if path.is_symlink():
            raise Refused(f"{path} is a symbolic link: nothing is read or written through it; remove it.")
    return path
