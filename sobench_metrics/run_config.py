"""Run configurations: read, altered by `key=value`, and turned into the words of a harness's command line.

Which words, the rooms that know a harness say: each names a function from a `RunConfig` to a `Plan` in the entry-point
group `sobench.run_configs`, under the subcommand that runs the words.
"""

from __future__ import annotations

import copy
import datetime as dt
import difflib
import re
import shlex
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from sobench_metrics.data.plain_words import one_line, reason
from sobench_metrics.errors import UsageError
from sobench_metrics.leaderboard_files import KINDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

__all__ = ["Plan", "RunConfig", "altered", "check_keys", "command_of", "read", "refuse_variables", "summary"]

_OF_LIGHTEVAL: Final = ("sobench_run", "model_parameters")
_DEEPEST: Final = 32
_VARIABLE: Final = re.compile(r"\$(\w+|\{\w+\})|^~/")


@dataclass(frozen=True, slots=True)
class RunConfig:
    """A file's content; `changed` names the top-level keys that are not as the file has them."""

    file: Path
    content: Mapping[str, Any]
    changed: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Plan:
    """The words behind a subcommand, and the variables that it is run with."""

    command: str
    words: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)

    def with_extra(self, words: Sequence[str]) -> Plan:
        """Return the plan with words behind its own."""
        return replace(self, words=(*self.words, *words))

    def __str__(self) -> str:
        """Return the line that a shell takes."""
        variables = (f"{name}={shlex.quote(value)}" for name, value in self.environment.items())
        return " ".join([*variables, shlex.join(["sobench", self.command, *self.words])])


def read(file: Path) -> RunConfig:
    """Return the configuration in a YAML file; raises UsageError for a file that holds none.

    Dates become the texts that they were: revisions look like them, and no harness takes them.
    """
    import yaml

    try:
        content = yaml.safe_load(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError, yaml.YAMLError) as error:
        raise UsageError(f"cannot read the run configuration {file} ({reason(error)}): it must be YAML.") from error
    if not isinstance(content, dict) or not all(isinstance(key, str) for key in content):
        raise UsageError(
            f"{file} is no run configuration: it must hold `key: value` lines, as lm-eval's --config does."
        )
    return RunConfig(file, _plain(content, str(file)))


def altered(config: RunConfig, settings: Iterable[str]) -> RunConfig:
    """Return the configuration with each `key=value` or `key.inner=value` put in; values are read as YAML.

    Raises UsageError for a word of another form, and for an inner key of something that has none.
    """
    content: dict[str, Any] = copy.deepcopy(dict(config.content))
    changed = set(config.changed)
    for word in settings:
        name, given, text = word.partition("=")
        keys = name.split(".")
        if not given or not all(keys):
            raise UsageError(f"--set {one_line(word)} is no key=value: for example --set model_args.pretrained=MODEL.")
        place = content
        for key in keys[:-1]:
            inner = place.get(key)
            if inner is None:
                inner = place[key] = {}
            if not isinstance(inner, dict):
                raise UsageError(f"--set {one_line(name)}: {key} holds no keys in {config.file}.")
            place = inner
        place[keys[-1]] = _plain(_value(text), f"--set {one_line(name)}")
        changed.add(keys[0])
    return RunConfig(config.file, content, frozenset(changed))


def command_of(config: RunConfig) -> str:
    """Return the subcommand that runs a configuration, told from its keys."""
    found = "lighteval" if any(key in config.content for key in _OF_LIGHTEVAL) else "lm_eval"
    return KINDS[found]


def check_keys(config: RunConfig, content: Mapping[str, Any], known: Iterable[str], where: str = "") -> None:
    """Raise UsageError for a key that nobody reads, with the nearest that somebody does."""
    known = sorted(known)
    for key in content:
        if key not in known:
            near = difflib.get_close_matches(str(key), known, n=1)
            hint = f"did you mean {where}{near[0]}?" if near else f"known are {', '.join(known)}."
            raise UsageError(f"{config.file} has the unknown key {where}{one_line(key)}: {hint}")


def refuse_variables(config: RunConfig, content: Mapping[str, Any]) -> None:
    """Raise UsageError for a value that only a shell would expand: taken as it stands it names a wrong place."""
    for name, text in _texts(content):
        found = _VARIABLE.search(text)
        if found:
            raise UsageError(
                f"{config.file}: {name} holds {found[0]}, which nobody expands: write it out, or let your shell do it "
                f'with --set {name}="{found[0]}...".'
            )


def summary(file: Path) -> str:
    """Return the first comment of a file, its line in a list."""
    with file.open(encoding="utf-8") as lines:
        first = lines.readline()
    return first.removeprefix("#").strip() if first.startswith("#") else ""


def _texts(content: Any, name: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(content, str):
        yield name, content
    elif isinstance(content, dict):
        for key, value in content.items():
            yield from _texts(value, f"{name}.{key}" if name else str(key))
    elif isinstance(content, list):
        for value in content:
            yield from _texts(value, name)


def _plain(value: Any, where: str, depth: int = 0) -> Any:
    """Return a value as JSON can hold it; raises UsageError for another, and for one that holds itself."""
    if depth > _DEEPEST:
        raise UsageError(f"{where} is nested too deeply: write it out flat.")
    if isinstance(value, dict):
        return {key: _plain(inner, where, depth + 1) for key, inner in value.items()}
    if isinstance(value, list):
        return [_plain(inner, where, depth + 1) for inner in value]
    if isinstance(value, dt.date):  # a datetime is one, too
        return value.isoformat()
    if isinstance(value, (str, int, float, bool, type(None))):
        return value
    raise UsageError(f"{where} holds a {type(value).__name__}, which no harness takes: write a text, number or list.")


def _value(text: str) -> Any:
    import yaml

    try:
        return yaml.safe_load(text)
    except (ValueError, RecursionError, yaml.YAMLError):  # a text with colons or brackets, as a path may be
        return text
