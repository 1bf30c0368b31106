"""Read all runs of a report, answer by answer, into samples with the answers of every column."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from sobench_metrics.data.plain_words import counted, one_line
from sobench_metrics.data.prepared import DOMAINS
from sobench_metrics.errors import UsageError
from sobench_metrics.report.joining import Shelf, task_of
from sobench_metrics.report.judging import Judged, judge
from sobench_metrics.report.model import Answer, Asked, Gathered, View, pack
from sobench_metrics.report.previews import clipped, pretty
from sobench_metrics.report.recoverable import is_known, recover
from sobench_metrics.report.slices import cluster_of, kind_of, slices_of
from sobench_metrics.report.taxonomy import first_family
from sobench_metrics.results.reading import samples
from sobench_metrics.results.rescoring import SKIPPED, benchmark_of_sample, rescored

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from sobench_metrics.findings import Finding
    from sobench_metrics.report.columns import Column
    from sobench_metrics.report.joining import Shelved
    from sobench_metrics.report.recoverable import Recovered
    from sobench_metrics.results.records import Run, Sample

__all__ = ["MOST_TEXT", "gather"]

MOST_TEXT: Final = 100_000
"""Characters of a prompt or an answer that a page holds; a longer one says how many were left out."""

_MOST_ROW: Final = 30_000
_MOST_FINDINGS: Final = 100
_LOST: Final = "request.failed"
_DOMAIN: Final = re.compile(rf"sobench_({'|'.join(DOMAINS)})(_sample)?")


def gather(columns: Sequence[Column], *, seen: Callable[[int], None] = lambda _: None) -> Gathered:
    """Return all samples with all answers; `seen` is called with the number of answers read so far.

    No answer is left out: samples of one name whose data differ between runs stand side by side. Raises UsageError for
    a log that cannot be read or holds nothing.
    """
    shelf = Shelf()
    number = 0
    for column in columns:
        for run in column.runs.values():
            for logged in samples(run):
                sample = _explained(run, logged)
                make = partial(_asked, sample)
                asked = shelf.asked(column.letter, run, sample, make)
                asked.answers[column.letter] = _answer(asked, sample)
                number += 1
                seen(number)
    if not number:
        raise UsageError("these runs hold no sample: repeat them with --log_samples.")
    views = [_view(name, task) for name, task in shelf.tasks.items()]
    return Gathered(columns, views, _pooled(views), tuple(_warnings(views)), is_known())


def _explained(run: Run, sample: Sample) -> Sample:
    """Return the sample with codes and findings; a log that tells verdicts alone is read once more for its reasons."""
    if "codes" in sample.diagnostics or benchmark_of_sample(sample) is None:
        return sample
    found = rescored(run, sample)
    return replace(sample, codes=sample.codes or found.codes, diagnostics={**found.diagnostics, **sample.diagnostics})


def _view(name: str, task: Shelved) -> View:
    planned = {}
    for letter, runs in task.runs.items():
        sizes = [run.planned if task_of(run) == name else None for run in runs]
        planned[letter] = None if None in sizes else sum(size or 0 for size in sizes)
    kinds = Counter(asked.kind for asked in task.found)
    return View(name, kinds.most_common(1)[0][0], task.found, task.runs, planned)


def _pooled(views: Sequence[View]) -> list[View]:
    """Return the domains of SO-Bench as one view, the bundled sample set apart; less than all of them say so."""
    groups: dict[str, dict[str, View]] = {}
    for view in views:
        if (named := _DOMAIN.fullmatch(view.name)) is not None:
            groups.setdefault(named[2] or "", {})[named[1]] = view
    taken = {view.name for view in views}
    pooled = []
    for suffix, members in groups.items():
        if len(members) < 2:
            continue
        listed = [domain for domain in DOMAINS if domain in members]
        name = f"sobench{suffix}"
        if len(listed) < len(DOMAINS):
            name += f" ({', '.join(listed)})"
        elif name in taken:
            name += " (by domain)"
        pooled.append(_pool(name, [members[domain] for domain in listed]))
    return pooled


def _pool(name: str, members: Sequence[View]) -> View:
    letters = sorted({letter for member in members for letter in member.runs})
    runs: dict[str, list[Run]] = {letter: [] for letter in letters}
    for member in members:
        for letter, own in member.runs.items():
            runs[letter] += [run for run in own if not any(run is known for known in runs[letter])]
    planned = {
        letter: None if None in (sizes := [run.planned for run in own]) else sum(size or 0 for size in sizes)
        for letter, own in runs.items()
    }
    return View(
        name, "sobench", [asked for member in members for asked in member.samples], runs, planned,
        {member.name: frozenset(member.runs) for member in members},
    )  # fmt: skip


def _warnings(views: Sequence[View]) -> list[str]:
    told = []
    for view in views:
        by_name: dict[str, list[Asked]] = {}
        for asked in view.samples:
            by_name.setdefault(asked.doc_id, []).append(asked)
        twice = {name: found for name, found in by_name.items() if len(found) > 1}
        again = [name for name, found in twice.items() if _share_a_run(found)]
        other = [name for name in twice if name not in again]
        if again:
            told.append(
                f"{view.name}: {counted(len(again), 'row')} (first {one_line(again[0])}) was answered more than once "
                "in one run: every answer counts and stands by itself."
            )
        if other:
            told.append(
                f"{view.name}: {counted(len(other), 'sample')} (first {one_line(other[0])}) had other data in one run "
                "than in another: they stand side by side, and figures of these runs are not about the same data."
            )
        sizes = {letter: len(view.answers(letter)) for letter in view.runs}
        if len(set(sizes.values())) > 1:
            listed = ", ".join(f"{letter} {size:,}" for letter, size in sizes.items())
            told.append(f"{view.name}: the runs answered different numbers of samples ({listed}).")
        told += [
            f"{view.name}: {counted(others, 'answer')} of {letter} would be judged otherwise by this version; figures "
            "are those of the log, diffs are this version's."
            for letter in view.runs
            if (others := sum(answer.differs for _, answer in view.answers(letter)))
        ]
        told += [
            f"{view.name}: the rows behind {counted(lacking, 'answer')} of {letter} are not on this machine: without "
            "target, schema and diff, and in fewer slices; name them with --rows."
            for letter in view.runs
            if view.kind != "other" and (lacking := sum(not asked.has_row for asked, _ in view.answers(letter)))
        ]
    return told


def _share_a_run(found: Sequence[Asked]) -> bool:
    letters = [letter for asked in found for letter in asked.answers]
    return len(letters) > len(set(letters))


def _asked(sample: Sample, task: str, name: str) -> Asked:
    kind = kind_of(sample)
    return Asked(
        task=task,
        doc_id=name,
        kind=kind,
        slices=slices_of(sample),
        cluster=cluster_of(sample),
        image=str(sample.row.get("image_sha256") or ""),
        prompt=hash(sample.prompt),
        has_row=bool(sample.row),
        packed=pack(_shown_row(kind, sample)),
    )


def _shown_row(kind: str, sample: Sample) -> dict[str, Any]:
    row = sample.row
    shown: dict[str, Any] = {"prompt": clipped(sample.prompt, MOST_TEXT)}
    if kind == "sobench":
        shown["title"] = clipped(str(row.get("user_intent") or ""), _MOST_ROW)[0]
        shown["texts"] = [
            [name, *clipped(pretty(row.get(column)), _MOST_ROW)]
            for name, column in (
                ("Target", "target_json"),
                ("Schema", "schema_json"),
                ("Labels", "evaluation_labels_json"),
            )
        ]
    elif kind == "ifstruct":
        shown["title"] = clipped(str(row.get("prompt") or ""), _MOST_ROW)[0]
        asks = {name: value for name, value in row.items() if name not in ("prompt", "json_schema")}
        shown["texts"] = [
            ["Schema", *clipped(pretty(row.get("json_schema")), _MOST_ROW)],
            ["Row", *clipped(pretty(asks), _MOST_ROW)],
        ]
    else:
        shown["title"] = ""
        shown["texts"] = [["Row", *clipped(pretty(dict(row)), _MOST_ROW)]] if row else []
    return shown


def _answer(asked: Asked, sample: Sample) -> Answer:
    skipped = sample.generation.state == SKIPPED
    lost = bool(sample.failure) or _LOST in sample.codes
    judged = Judged(asked.kind) if skipped else judge(asked.kind, sample, None if lost else sample.answer)
    failed = sample.passed is False
    recovered = recover(asked.kind, None if lost else sample.answer, sample.row) if failed and sample.row else None
    can_recover = recovered is not None or (sample.passed is True and asked.has_row and is_known())
    codes = _codes(sample, judged, failed=failed)
    return Answer(
        means=dict(sample.means),
        ratios=dict(sample.ratios),
        passed=sample.passed,
        codes=codes,
        first=first_family(codes) if failed else "",
        packed=pack(_shown_answer(sample, judged, recovered, asked.prompt)),
        recoverable=bool(recovered and recovered.recoverable) if can_recover else None,
        steps=recovered.steps if recovered is not None and recovered.recoverable else (),
        held=sample.generation.state or "",
        lost=lost,
        fields=judged.fields,
        differs=judged.passed is not None and sample.passed is not None and judged.passed != sample.passed,
    )


def _codes(sample: Sample, judged: Judged, *, failed: bool) -> tuple[str, ...]:
    """Return what explains an answer: the log's codes, then strict ones; values of fields where the answer failed."""
    strict = sample.diagnostics.get("strict")
    lost = [_LOST] if sample.failure else []
    told = [*lost, *sample.codes, *(map(str, strict) if isinstance(strict, list) else ())]
    named = [*told, *(judged.outcomes if failed else ())]
    return tuple(dict.fromkeys(one_line(code)[:80] for code in named))


