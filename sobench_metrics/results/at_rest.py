"""A place that can be read more than once: the standard input and pipes are copied to a file first."""

from __future__ import annotations

import shutil
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sobench_metrics.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["at_rest"]

_STANDARD_INPUT: Final = "-"


@contextmanager
def at_rest(place: str) -> Iterator[Path]:
    """Give the path of a place: its own, or for `-` and a pipe that of a copy, which goes when the block ends.

    Raises UsageError when nothing is piped in.
    """
    is_input = place == _STANDARD_INPUT
    if not is_input and not Path(place).is_fifo():
        yield Path(place)
        return
    if is_input and (sys.stdin is None or sys.stdin.isatty()):
        raise UsageError("`-` is what another command hands over: `zcat answers.jsonl.gz | sobench score -`.")
    with tempfile.NamedTemporaryFile(prefix="sobench-input-", suffix=".jsonl") as copy:
        if is_input:
            shutil.copyfileobj(sys.stdin.buffer, copy)
        else:
            with Path(place).open("rb") as pipe:
                shutil.copyfileobj(pipe, copy)
        copy.flush()
        yield Path(copy.name)
