"""Score a run piece by piece: what a worker is given, what it hands back, and what is kept of it all."""

from __future__ import annotations

import json
from array import array
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from sobench_metrics.errors import UsageError
from sobench_metrics.results.formats import key_of, twice
from sobench_metrics.results.reading import FORMATS
from sobench_metrics.results.rescoring import differing, rescored
from sobench_metrics.results.tally import Tally

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from sobench_metrics.results.formats import Item
    from sobench_metrics.results.records import Run, Sample

__all__ = ["Piece", "Scored", "gathered", "pieces_of", "score_piece", "scored_line"]

_PIECE: Final = 256
_PIECE_CHARACTERS: Final = 1_000_000
_BUCKETS: Final = 64
_NAMED: Final = 1000
"""So many differing samples are remembered by name; the others are counted."""


@dataclass(frozen=True, slots=True)
class Piece:
    """What is left of a few samples once they are scored.

    `keys` and `rows` are `key_of` each sample's and each row's name, eight bytes each; `differs` names samples with
    figures that the log tells otherwise, `compared` counts those of which it tells any. `lines` are JSON, one a sample,
    empty where nobody wants them.
    """

    tally: Tally
    keys: array[int]
    rows: array[int]
    compared: int
    differs: tuple[tuple[str, tuple[str, ...]], ...]
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Scored:
    """A whole run, scored; `differs` names at most the first thousand of `differing` samples."""

    run: Run
    tally: Tally
    compared: int
    differing: int
    differs: tuple[tuple[str, tuple[str, ...]], ...]


def pieces_of(items: Iterable[Item]) -> Iterator[list[Item]]:
    """Yield items in pieces of at most 256 and, unless it is one alone, a million characters."""
    piece: list[Item] = []
    characters = 0
    for item in items:
        length = len(item[1]) if isinstance(item[1], str) else 0
        if piece and (len(piece) >= _PIECE or characters + length > _PIECE_CHARACTERS):
            yield piece
            piece, characters = [], 0
        piece.append(item)
        characters += length
    if piece:
        yield piece


def score_piece(run: Run, context: Any, items: Iterable[Item], *, as_lines: bool = False) -> Piece:
    """Return a scored piece of a run; `context` is what `Format.context` returned. Raises UsageError for no sample."""
    read = FORMATS[run.format].sample
    found = [(item[0], sample) for item in items if (sample := read(run, context, item)) is not None]
    return piece_of(run, found, as_lines=as_lines)


def piece_of(run: Run, found: Iterable[tuple[int, Sample]], *, as_lines: bool = False) -> Piece:
    """Return a piece of samples with their places, 0 for one that has none."""
    both = [(number, logged, rescored(run, logged)) for number, logged in found]
    changed = [(logged.doc_id, names) for _, logged, scored in both if (names := differing(logged, scored))]
    return Piece(
        tally=Tally.of(scored for _, _, scored in both),
        keys=array("Q", (key_of(logged.doc_id) for _, logged, _ in both)),
        rows=array("Q", {key_of(logged.row_id or logged.doc_id) for _, logged, _ in both}),
        compared=sum(bool(logged.means or logged.ratios) for _, logged, _ in both),
        differs=tuple(changed),
        lines=tuple(scored_line(run, number, logged, scored) for number, logged, scored in both) if as_lines else (),
    )


def scored_line(run: Run, number: int, logged: Sample, scored: Sample) -> str:
    """Return what `--out` holds of a sample: figures, (numerator, denominator) pairs, and what explains them."""
    content = {
        "task": run.task,
        "doc_id": scored.doc_id,
        **({"line": number} if number else {}),
        "missing": logged.answer is None,
        "passed": scored.passed,
        "figures": {**scored.means, **{name: list(pair) for name, pair in scored.ratios.items()}},
        "diagnostics": scored.diagnostics,
        **({"differs": list(names)} if (names := differing(logged, scored)) else {}),
    }
    return json.dumps(content)


def gathered(
    run: Run,
    context: Any,
    pieces: Iterable[Piece],
    *,
    write: Callable[[str], object] | None = None,
    allow_repeats: bool = False,
) -> Scored:
    """Return the whole of a run's pieces, rows without an answer included; `write` is given every line.

    Holds eight bytes of a sample. Raises UsageError for a sample that is there twice unless `allow_repeats`.
    """
    tally, compared, changed = Tally(), 0, 0
    named: list[tuple[str, tuple[str, ...]]] = []
    keys: dict[int, array[int]] = defaultdict(lambda: array("Q"))
    rows: set[int] = set()
    for piece in _with_absent(run, context, pieces, rows, as_lines=write is not None):
        tally += piece.tally
        compared += piece.compared
        changed += len(piece.differs)
        named += piece.differs[: _NAMED - len(named)]
        if _asks_for_rows(run):
            rows.update(piece.rows)  # of a benchmark: a few thousand, whatever the number of samples
        if not allow_repeats:
            for key in piece.keys:
                keys[key % _BUCKETS].append(key)
        for line in piece.lines:
            if write is not None:
                write(line + "\n")
    if any(len(set(bucket)) < len(bucket) for bucket in keys.values()):
        _tell_twice(run, context)
    if not tally.samples:
        raise UsageError(f"{run.log} holds no samples: name a run that has answers.")
    return Scored(run, tally, compared, changed, tuple(named))


def _asks_for_rows(run: Run) -> bool:
    return run.format == "predictions" and bool(run.rows.task or run.rows.file)


def _with_absent(run: Run, context: Any, pieces: Iterable[Piece], rows: set[int], *, as_lines: bool) -> Iterator[Piece]:
    yield from pieces
    for sample in FORMATS[run.format].absent(context, rows):
        yield piece_of(run, [(0, sample)], as_lines=as_lines)


def _tell_twice(run: Run, context: Any) -> None:
    """Raise UsageError that names both places; two names of one key, one in many billions, are let pass."""
    places: dict[str, int] = {}
    read = FORMATS[run.format].sample
    for item in FORMATS[run.format].items(run):
        sample = read(run, context, item)
        if sample is not None:
            first = places.setdefault(sample.doc_id, item[0])
            if first != item[0]:
                raise twice(run, sample.doc_id, first, item[0])
