"""What the user asks of a preparation, checked before anything moves."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sobench_metrics.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from sobench_metrics.data.prepare.labels import Label

__all__ = ["UPSTREAM", "Order", "assignments", "parse_names"]

UPSTREAM = "upstream"
"""The name by which --revision pins the repository of labels and prompts."""

_MOST_JOBS = 16  # beyond that a server sees an attack, not a reader


@dataclass(frozen=True, slots=True)
class Order:
    """Which sources, how many samples of each (`limit`; None = all), from where, how fast, and what may be missing."""

    sources: tuple[str, ...]
    limit: int | None = None
    revisions: Mapping[str, str] = field(default_factory=dict)
    archives: Mapping[str, Path] = field(default_factory=dict)
    upstream_dir: Path | None = None
    jobs: int = 4
    allow_partial: bool = False
    keep_archives: bool = False
    said: str = ""  # the flags by which the user asked for less than everything, as the manifest tells them

    def __post_init__(self) -> None:
        if not self.sources:
            raise UsageError("no source is left: the sources of --sources lie in none of the --domains.")
        if self.limit is not None and self.limit < 1:
            raise UsageError(f"--limit {self.limit}: need a number of samples per source from 1.")
        if not 1 <= self.jobs <= _MOST_JOBS:
            raise UsageError(f"--jobs {self.jobs}: need a number from 1 to {_MOST_JOBS}.")
        idle = sorted({*self.revisions, *self.archives}.difference(self.sources, (UPSTREAM,)))
        if idle:
            raise UsageError(
                f"{idle[0]} is not among the sources asked for: leave out its --revision or --local-archive, or add it "
                "to --sources."
            )
        if self.upstream_dir is not None and UPSTREAM in self.revisions:
            raise UsageError("--upstream-dir is a checkout of one revision: leave --revision upstream=... out.")

    def wanted(self, labels: Iterable[Label]) -> tuple[Label, ...]:
        """Return the labels asked for: of each source the first `limit`, in the order given."""
        taken: dict[str, int] = {}
        chosen = []
        for label in labels:
            count = taken.get(label.source, 0)
            if label.source in self.sources and (self.limit is None or count < self.limit):
                taken[label.source] = count + 1
                chosen.append(label)
        return tuple(chosen)


def parse_names(flag: str, words: Iterable[str], known: Iterable[str]) -> tuple[str, ...]:
    """Return the names of a flag, separated by blanks or commas, in the order of `known`; none given means all."""
    asked = {name.strip() for word in words for name in word.split(",") if name.strip()}
    known = tuple(known)
    unknown = sorted(asked.difference(known))
    if unknown:
        raise UsageError(f"{flag} {unknown[0]}: choose from {', '.join(known)}.")
    return tuple(name for name in known if not asked or name in asked)


def assignments(flag: str, what: str, words: Iterable[str], known: Iterable[str]) -> dict[str, str]:
    """Return the `SOURCE=...` words of a repeated flag as a mapping; `what` names what stands behind the sign."""
    known = tuple(known)
    found: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or not value:
            raise UsageError(f"{flag} {word}: write {flag} SOURCE={what}.")
        if name not in known:
            raise UsageError(f"{flag} {word}: {name!r} is none of {', '.join(known)}.")
        if name in found:
            raise UsageError(f"{flag} names {name} twice: give it once.")
        found[name] = value
    return found
