"""In which way a prompt of IFStruct shows the fields it wants, read off its text: six ways, by their outward signs."""

from __future__ import annotations

import re
from typing import Final, Literal

__all__ = ["Presentation", "presentation_of"]

Presentation = Literal["raw schema", "table", "annotated example", "path list", "bullets", "chat"]

_ENOUGH: Final = 3
"""So many lines of one kind are a layout; fewer are an example in running text."""

_MOST_LINES: Final = 5_000
_START: Final = 200  # characters of a line that are looked at
_SCHEMA_WORDS: Final = (re.compile(r"[\"']?properties[\"']?\s*:"), re.compile(r"[\"']?type[\"']?\s*:\s*[\"']?object\b"))
_ENDS: Final = "[:(=\u2013\u2014-]"  # what stands between a field and what is said of it
_LINES: Final[tuple[tuple[Presentation, re.Pattern[str]], ...]] = (
    # in this order: a table may hold paths, an example bullets, and a bullet may begin with a path
    ("table", re.compile(r"\s*\|")),
    ("bullets", re.compile(rf"\s*(?:[-*\u2022]|\d+[.)])\s+[`*]*[\w\[][\w .\[\]/]*[`*]*\s*(?:{_ENDS}|$)")),
    ("annotated example", re.compile(r"\s*(?:- )?[\"'][^\"']+[\"']\s*:")),
    ("path list", re.compile(r"\s*`?[A-Za-z_][\w.\[\]]*`?\s*(?:[:(=|]|->|[\u2013\u2014])")),
)


def presentation_of(prompt: str) -> Presentation:
    """Return how a prompt shows its fields; "chat" where no layout is seen, which is prose of any kind."""
    lines = [line[:_START] for line in prompt[: _MOST_LINES * _START].split("\n", _MOST_LINES)]
    text = "\n".join(lines)
    if all(sign.search(text) for sign in _SCHEMA_WORDS):
        return "raw schema"
    for name, start in _LINES:
        if sum(1 for line in lines if start.match(line)) >= _ENOUGH:
            return name
    return "chat"
