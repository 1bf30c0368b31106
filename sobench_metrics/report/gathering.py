"""Read all runs of a report, answer by answer, into samples with the answers of every column."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from sobench_metrics.data.plain_words import counted, one_line
from sobench_metrics.errors import UsageError
from sobench_metrics.report.judging import judge
from sobench_metrics.report.model import Answer, Asked, Gathered, View, pack
from sobench_metrics.report.previews import clipped, pretty
from sobench_metrics.report.recoverable import is_known, recover
from sobench_metrics.report.slices import cluster_of, kind_of_row, slices_of
from sobench_metrics.report.taxonomy import first_family
from sobench_metrics.results.reading import samples
from sobench_metrics.results.records import base_name

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from sobench_metrics.findings import Finding
    from sobench_metrics.report.columns import Column
    from sobench_metrics.report.judging import Judged
    from sobench_metrics.report.recoverable import Recovered
    from sobench_metrics.results.records import Sample

__all__ = ["MOST_TEXT", "gather"]

MOST_TEXT: Final = 100_000
"""Characters of a prompt or an answer that a page holds; a longer one says how many were left out."""

_MOST_ROW: Final = 30_000
_MOST_FINDINGS: Final = 100
_DOMAIN: Final = re.compile(r"sobench_(?:ui|natural|document|chart)(_sample)?")

_Key = tuple[str, str]  # doc id and hash of the data


def gather(columns: Sequence[Column], *, seen: Callable[[int], None] = lambda _: None) -> Gathered:
    """Return all samples with all answers; `seen` is called with the number of answers read so far.

    No answer is left out: samples of one id whose data differ between runs stand side by side. Raises UsageError for
    a log that cannot be read or holds nothing.
    """
    tasks: dict[str, dict[_Key, Asked]] = {}
    number = 0
    for column in columns:
        for name, run in column.runs.items():
            task = one_line(base_name(name))
            asked_ = tasks.setdefault(task, {})
            for sample in samples(run):
                key = (sample.doc_id, sample.data_hash)
                asked = asked_.get(key)
                if asked is None:
                    asked = asked_[key] = _asked(task, sample)
                asked.answers[column.letter] = _answer(asked, sample)
                number += 1
                seen(number)
    if not number:
        raise UsageError("these runs hold no sample: repeat them with --log_samples.")
    views = [_view(name, list(found.values()), columns) for name, found in tasks.items() if found]
    return Gathered(columns, views, _pooled(views), tuple(_warnings(views)), is_known())


def _view(name: str, found: list[Asked], columns: Sequence[Column]) -> View:
    runs = {
        column.letter: [run for task, run in column.runs.items() if one_line(base_name(task)) == name]
        for column in columns
    }
    runs = {letter: own for letter, own in runs.items() if own}
    return View(name, found[0].kind, found, runs)


def _pooled(views: Sequence[View]) -> list[View]:
    """Return the domains of SO-Bench as one view, the bundled sample set apart."""
    groups: dict[str, list[View]] = {}
    for view in views:
        if (domain := _DOMAIN.fullmatch(view.name)) is not None:
            groups.setdefault(f"sobench{domain[1] or ''}", []).append(view)
    pooled = []
    for name, members in groups.items():
        if len(members) > 1:
            letters = dict.fromkeys(letter for member in members for letter in member.runs)
            runs = {letter: [run for member in members for run in member.runs.get(letter, ())] for letter in letters}
            found = [asked for member in members for asked in member.samples]
            pooled.append(View(name, "sobench", found, runs, tuple(member.name for member in members)))
    return pooled


def _warnings(views: Sequence[View]) -> list[str]:
    told = []
    for view in views:
        ids: dict[str, int] = {}
        for asked in view.samples:
            ids[asked.doc_id] = ids.get(asked.doc_id, 0) + 1
        if twice := [doc_id for doc_id, times in ids.items() if times > 1]:
            told.append(
                f"{view.name}: {counted(len(twice), 'sample')} (first {one_line(twice[0])}) had other data in one run "
                "than in another: they stand side by side, and figures of these runs are not about the same data."
            )
        sizes = {letter: len(view.answers(letter)) for letter in view.runs}
        if len(set(sizes.values())) > 1:
            listed = ", ".join(f"{letter} {size:,}" for letter, size in sizes.items())
            told.append(f"{view.name}: the runs answered different numbers of samples ({listed}).")
        told += [
            f"{view.name}: {counted(other, 'answer')} of {letter} would be judged otherwise by this version; figures "
            "are those of the log, diffs are this version's."
            for letter in view.runs
            if (other := sum(answer.differs for _, answer in view.answers(letter)))
        ]
    return told


def _asked(task: str, sample: Sample) -> Asked:
    row = sample.row
    kind = kind_of_row(row)
    return Asked(
        task=task,
        doc_id=sample.doc_id,
        data_hash=sample.data_hash,
        kind=kind,
        slices=slices_of(row),
        cluster=cluster_of(row),
        image=str(row.get("image_sha256") or ""),
        prompt=hash(sample.prompt),
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
    judged = judge(sample)
    failed = sample.passed is False
    text = None if "request.failed" in sample.codes else sample.answer
    recovered = recover(asked.kind, text, sample.row) if failed else None
    codes = _codes(sample, judged, failed=failed)
    return Answer(
        means=dict(sample.means),
        ratios=dict(sample.ratios),
        passed=sample.passed,
        codes=codes,
        first=first_family(codes) if failed else "",
        packed=pack(_shown_answer(sample, judged, recovered, asked.prompt)),
        recoverable=None if recovered is None else recovered.recoverable,
        fields=judged.fields,
        differs=judged.passed is not None and sample.passed is not None and judged.passed != sample.passed,
    )


def _codes(sample: Sample, judged: Judged, *, failed: bool) -> tuple[str, ...]:
    """Return what explains an answer: the log's codes, then strict ones; values of fields where the answer failed."""
    strict = sample.diagnostics.get("strict")
    told = [*sample.codes, *(map(str, strict) if isinstance(strict, list) else ())]
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
        shown["recovered"] = [recovered.recoverable, list(recovered.steps), recovered.reason, recovered.value]
    told = sample.generation
    known: Mapping[str, Any] = {
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
