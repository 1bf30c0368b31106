"""Lay two runs of one task side by side, sample by sample, and say which samples cannot stand there."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Literal

from sobench_metrics.errors import UsageError
from sobench_metrics.results import agreement
from sobench_metrics.results.records import CONSTRAINED, VARIANT
from sobench_metrics.results.task_names import plain_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sobench_metrics.results.records import Run, Sample

__all__ = ["Common", "LeftOut", "Pair", "Pairing", "pair", "pool"]

Common = Literal["all", "constrained"]

_NOT_RUN: Final = ("skipped", "excluded")
_FAILED: Final = "request.failed"
_DOMAIN: Final = re.compile(r"sobench_(?:ui|natural|document|chart)(_sample)?")


@dataclass(frozen=True, slots=True)
class Pair:
    """One sample as both sides answered it; samples of one `cluster` share a picture or a kind of prompt."""

    doc_id: str
    a: Sample
    b: Sample
    cluster: str = ""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A sample that is not compared: on which side (of `Pairing.sides`) it is what, and why if the log says so."""

    doc_id: str
    side: str
    state: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two runs of one task: the samples to compare, those left out, and what the reader has to know.

    `ran` counts the samples of each side, `states` what its log says of them, where it says anything; `planned` is
    the size of the task. `pooled` names the tasks that were put together, empty for one task.
    """

    task: str
    runs: tuple[Run, Run]
    pairs: tuple[Pair, ...]
    left_out: tuple[LeftOut, ...]
    common: Common
    ran: tuple[int, int]
    planned: int | None
    states: tuple[Mapping[str, int], Mapping[str, int]]
    warnings: tuple[str, ...] = ()
    pooled: tuple[str, ...] = ()
    sides: tuple[str, str] = ("A", "B")


def pair(
    runs: tuple[Run, Run],
    logs: tuple[Iterable[Sample], Iterable[Sample]],
    common: Common | None = None,
    sides: tuple[str, str] = ("A", "B"),
) -> Pairing:
    """Return the pairing of two runs of one task; answers themselves are let go of as they are read.

    With `common` "constrained" (the default when a side is constrained) a sample stays when it was really constrained
    on each constrained side and answered on both. Raises UsageError when prompts, data or rules differ, or when no
    sample is left.
    """
    task = plain_name(runs[0].task)
    warnings = agreement.rules(task, runs, sides)
    (a, content_a), (b, content_b) = (_kept(log) for log in logs)
    both = [name for name in a if name in b]
    contents = [(name, content_a[name], content_b[name]) for name in both]
    agreement.refuse_other_rows(task, contents)
    warnings += agreement.prompts(task, runs, contents)
    bound = (_is_constrained(runs[0], a), _is_constrained(runs[1], b))
    chosen = common or ("constrained" if any(bound) else "all")
    if chosen == "constrained" and not any(bound):
        raise UsageError(f"{task}: neither run is constrained: leave --common constrained out.")
    left_out = [LeftOut(name, sides[1], "not run") for name in a if name not in b]
    left_out += [LeftOut(name, sides[0], "not run") for name in b if name not in a]
    pairs = []
    for name in both:
        lacks = [
            LeftOut(name, side, *lack)
            for side, sample, is_bound in zip(sides, (a[name], b[name]), bound, strict=True)
            if chosen == "constrained" and (lack := _lack(sample, is_bound=is_bound)) is not None
        ]
        left_out += lacks
        if not lacks:
            pairs.append(Pair(name, a[name], b[name], content_a[name].cluster or a[name].row_id or name))
    if not pairs:
        remedy = "`--common all` compares the others too" if both else "run both on the same samples"
        raise UsageError(f"{task}: no sample can be compared ({_why_none(left_out)}): {remedy}.")
    return Pairing(
        task, runs, tuple(pairs), tuple(left_out), chosen, (len(a), len(b)), runs[0].planned or runs[1].planned,
        (_states(a), _states(b)), tuple(warnings), sides=sides,
    )  # fmt: skip


def pool(pairings: Sequence[Pairing]) -> list[Pairing]:
    """Return the domains of SO-Bench as one: a pairing for each set of two or more that were compared alike."""
    groups: dict[tuple[object, ...], list[Pairing]] = {}
    for found in pairings:
        domain = _DOMAIN.fullmatch(found.task)
        if domain:
            variants = tuple(VARIANT in run.task for run in found.runs)
            groups.setdefault((domain[1] or "", found.common, variants), []).append(found)
    return [
        _pooled(f"sobench{suffix}: {len(members)} domains pooled", members)
        for (suffix, *_), members in groups.items()
        if len(members) > 1
    ]


def _pooled(name: str, members: list[Pairing]) -> Pairing:
    sizes = [member.planned for member in members]
    return replace(
        members[0],
        task=name,
        pairs=tuple(replace(two, doc_id=f"{one.task}/{two.doc_id}") for one in members for two in one.pairs),
        left_out=tuple(replace(out, doc_id=f"{one.task}/{out.doc_id}") for one in members for out in one.left_out),
        ran=(sum(one.ran[0] for one in members), sum(one.ran[1] for one in members)),
        planned=None if None in sizes else sum(size or 0 for size in sizes),
        states=(_summed(one.states[0] for one in members), _summed(one.states[1] for one in members)),
        warnings=(),
        pooled=tuple(one.task for one in members),
    )


def _summed(states: Iterable[Mapping[str, int]]) -> Mapping[str, int]:
    total: Counter[str] = Counter()
    for one in states:
        total.update(one)
    return dict(total)


def _kept(log: Iterable[Sample]) -> tuple[dict[str, Sample], dict[str, agreement.Content]]:
    """Hold what a comparison needs; texts and diagnostics of two runs would fill the memory."""
    kept, contents = {}, {}
    for sample in log:
        kept[sample.doc_id] = replace(sample, answer=None, diagnostics={}, row={}, prompt="")
        contents[sample.doc_id] = agreement.content(sample)
    return kept, contents


def _is_constrained(run: Run, found: Mapping[str, Sample]) -> bool:
    return VARIANT in run.task or any(sample.generation.state == CONSTRAINED for sample in found.values())


def _lack(sample: Sample, *, is_bound: bool) -> tuple[str, str] | None:
    """Return what keeps a sample out of a comparison of constrained answers, with the reason, or None."""
    state = sample.generation.state
    if _FAILED in sample.codes:
        return "failed", ""
    if state in _NOT_RUN or (is_bound and state != CONSTRAINED):
        return state or "of unknown constraint", sample.generation.reason
    return None


def _states(found: Mapping[str, Sample]) -> Mapping[str, int]:
    return dict(Counter(sample.generation.state for sample in found.values() if sample.generation.state))


def _why_none(left_out: list[LeftOut]) -> str:
    tally = Counter((out.state, out.side) for out in left_out)
    return ", ".join(f"{number:,} {state} in {side}" for (state, side), number in tally.items()) or "the logs are empty"
