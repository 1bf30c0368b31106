"""What the tolerant reading says of one answer, and the table of its steps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

__all__ = ["STEPS", "FieldTally", "Recovery"]

STEPS: Final[dict[str, str]] = {
    # around the answer
    "marks.bom": "a byte order mark or zero-width character at an end of the text or block was dropped",
    "marks.reasoning": "reasoning between tags, before a closing tag or behind an unclosed one was dropped",
    "marks.channel": "only the final channel of an answer with channel marks was read",
    "marks.end": "special tokens of a chat template at the ends were dropped",
    "marks.answer_tag": "tags that enclose the whole answer were dropped",
    "prose.around": "words before or behind the data were passed over",
    "blocks.several": "of several values or blocks the last was read, of fenced ones first, tagged ones before all",
    "blocks.repeated": "the same value stood there more than once in a row and was read once",
    "fence.broken": "a fence on the line of its data, indented, unclosed or of other characters was read as a fence",
    "fence.tag": "a fence tagged as JSON around YAML, or as YAML around JSON, was taken for what it holds",
    "fence.missing": "a fence was asked for and there is none",
    # around the data
    "space.unusual": "separators and invisible characters between the tokens of JSON were read as spaces",
    "format.yaml": "YAML was read where JSON was asked for",
    "format.json": "JSON was read where YAML was asked for",
    "format.flow": "flow style was read where block style was asked for",
    "yaml.core": "unquoted YAML words and clock times (no, on, 12:30) were read as YAML 1.2 reads them: as text",
    "wrapper.missing": "the list stands there without the key that was to hold it",
    "wrapper.renamed": "the list stands under another key than the one asked for",
    "wrapper.unexpected": "the data stand under a key nobody asked for",
    "wrapper.nested": "the data stand under more than one key",
    # inside values
    "value.case": "letter case, spaces or punctuation differ where the official rules do not look past them",
    "value.marks": "Markdown emphasis, code marks or a link around words were read as the words",
    "value.entities": "HTML entities were read as their characters",
    "value.width": "full-width, composed or otherwise compatible characters were read as the plain ones",
    "value.quotes": "typographic quotes, dashes, spaces and invisible characters were read as the plain ones or none",
    "value.number": "an amount was read by its value: grouping, final zeros, place of the unit",
    "value.date": "a date was read as the day it names, where only one day can be meant",
    "value.null_left_out": "a field whose value is null was left out",
}
"""Every code of `Recovery.steps`, with what was tolerated. Codes are stable."""


@dataclass(frozen=True, slots=True)
class FieldTally:
    """Leaves of an SO-Bench target that count under its labels, and how many of them the answer has."""

    matched: int
    total: int


@dataclass(frozen=True, slots=True)
class Recovery:
    """Whether the data asked for were there.

    `recoverable`: all of it, by the tolerant reading. `steps`: the tolerances that were needed, codes of `STEPS` in
    order; empty when none was. `reason`: why, or why not, in one sentence. `value`: what was read, None when nothing
    could be. `fields`: the tally of leaves, for SO-Bench only.
    """

    recoverable: bool
    steps: tuple[str, ...]
    reason: str
    value: Any = None
    fields: FieldTally | None = None