def _shown_answer(sample: Sample, judged: Judged, recovered: Recovered | None, prompt: int) -> dict[str, Any]:
    """Return what the browser shows of an answer; its prompt only where it is another than the sample's (`prompt`)."""
    shown: dict[str, Any] = {
        "text": None if sample.answer is None else clipped(sample.answer, MOST_TEXT),
        "findings": _listed(judged.findings),
        "diff": [
            [row.path, row.label, row.kind, row.outcome, row.target, _given(row.target, row.answer), row.reason]
            for row in judged.rows
        ],
    }
    if judged.strict:
        shown["strict"] = _listed(judged.strict)
    if recovered is not None:
        shown["recovered"] = [
            recovered.recoverable, list(recovered.steps), recovered.reason[:500], recovered.value, recovered.left_out,
        ]  # fmt: skip
    told = sample.generation
    known: Mapping[str, Any] = {
        "no answer, the request failed": sample.failure[:500] or None,
        "tokens": told.tokens,
        "seconds": None if told.seconds is None else round(told.seconds, 2),
        "stopped at the limit": told.at_limit,
        "state": told.state,
        "reason": told.reason or None,
    }
    shown["facts"] = {name: value for name, value in known.items() if value is not None}
    if sample.prompt and hash(sample.prompt) != prompt:
        shown["prompt"] = clipped(sample.prompt, MOST_TEXT)
    return shown


def _given(target: str, answer: str | None) -> str | int | None:
    """Return the preview of the answer; 1 where it equals the target's, which halves what the page holds."""
    return 1 if answer is not None and answer == target else answer


def _listed(findings: Sequence[Finding]) -> list[list[str]]:
    listed = [[one.code, one.path[:300], one.message[:500]] for one in findings[:_MOST_FINDINGS]]
    if len(findings) > _MOST_FINDINGS:
        listed.append(["", "", f"and {len(findings) - _MOST_FINDINGS:,} more"])
    return listed
