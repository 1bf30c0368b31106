"""One small case a shape of JSON Schema: values that hold, and values that break this one rule only.

The names are those of `sobench_metrics.constrained.shapes`; behind a slash stands a further case of the same shape.
What is named "note/..." is no shape of its own.
"""

from __future__ import annotations

from typing import Final

from benchmarks.grammar_case import Case
from benchmarks.grammar_structures import BRANCHES, OBJECTS, REFERENCES, WORDS
from benchmarks.grammar_values import ARRAYS, NUMBERS, STRINGS, TYPES

__all__ = ["CASES", "Case"]

CASES: Final[dict[str, Case]] = {**TYPES, **STRINGS, **NUMBERS, **ARRAYS, **OBJECTS, **BRANCHES, **REFERENCES, **WORDS}
