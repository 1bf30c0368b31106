"""The command `sobench`: parse, call, print. What a command does lives with whoever registers it."""

from __future__ import annotations

import argparse
import importlib
import sys
from importlib.metadata import entry_points
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


def commands() -> dict[str, Command]:
    """Return the registered subcommands by name, in alphabetical order."""
    found = sorted(entry_points(group=_GROUP), key=lambda entry: entry.name)
    return {entry.name: entry.load() for entry in found}


def main(argv: Sequence[str] | None = None) -> int:
    """Run one subcommand and return the exit status: 2 for a user's mistake, told in one sentence."""
    words = list(sys.argv[1:] if argv is None else argv)
    known = commands()
    try:
        if words and words[0] in known and known[words[0]].passes_through:
            return known[words[0]].run(argparse.Namespace(rest=words[1:]))
        args = _parser(known).parse_args(words)
        if args.command is None:
            _parser(known).print_help()
            return _USAGE_STATUS
        return known[args.command].run(args)
    except UsageError as error:
        print(f"sobench: {error}", file=sys.stderr)
        return _USAGE_STATUS
    except KeyboardInterrupt:
        print("sobench: interrupted", file=sys.stderr)
        return _INTERRUPTED_STATUS
    except BrokenPipeError:  # `sobench check | head`
        sys.stderr.close()
        return 0


def _parser(known: dict[str, Command]) -> argparse.ArgumentParser:
    summary = (importlib.import_module("sobench_metrics").__doc__ or "").splitlines()[0]
    parser = argparse.ArgumentParser(prog="sobench", description=summary)
    parser.add_argument("--version", action="version", version=f"sobench {__version__}")
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND")
    for name, command in known.items():
        child = subparsers.add_parser(
            name, help=command.help, description=command.help, add_help=not command.passes_through
        )
        command.arguments(child)
    return parser


if __name__ == "__main__":
    sys.exit(main())
