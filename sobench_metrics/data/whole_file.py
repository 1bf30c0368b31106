"""Write a file whole or not at all: a reader, a crash or Ctrl-C never sees half of it."""

from __future__ import annotations

import os
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING

from sobench_metrics.data.plain_words import FULL, is_full, reason
from sobench_metrics.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["whole_file"]


@contextmanager
def whole_file(target: Path) -> Iterator[IO[str]]:
    """Give a text file (UTF-8) that takes the name `target` when the block ends, and vanishes when it fails.

    A link is followed: the file that it names is replaced. Raises UsageError when the place cannot be written.
    """
    try:
        final = target.expanduser().resolve()
        plain = final.is_file() or not final.exists()
        descriptor, name = tempfile.mkstemp(prefix=f".{final.name[:40]}.tmp-", dir=final.parent) if plain else (-1, "")
    except (OSError, RuntimeError, ValueError) as error:
        raise _unwritable(target, error) from error
    if not plain:
        raise UsageError(f"cannot write {target}: a folder or a device stands there; name a plain file.")
    temporary = Path(name)
    try:
        with open(descriptor, "w", encoding="utf-8", newline="\n") as file:  # noqa: PTH123 - a descriptor, no path
            yield file
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(final)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise _unwritable(target, error) from error
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _unwritable(target: Path, error: Exception) -> UsageError:
    if is_full(error):
        return UsageError(f"cannot write {target}, {FULL}: free space, or name a file on another one.")
    why = "its folder is not there" if isinstance(error, FileNotFoundError) else reason(error)
    return UsageError(f"cannot write {target} ({why}): name a file in a folder that you may write.")


def _umask() -> int:
    mask = os.umask(0o022)
    os.umask(mask)
    return mask
