"""One writer at a time: who prepares or frees data holds the lock of the home folder."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from sobench_metrics.data.plain_words import FULL, is_full, reason
from sobench_metrics.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["LOCK_NAME", "is_locked", "locked"]

LOCK_NAME = ".lock"


@contextmanager
def locked(home: Path) -> Iterator[None]:
    """Hold the lock of `home` (which is made when absent) for the length of the block, without waiting for it.

    Raises UsageError when another process has it, or when the folder cannot be written. The operating system drops
    the lock of a killed process, so a file that is left behind locks nobody out.
    """
    from filelock import FileLock, Timeout

    try:
        home.mkdir(parents=True, exist_ok=True)
        lock = FileLock(home / LOCK_NAME)
        lock.acquire(timeout=0)
    except Timeout:
        raise UsageError(
            f"another `sobench prepare` or `sobench gc` is at work in {home}: wait until it ends, or stop it, "
            "and repeat the command."
        ) from None
    except (OSError, NotImplementedError) as error:
        raise _unwritable(home, error) from error
    try:
        yield
    finally:
        lock.release()


def _unwritable(home: Path, error: Exception) -> UsageError:
    if is_full(error):
        return UsageError(f"cannot write in {home}, {FULL}: free space, or set SOBENCH_HOME to another one.")
    if isinstance(error, NotImplementedError):
        return UsageError(f"the disk of {home} knows no locks: set SOBENCH_HOME to another one.")
    # a folder such as /proc says "not there" of what nobody may make in it
    why = "" if isinstance(error, FileNotFoundError) else f" ({reason(error)})"
    return UsageError(f"cannot write in {home}{why}: set SOBENCH_HOME to a folder that you may write.")


def is_locked(home: Path) -> bool:
    """Return whether another process holds the lock; makes no file."""
    from filelock import FileLock, Timeout

    if not (home / LOCK_NAME).is_file():
        return False
    try:
        with FileLock(home / LOCK_NAME).acquire(timeout=0):
            return False
    except Timeout:
        return True
    except (OSError, NotImplementedError):  # a folder that may only be read: nobody is writing there for us
        return False
