"""Form or content: a tolerant reading that says of an answer whether the data asked for were there.

The figure is called `recoverable`. It is asked of answers that failed and stands beside *official* and *strict*, never
mixed with them. What is tolerated, each by a code of `STEPS`: what stands **around** the data (reasoning, channels,
special tokens, byte order marks, tags, prose, fences of any make), the **dress** of the whole (wrapper keys, YAML for
JSON and the reverse) and the **rendering** of values (emphasis, links, entities, widths, quotes, amounts, dates, letter
case). What is not: wrong or missing data, other types, other counts, fields nobody asked for (IFStruct; in SO-Bench
they cost nothing officially either), data that stand only in the reasoning, and text that is not JSON or YAML.
**Nothing is repaired**: comments, trailing commas, single or curly quotes, Python words and cut ends would have to be
guessed at. So no repairing parser is used either: it would accept what a careful reader rejects.

Which of several values is the answer is decided by its place alone, before any comparison (`choosing`). The reader is
stricter than the official rules where those let other data pass: numbers that are none (NaN, infinities) and the points
listed in `same_leaf`. Everything else that passes officially is recoverable, most of it without a step.

Of the 76 cases in `tests/conformance/public_cases.jsonl` the reading agrees with the careful reader on all 61 of high
confidence and on 9 of 15 of low confidence. It differs in:

| case | reader | here | why |
| --- | --- | --- | --- |
| rw-if-014 fence never closed | fail | recoverable | the list is complete; the fence is form |
| rw-if-019 same block twice | fail | recoverable | both say the same |
| rw-if-035 tags of a tool call | fail | recoverable | tags are marks around the data |
| rw-if-093 tab before a YAML comment | pass | not | the YAML library refuses it, and nothing is repaired |
| rw-so-022 same object twice | invalid | recoverable | both say the same |
| rw-so-025 object under a tool's name | none | recoverable | one key around the data is form, as in IFStruct |
"""

from sobench_metrics.recovery.ifstruct_reading import recover_ifstruct
from sobench_metrics.recovery.record import STEPS, FieldTally, Recovery
from sobench_metrics.recovery.sobench_reading import recover_sobench

__all__ = ["STEPS", "FieldTally", "Recovery", "recover_ifstruct", "recover_sobench"]
