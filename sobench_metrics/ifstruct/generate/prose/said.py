"""One field in a half sentence: kind, limits, remark in parentheses."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from sobench_metrics.ifstruct.generate.field_lines import FieldLine, field_lines
from sobench_metrics.ifstruct.generate.phrases import Dialect, limit_words

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from sobench_metrics.ifstruct.generate.schema_sampling import Schema

__all__ = ["KIND_WORDS", "Speech", "choices", "sample_speech", "tokens"]

KIND_WORDS: Final = {
    "string": ("a string", "text", "a string"),
    "integer": ("an integer", "a whole number", "an integer"),
    "number": ("a number", "a number", "a number, decimals allowed"),
    "boolean": ("a boolean", "true or false", "a boolean"),
    "object": ("an object", "an object", "an object of its own"),
    "object list": ("a list of objects", "an array of objects", "a list of objects"),
    "string list": ("a list of strings", "an array of strings", "a list of strings"),
}
"""Each kind with its article, in three ways of speaking."""

_SPOKEN_SPANS = (0, 2, 3)  # between, from-to, min-max
_SPOKEN_LEAVES = (0, 1)
_LAST = (" or ", ", or ", ", ")


@dataclass(frozen=True, slots=True)
class Speech:
    """One person's way of speaking about fields, over the words that all styles share."""

    words: int
    last: int
    dialect: Dialect

    def said(self, line: FieldLine) -> str:
        """Return kind, limits and remark of a field: `an integer, between 1 and 4 (months of stay)`."""
        remark = line.schema.get("description")
        if remark and remark[1:2].islower():  # not an acronym
            remark = remark[0].lower() + remark[1:]
        return self.bare(line) + (f" ({remark})" if remark else "")

    def bare(self, line: FieldLine) -> str:
        """Return kind and limits of a field."""
        parts = [KIND_WORDS[line.kind][self.words]]
        if "enum" in line.schema:
            parts.append(self.one_of(line.schema["enum"]))
        plain = {word: value for word, value in line.schema.items() if word != "enum"}
        return ", ".join([*parts, *limit_words(replace(line, schema=plain), self.dialect)])

    def one_of(self, values: Sequence[str | float]) -> str:
        """Return the choices of an enum."""
        return "one of " + choices(values, _LAST[self.last])


def choices(values: Sequence[str | float], last: str = " or ") -> str:
    """Return values as people list them, texts in single quotes."""
    words = [f"'{value}'" if isinstance(value, str) else json.dumps(value) for value in values]
    if len(words) <= 2:
        return " or ".join(words)
    return ", ".join(words[:-1]) + last + words[-1]


def sample_speech(rng: Random) -> Speech:
    """Return a drawn way of speaking."""
    dialect = Dialect(0, rng.choice(_SPOKEN_SPANS), 0, rng.randrange(3), rng.choice(_SPOKEN_LEAVES))
    return Speech(rng.randrange(3), rng.randrange(len(_LAST)), dialect)


def tokens(item: Schema) -> dict[str, FieldLine]:
    """Return the fields by what they are called in sentences: the name, or the path where a name occurs twice."""
    lines = list(field_lines(item))
    often = Counter(line.name for line in lines)
    return {line.name if often[line.name] == 1 else line.path: line for line in lines}
