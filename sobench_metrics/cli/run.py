"""`sobench run`: a whole run from one file, ready-made or your own, from any folder."""

from __future__ import annotations

import argparse
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from sobench_metrics import run_config
from sobench_metrics.cli.command import Command
from sobench_metrics.errors import UsageError
from sobench_metrics.leaderboard_files import configs, find

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sobench_metrics.run_config import Plan, RunConfig

__all__ = ["RUN", "plan_of"]

_PLANS = "sobench.run_configs"
_COMMANDS = "sobench.commands"


def plan_of(config: RunConfig) -> Plan:
    """Return the plan of a configuration, made by the room of its harness; raises UsageError for a mistake in it."""
    plan: Plan = _registered(_PLANS, run_config.command_of(config))(config)
    return plan


def _registered(group: str, name: str) -> Any:
    """Return what an installed package brings under a name; an installation of before it did knows nothing of it."""
    from importlib.metadata import entry_points

    found = next(iter(entry_points(group=group, name=name)), None)
    if found is None:
        raise UsageError(f"this installation of sobench knows no `sobench {name}`: install it again.")
    return found.load()


def _run(args: argparse.Namespace) -> int:
    words, extra = _split(args.rest)
    parser = _parser()
    given = parser.parse_args(words)
    if given.config is None:
        if given.set or extra:
            raise UsageError("no configuration named: `sobench run` lists the ready-made ones.")
        _list()
        return 0
    config = run_config.altered(run_config.read(find(given.config)), given.set)
    plan = plan_of(config).with_extra(extra)
    print(plan, flush=True)
    return 0 if given.dry_run else _command(plan)


def _split(words: list[str]) -> tuple[list[str], list[str]]:
    """Part the words at the first `--`: what follows is the harness's."""
    if "--" not in words:
        return words, []
    place = words.index("--")
    return words[:place], words[place + 1 :]


def _list() -> None:
    lines = [(f"{file.parent.name}/{file.stem}", run_config.summary(file)) for _, file in configs()]
    width = max(len(name) for name, _ in lines)
    for name, text in lines:
        print(f"{name:{width}}  {text}")
    print(
        "\nsobench run NAME --set key=value, or a file of your own in place of NAME; --dry-run only shows the command."
    )


def _command(plan: Plan) -> int:
    command: Command = _registered(_COMMANDS, plan.command)
    with _variables(plan.environment):
        return command.run(argparse.Namespace(rest=list(plan.words)))


@contextmanager
def _variables(wanted: Mapping[str, str]) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in wanted}
    os.environ.update(wanted)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="sobench run",
        description=RUN.help,
        usage="sobench run [CONFIG [--set key=value ...] [--dry-run] [-- WORDS]]",
        epilog="What stands behind -- is handed to the harness: sobench run ifstruct_hf -- --limit 10",
    )
    parser.add_argument(
        "config", nargs="?", metavar="CONFIG", help="a file, or a ready-made one's name; none: list them"
    )
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="key=value",
        help="put a value in place of the file's, read as YAML; key.inner=value for one inside",
    )
    parser.add_argument("--dry-run", action="store_true", help="show the command it comes to, and run nothing")
    return parser


RUN = Command("run a configuration, ready-made or your own; without a name, list them", _run, passes_through=True)
