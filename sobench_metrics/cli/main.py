"""The command `sobench`: parse, call, print. What a command does lives with whoever registers it."""

from __future__ import annotations

import argparse
import errno
import importlib
import os
import sys
from typing import TYPE_CHECKING

from sobench_metrics import __version__
from sobench_metrics.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sobench_metrics.cli.command import Command

__all__ = ["commands", "main"]

_GROUP = "sobench.commands"
_USAGE_STATUS = 2
_INTERRUPTED_STATUS = 130
_FULL_CODES = (errno.ENOSPC, errno.EDQUOT)


def commands() -> dict[str, Command]:
    """Return the registered subcommands by name, in alphabetical order."""
    from importlib.metadata import entry_points

    found = sorted(entry_points(group=_GROUP), key=lambda entry: entry.name)
    return {entry.name: entry.load() for entry in found}


def main(argv: Sequence[str] | None = None) -> int:
    """Run one subcommand and return the exit status: 2 for a user's mistake, told in one sentence."""
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        try:
            return _run(words)
        finally:
            if sys.stdout is not None:
                sys.stdout.flush()  # here a full disk can be told; later the interpreter would, in its own words
    except UsageError as error:
        print(f"sobench: {error}", file=sys.stderr)
        return _USAGE_STATUS
    except KeyboardInterrupt:
        print("sobench: interrupted", file=sys.stderr)
        return _INTERRUPTED_STATUS
    except BrokenPipeError:  # `sobench check | head`
        _silence()
        return 0
    except OSError as error:
        if error.errno not in _FULL_CODES:
            raise
        _silence()
        print("sobench: the disk is full, the output is not whole: free space and repeat the command.", file=sys.stderr)
        return _USAGE_STATUS


def _run(words: list[str]) -> int:
    known = commands()
    if words and words[0] in known and known[words[0]].passes_through:
        return known[words[0]].run(argparse.Namespace(rest=words[1:]))
    parser, children = _parser(known)
    args, unknown = parser.parse_known_args(words)
    if unknown:  # told with the usage of the command, which argparse alone would leave out
        children.get(args.command, parser).error(f"unrecognized arguments: {' '.join(unknown)}")
    if args.command is None:
        parser.print_help()
        return _USAGE_STATUS
    return known[args.command].run(args)


def _silence() -> None:
    """Lead the output nowhere: what is left in its buffer would fail once more at the interpreter's end."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
    except (OSError, ValueError):  # an output that is no file of the system
        pass


def _parser(known: dict[str, Command]) -> tuple[argparse.ArgumentParser, dict[str, argparse.ArgumentParser]]:
    """Return the parser, and those of the commands by name."""
    summary = (importlib.import_module("sobench_metrics").__doc__ or "").splitlines()[0]
    parser = argparse.ArgumentParser(prog="sobench", description=summary)
    parser.add_argument("--version", action="version", version=f"sobench {__version__}")
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND")
    children = {}
    for name, command in known.items():
        child = subparsers.add_parser(
            name, help=command.help, description=command.help, add_help=not command.passes_through
        )
        command.arguments(child)
        children[name] = child
    return parser, children


if __name__ == "__main__":
    sys.exit(main())
