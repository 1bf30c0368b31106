"""From one line of predictions to a record: an id, a text, and the row, in the line itself or joined by the id."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any, Final

from sobench_metrics.data.plain_words import one_line, reason
from sobench_metrics.errors import UsageError
from sobench_metrics.results.records import Sample
from sobench_metrics.results.row_columns import benchmark_of, row_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sobench_metrics.results.benchmark_rows import Rows

__all__ = ["absent", "decoded", "sample_of"]

_IDS: Final = ("doc_id", "id", "sample_id")
_TEXTS: Final = ("response", "generation", "output", "completion")
_REPEATS: Final = ("rollout", "repeat")


def decoded(line: str) -> dict[str, Any]:
    """Return a line's object; raises UsageError, without the place, for what is none."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"is not whole ({reason(error)}): need one JSON object a line") from error
    if not isinstance(found, dict):
        raise UsageError("is no object: need one JSON object a line, with an id and a text")
    return found


def sample_of(line: Mapping[str, Any], number: int, rows: Rows | None) -> Sample:
    """Return the sample of a decoded line; raises UsageError, without the place, for one that cannot be scored.

    With `rows` the line's id names one of them. Without, the line is its own row, named by its id or else its number.
    """
    row_id = next((str(line[name]) for name in _IDS if line.get(name) is not None), None)
    if rows is None:
        if benchmark_of(line) is None:
            raise UsageError(
                "holds no row: give each line its row's columns, or say with --task or --rows whose answers these are"
            )
        row: Mapping[str, Any] = _own_row(line)
        if row_id is None and not number:
            raise UsageError(f"has no id: on a cluster, which counts no lines, give each one as {', '.join(_IDS)}")
        row_id = str(number) if row_id is None else row_id
    elif row_id is None:
        raise UsageError(f"has no id: give each line one as {', '.join(_IDS)}")
    elif row_id not in rows.by_id:
        raise UsageError(f"answers {one_line(row_id)}, which is no row of {rows.place}: name the rows that were asked")
    else:
        row = rows.by_id[row_id]
    repeat = next((str(line[name]) for name in _REPEATS if line.get(name) is not None), None)
    answer = _answer(line, is_joined=rows is not None)
    prompt = line.get("prompt") if isinstance(line.get("prompt"), str) else ""
    return Sample(
        doc_id=row_id if repeat is None else f"{row_id}#{repeat}",
        data_hash=_digest(row),
        prompt_hash=_digest(prompt),
        answer=answer,
        means={},
        ratios={},
        characters=len(answer or ""),
        row=row,
        prompt=prompt or "",
        row_id=row_id,
    )


def absent(row_id: str, row: Mapping[str, Any]) -> Sample:
    """Return the missing answer to a row without a line."""
    return Sample(row_id, _digest(row), _digest(""), None, {}, {}, row=row, row_id=row_id)


def _own_row(line: Mapping[str, Any]) -> dict[str, Any]:
    try:
        return row_of(line)
    except ValueError as error:
        raise UsageError(f"cannot be scored: {str(error).rstrip('.')}") from error


def _answer(line: Mapping[str, Any], *, is_joined: bool) -> str | None:
    """Return the text; a reference's line without one is a missing answer (B1.1), and so is null in any."""
    told = {name: line[name] for name in _TEXTS if name in line}
    if not told and is_joined:
        raise UsageError(f"has no text: give each line one as {', '.join(_TEXTS)}, null for a missing answer")
    texts = {name: text for name, text in told.items() if text is not None}
    for name, text in texts.items():
        if not isinstance(text, str):
            raise UsageError(f"has a {name} that is no text: give one answer a line, and null for a missing one")
    if len(set(texts.values())) > 1:
        raise UsageError(f"has several texts ({', '.join(texts)}): leave the answer alone")
    return next(iter(texts.values()), None)


def _digest(content: Any) -> str:
    text = json.dumps(content, sort_keys=True, default=str)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
