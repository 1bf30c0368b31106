"""The proportions of what a row asks for, each with where it comes from.

Sources: (a) the test set's published slice sizes, n = 2000; (b) 59 public rows of it, all of them JSON with a wrapper,
without their prompts; (c) the 25 of those whose prompts are public. What (b) and (c) cannot say (fences, silence and
counts of YAML and bare rows) is taken to be as in the rows that can be seen.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

__all__ = ["CLOSED_PERCENT", "COUNTS", "ESCAPING", "FENCES", "FORMATS", "SILENT", "STYLES", "THINKING_PERCENT", "WRAPS"]

FORMATS: Final = MappingProxyType({"json": 1000, "yaml": 1000})
"""(a), exact."""

WRAPS: Final = MappingProxyType({True: 1011, False: 989})
"""(a), exact: with a wrapper key, bare."""

ESCAPING: Final = MappingProxyType({True: 973, False: 1027})
"""(a), exact: rows whose entity type holds texts that are hard to quote."""

FENCES: Final = MappingProxyType({"specific": 23, "generic": 31, "none": 41, "free": 5})
"""(b): a code block is demanded in 32 of 59 rows (54 %). (c): 6 of those 14 name the language, 8 do not; the other 11
all say that none is needed. That the matter is left open was not seen: the 5 % are ours."""

SILENT: Final = MappingProxyType({True: 23, False: 36})
"""(b): no text beside the data, in 23 of 59 rows."""

CLOSED_PERCENT: Final = 68
"""(c): 17 of 25 prompts say that no other fields are wanted; extra fields fail in every row."""

COUNTS: Final = MappingProxyType({
    (1, 1): 9, (2, 2): 13, (3, 3): 9, (4, 4): 1, (1, 2): 9, (1, 3): 7, (2, 3): 6, (3, 4): 3, (2, 4): 2,
})  # fmt: skip
"""(b): exactly n in 32 of 59 rows, a range in 27."""

STYLES: Final = MappingProxyType({
    "chat": 1, "bullets": 1, "raw_schema": 1, "annotated_example": 1, "path_list": 1, "table": 1,
})  # fmt: skip
"""Even by choice: in (c) 8 raw schemas, 5 tables, 4 examples, 4 chats, 3 path lists and 1 of bullets, which an even
share would give or exceed in every fourth draw (chi-square 6.2, 5 degrees of freedom, p = 0.28)."""

THINKING_PERCENT: Final = 50
"""(c): 2 of 4 chats change their mind before they settle."""
