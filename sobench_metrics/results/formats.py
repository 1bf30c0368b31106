"""What a reader of one kind of log offers, and the one way in which all of them are read in turn."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sobench_metrics.data.plain_words import one_line
from sobench_metrics.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator

    from sobench_metrics.results.records import Run, Sample

__all__ = ["Format", "Item", "key_of", "samples_of", "twice"]

Item = tuple[int, Any]
"""Where in the log a sample stands (line or row, from 1), and what stands there, cheap to make and to hand on."""


def _nothing(_run: Run) -> None:
    return None


def _none_absent(_context: Any, _seen: Container[int]) -> Iterator[Sample]:
    return iter(())


@dataclass(frozen=True, slots=True)
class Format:
    """A reader in parts, so that the costly one can be done elsewhere.

    `items` yields the run's items one by one. `context` is what `sample` needs of the run beside an item; `sample`
    depends on nothing else and gives None for an item that is passed over. `absent` yields the rows without an item as
    missing answers, given `key_of` of every row that has one; None where the log alone says what was asked.
    """

    items: Callable[[Run], Iterator[Item]]
    sample: Callable[[Run, Any, Item], Sample | None]
    context: Callable[[Run], Any] = _nothing
    absent: Callable[[Any, Container[int]], Iterator[Sample]] = _none_absent


def key_of(name: str) -> int:
    """Return the name as eight bytes: what is remembered of each of a million."""
    return int.from_bytes(hashlib.blake2b(name.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")


def samples_of(run: Run, format_: Format) -> Iterator[Sample]:
    """Yield the samples of a run, one in memory at a time, missing answers last.

    Raises UsageError for what is no sample, and for one that is there twice.
    """
    context = format_.context(run)
    places: dict[int, int] = {}
    rows: set[int] = set()
    for item in format_.items(run):
        sample = format_.sample(run, context, item)
        if sample is None:
            continue
        first = places.setdefault(key_of(sample.doc_id), item[0])
        if first != item[0]:
            raise twice(run, sample.doc_id, first, item[0])
        rows.add(key_of(sample.row_id or sample.doc_id))
        yield sample
    yield from format_.absent(context, rows)


def twice(run: Run, doc_id: str, first: int, again: int) -> UsageError:
    """Return the error for a sample that two places of a log answer."""
    return UsageError(
        f"{run.log}, line {again}: sample {one_line(doc_id)} is there twice, first in line {first}: keep one of them, "
        "or tell samples of one row apart by a `rollout` number."
    )
