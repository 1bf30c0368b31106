"""Which task of one run is compared with which task of the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sobench_metrics.data.plain_words import one_line
from sobench_metrics.errors import UsageError
from sobench_metrics.results.records import VARIANT
from sobench_metrics.results.task_names import plain_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sobench_metrics.results.records import Run

__all__ = ["partners"]


def partners(
    a: Mapping[str, Run], b: Mapping[str, Run], chosen: Iterable[str] = (), sides: tuple[str, str] = ("A", "B")
) -> list[tuple[Run, Run]]:
    """Return the tasks of two runs in pairs: a task with itself, or where there is none, with its constrained variant.

    When both sides are the same run, its tasks are paired with their own variants. `chosen` names the tasks, with or
    without the mark of the variant; the others are left aside. Raises UsageError when a task has no partner.
    """
    wanted = {plain_name(name) for name in chosen}
    unknown = sorted(wanted - {plain_name(name) for name in (*a, *b)})
    if unknown:
        raise UsageError(f"no task {', '.join(unknown)} in these runs: they hold {_listed({*a, *b})}.")
    left = [name for name in a if not wanted or plain_name(name) in wanted]
    right = [name for name in b if not wanted or plain_name(name) in wanted]
    if {run.where.resolve() for run in a.values()} == {run.where.resolve() for run in b.values()}:
        left = [name for name in left if VARIANT not in name]
        right = [name for name in right if VARIANT in name]
        if not right:
            raise UsageError(
                f"this run holds no constrained variant ({_listed(a)}): name a second run to compare with."
            )
    pairs = {(name, other) for name in left if (other := _partner(name, right)) is not None}
    pairs |= {(other, name) for name in right if (other := _partner(name, left)) is not None}
    alone = [f"{one_line(name)} only in {sides[0]}" for name in left if _partner(name, right) is None]
    alone += [f"{one_line(name)} only in {sides[1]}" for name in right if _partner(name, left) is None]
    if alone:
        shared = ",".join(sorted({plain_name(name) for name, _ in pairs}))
        remedy = f"compare the rest with --tasks {one_line(shared)}" if shared else "name two runs of the same tasks"
        raise UsageError(f"tasks without a partner: {', '.join(alone)}; {remedy}.")
    return [(a[name], b[other]) for name, other in sorted(pairs)]


def _partner(name: str, others: list[str]) -> str | None:
    if name in others:
        return name
    return next((other for other in others if plain_name(other) == plain_name(name)), None)


def _listed(names: Iterable[str]) -> str:
    return ", ".join(one_line(name) for name in sorted(names))
