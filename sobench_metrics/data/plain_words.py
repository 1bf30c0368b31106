"""Words for people: counts in singular and plural, and why a file is of no use, without an interpreter's phrases."""

from __future__ import annotations

import errno
import json
from typing import Final

__all__ = ["FULL", "counted", "is_full", "one_line", "reason"]

FULL: Final = "the disk is full"
_FULL_CODES = (errno.ENOSPC, errno.EDQUOT)
_WORDS: Final = {
    **dict.fromkeys(_FULL_CODES, FULL),
    errno.ENOENT: "it is not there",
    errno.EACCES: "you have no right to it",
    errno.EPERM: "you have no right to it",
    errno.EISDIR: "it is a folder",
    errno.ENOTDIR: "a part of the path is a file and no folder",
    errno.EEXIST: "a file stands in its place",
    errno.EROFS: "the disk may only be read",
    errno.ENAMETOOLONG: "its name is too long",
    errno.ELOOP: "its links lead in a circle",
}


def counted(number: int, noun: str) -> str:
    """Return a number with its noun: `1 file`, `2,000 files`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def one_line(text: object) -> str:
    """Return a text on one line, without a sign that a terminal would act on."""
    return "".join(sign if sign.isprintable() else "\ufffd" for sign in " ".join(str(text).split()))


def is_full(error: BaseException) -> bool:
    """Return whether an error means a full disk or a used-up quota."""
    return isinstance(error, OSError) and error.errno in _FULL_CODES


def reason(error: BaseException) -> str:
    """Return in a few words why a file could not be read or written."""
    if isinstance(error, json.JSONDecodeError):
        return "it is no JSON" if error.doc.strip() else "it is empty"
    if isinstance(error, UnicodeDecodeError):
        return "it is no text in UTF-8"
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    if isinstance(error, OSError) and error.errno is not None:
        return _WORDS.get(error.errno) or one_line(error.strerror or "it cannot be reached").lower()
    return one_line(error) or type(error).__name__
