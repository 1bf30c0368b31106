"""How near is a prompt to the test set's prompts? Runs of eight words, and an estimate of the nearest prompt.

Two figures, each with a bound of its own. The share of a prompt's runs of eight words that occur anywhere in the test
set bounds from above what it shares with any one prompt there. The Jaccard index of three-word runs with the nearest
prompt also finds reworded copies; it is estimated from 64 bins by one-permutation MinHash (Li, Owen, Zhang 2012).
"""

from __future__ import annotations

import re
import zlib
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["MAX_JACCARD", "MAX_SHARED", "Nearness", "Overlap"]

MAX_SHARED: Final = 0.0
"""Largest share of a prompt's eight-word runs that may occur in the test set."""

MAX_JACCARD: Final = 0.5
"""Largest estimated Jaccard index with the nearest prompt of the test set."""

_RUN, _SHINGLE = 8, 3
_BINS = 64
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Nearness:
    """The share of eight-word runs found in the test set, and the Jaccard index with the nearest prompt (estimate)."""

    shared: float
    jaccard: float

    @property
    def too_near(self) -> bool:
        """Whether a row with this prompt has to be replaced."""
        return self.shared > MAX_SHARED or self.jaccard > MAX_JACCARD


class Overlap:
    """The prompts to keep away from, as an index; memory grows with their words (some 40 MB for 2,000 prompts)."""

    def __init__(self, prompts: Iterable[str]) -> None:
        self._runs: set[str] = set()
        self._rows: dict[tuple[int, int], list[int]] = {}
        self._filled: list[int] = []
        for number, prompt in enumerate(prompts):
            words = _WORD.findall(prompt.lower())
            self._runs.update(_runs(words, _RUN))
            signature = _signature(words)
            self._filled.append(len(signature))
            for bin_and_value in signature.items():
                self._rows.setdefault(bin_and_value, []).append(number)

    def nearness(self, prompt: str) -> Nearness:
        """Return how near a prompt is; both figures are 0 when nothing was indexed."""
        words = _WORD.findall(prompt.lower())
        runs = list(_runs(words, _RUN))
        shared = sum(run in self._runs for run in runs) / len(runs) if runs else 0.0
        signature = _signature(words)
        matches = Counter(row for pair in signature.items() for row in self._rows.get(pair, ()))
        # a bin that only one of the two fills counts as a difference
        nearest = max((same / max(len(signature), self._filled[row]) for row, same in matches.items()), default=0.0)
        return Nearness(round(shared, 4), round(nearest, 4))


def _runs(words: list[str], length: int) -> Iterator[str]:
    return (" ".join(words[start : start + length]) for start in range(len(words) - length + 1))


def _signature(words: list[str]) -> dict[int, int]:
    """Return the least hash of each bin that is filled; CRC-32, since Python's own hashes change by process."""
    least: dict[int, int] = {}
    for shingle in _runs(words, _SHINGLE):
        value, bin_ = divmod(zlib.crc32(shingle.encode()), _BINS)
        if value < least.get(bin_, 1 << 32):
            least[bin_] = value
    return least
