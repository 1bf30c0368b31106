"""Read a list of paths back."""

from __future__ import annotations

import re

from sobench_metrics.ifstruct.generate.field_lines import item_of
from sobench_metrics.ifstruct.generate.parse_back.read_back import ReadBack
from sobench_metrics.ifstruct.generate.phrases import kind_of, read_field

__all__ = ["read_path_list"]

_PATH = r"(?P<path>\w+(?:\[\])?(?:\.\w+(?:\[\])?)*)"
_HANDS = (
    re.compile(rf"`{_PATH}`: (?P<kind>.+?)(?: \[(?P<limits>(?!\]).*?)\])?(?: // (?P<remark>.*))?"),
    re.compile(rf"{_PATH} -> (?P<kind>[^;]+?)(?:; (?P<limits>.*?))?(?: -- (?P<remark>.*))?"),
    re.compile(rf"{_PATH} <(?P<kind>[^;>]+)(?:; (?P<limits>.*?))?>(?:  # (?P<remark>.*))?"),
)


def read_path_list(prompt: str) -> ReadBack:
    """Return what the lines of paths in the prompt say; ValueError when a line of them cannot be read."""
    found = []
    for line in prompt.split("\n"):
        matches = [match for hand in _HANDS if (match := hand.fullmatch(line.strip()))]
        if matches and kind_of(matches[0]["kind"]):
            match = matches[0]
            limits = match["limits"].split("; ") if match["limits"] else []
            found.append((match["path"], read_field(match["kind"], limits, match["remark"] or "")))
    if not found:
        raise ValueError("no line of a path was found")
    return ReadBack(item_of(found))
