"""The shape of a subcommand; whoever brings one names it in the entry-point group `sobench.commands`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

__all__ = ["Command"]


def _no_arguments(_parser: argparse.ArgumentParser) -> None:
    return None


@dataclass(frozen=True)
class Command:
    """A subcommand: its line in the help, its arguments, and the function that returns the exit status.

    With `passes_through` everything behind the name is handed on untouched as `args.rest`, `--help` included.
    """

    help: str
    run: Callable[[argparse.Namespace], int]
    arguments: Callable[[argparse.ArgumentParser], None] = _no_arguments
    passes_through: bool = False
