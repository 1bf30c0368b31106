"""Signs that constrained decoding broke an answer: a grammar keeps a model in shape, not at its work.

One sign, one small function. Signs in the text need no schema and no JSON; signs in the data look at the first value
in the text. All run in time linear in the text, whatever it holds.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final

from sobench_metrics.constrained.answer_schema import AnswerSchema, answer_schema
from sobench_metrics.constrained.value_signs import value_signs
from sobench_metrics.findings import Finding
from sobench_metrics.response import decode_json, looks_truncated

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["LONG_STRING", "MAX_PARSED", "WHITE_RUN", "signs", "signs_of"]

WHITE_RUN: Final = 100
"""So much white space in one run, outside strings, is no layout: deep indentation stays below it."""

LONG_STRING: Final = 2_000
"""An open string of so many characters at the end of a cut text ran on."""

MAX_PARSED: Final = 10_000_000
"""Longer texts are looked at as texts only."""

_SPACES: Final = " \t\r\n"
_LONG_RUN: Final = re.compile(rf"[ \t\r\n]{{{WHITE_RUN},}}")
_REPEATED: Final = 12
_LONGEST_UNIT: Final = 600
_TAIL: Final = 20_000


def signs(text: str, schema: Any = None, *, at_limit: bool | None = None) -> tuple[Finding, ...]:
    """Return the signs found in an answer, the text's before the data's; () for a sound answer. Never raises.

    `schema` (JSON text or decoded) lets required strings and property names be known; `at_limit` says whether the
    answer ended at the token limit, None where nobody knows: then an answer cut off inside its JSON counts as ended so.
    An answer whose JSON is whole was not cut, wherever it ended.
    Codes: "sign.white_space", "sign.truncated", "sign.runaway_string", "sign.repetition", "sign.empty_required",
    "sign.placeholder", "sign.minimal".
    """
    end = len(text.rstrip(_SPACES))
    pieces = _pieces(text[:end])
    value, is_whole = _decoded(text)
    found = [*_white_end(text, end), *_white_inside(pieces)]
    if is_whole:
        found += value_signs(value, _schema(schema))
    else:
        is_cut = at_limit is not False and (looks_truncated(text) or (bool(at_limit) and not _is_closed(text)))
        found += [*_truncated(is_cut=is_cut), *_runaway_string(pieces), *_repetition(text[:end])]
    return tuple(found)


def signs_of(text: str, row: Mapping[str, Any], *, at_limit: bool | None = None) -> tuple[Finding, ...]:
    """Return the signs found in the answer to a row of either benchmark, by the schema of the whole answer.

    Where no schema can say what the row asks for, its own column stands in. Never raises.
    """
    column = row.get("schema_json", row.get("json_schema"))
    try:
        found = answer_schema(row)
    except (ArithmeticError, AttributeError, LookupError, RuntimeError, TypeError, ValueError):
        return signs(text, column, at_limit=at_limit)  # a row that cannot be read is the task's own finding
    return signs(text, found.schema if isinstance(found, AnswerSchema) else column, at_limit=at_limit)


def _is_closed(text: str) -> bool:
    """Return whether the text's first JSON value is whole, in a block or not."""
    start = next((index for index, sign in enumerate(text[:1000]) if sign in "[{"), None)
    if start is None:
        return len(text) <= MAX_PARSED and decode_json(text.strip(_SPACES)).finding is None
    return not looks_truncated(text[start:])


def _pieces(text: str) -> list[str]:
    """Return the text cut at its quotes: outside of strings, inside, outside ...; escapes are taken out before."""
    return (text.replace("\\\\", "").replace('\\"', "") if "\\" in text else text).split('"')


def _decoded(text: str) -> tuple[Any, bool]:
    start = next((index for index, sign in enumerate(text[:1000]) if sign in "[{"), None)
    if start is None or len(text) > MAX_PARSED:
        return None, False
    decoded = decode_json(text[start:])
    return decoded.value, decoded.finding is None


def _schema(schema: Any) -> Any:
    if not isinstance(schema, str):
        return schema
    try:
        return json.loads(schema)
    except (ValueError, RecursionError):
        return None


def _white_end(text: str, end: int) -> Iterator[Finding]:
    if len(text) - end >= WHITE_RUN:
        yield Finding("sign.white_space", "", f"the answer ends in {len(text) - end} characters of white space")


def _white_inside(pieces: list[str]) -> Iterator[Finding]:
    """Yield the first long run between tokens; inside a string white space is the model's own text."""
    for piece in pieces[::2]:
        if match := _LONG_RUN.search(piece):
            yield Finding("sign.white_space", "", f"{len(match[0])} characters of white space between two tokens")
            return


def _truncated(*, is_cut: bool) -> Iterator[Finding]:
    if is_cut:
        yield Finding("sign.truncated", "", "the answer ended at the token limit, before its JSON did")


def _runaway_string(pieces: list[str]) -> Iterator[Finding]:
    """Yield the finding of a last string that was never closed and went on for long."""
    if len(pieces) % 2 == 0 and len(pieces[-1]) > LONG_STRING:
        yield Finding("sign.runaway_string", "", f"a string of {len(pieces[-1])} characters was never closed")


def _repetition(text: str) -> Iterator[Finding]:
    """Yield the finding of a text whose end is one piece again and again."""
    tail = text[-_TAIL:]
    ending = tail[-24:]
    if len(ending) < 24:
        return
    before = tail.rfind(ending, 0, len(tail) - 1)
    unit = len(tail) - len(ending) - before
    if before < 0 or unit > _LONGEST_UNIT:
        return
    times = _run_back(tail, unit) // unit + 1
    if times >= _REPEATED:
        yield Finding("sign.repetition", "", f"the answer ends in {times} repeats of {tail[-unit:][:60]!r}")


def _run_back(tail: str, unit: int) -> int:
    """Return for how many characters from the end each one equals the one a unit before it."""
    length = 0
    while length + unit < len(tail) and tail[-1 - length] == tail[-1 - length - unit]:
        length += 1
    return length
