"""The comparison of an answer with its target under labels: official and strict counts and field verdicts in one walk.

Official: the released scorer's, bit for bit (reference rule B2).

Strict, by the paper's definitions, with precision beside recall:

1. Every labelled node of the target is a field: leaves, lists and mappings, also where the answer lacks the key, has
   a list of another length or a value of another kind. Items are compared position by position.
2. A mapping or list with parts counts when one of its parts does; the parts are those that the reference would look at
   (a key of a mapping has the label "exact" when the label mapping does not name it).
3. An empty mapping or list counts under a meaningful label, and under an empty label of its own kind: `[]` labels `[]`,
   `{}` labels `{}`. The reference takes such a label for "ignore"; anywhere else it is that here, too.
4. A mapping matches when all its counting parts match, a list when its length is right besides. A part that does not
   count spoils nothing.
5. Booleans are not numbers, null matches null, NaN matches NaN; texts and numbers match as officially (rule B4). An
   integer beyond the range of floats matches only itself.
6. A predicted field is a node of the answer at a place that is not ignored; those without a field of the target at
   their place are extra: further keys and items with all that is in them, and what is inside a value of another kind.
7. An invalid or missing answer has nothing matched and nothing predicted; all fields of the target stay.

Where the reference stops looking (missing key, wrong length, other kind) the walk goes on without the official tally.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from sobench_metrics.findings import Finding
from sobench_metrics.json_schema.stack import run_nested
from sobench_metrics.sobench.counts import FieldCounts, StrictCounts, Tally
from sobench_metrics.sobench.field_verdicts import (
    FieldVerdict,
    Outcome,
    VerdictList,
    child_path,
    cut,
    kind_of,
    label_text,
    shown,
)
from sobench_metrics.sobench.labels import EXACT, FUZZY, IGNORE, Labels, key_label
from sobench_metrics.sobench.text_rules import is_number, numbers_match, texts_match

if TYPE_CHECKING:
    from collections.abc import Generator

__all__ = ["BEYOND_FLOAT", "MISSING", "Comparison", "compare"]

MISSING: Final = object()
"""Stands for the part that an answer does not have."""

BEYOND_FLOAT: Final = "number.beyond_float"
"""Code of the finding that an integer is too big for the reference's comparison, which fails there (rule B6)."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """`official` is None for an answer that is missing; `overflow` says that the reference fails on a number."""

    official: FieldCounts | None
    strict: StrictCounts
    fields: tuple[FieldVerdict, ...]
    overflow: Finding | None


class _Node(NamedTuple):
    """One place: the answer's part or MISSING, the target's part, its label, and the path to it."""

    answer: Any
    target: Any
    label: Any
    path: str


class _Result(NamedTuple):
    """What a parent needs to know of a part, officially and strictly."""

    official_match: bool
    meaningful: bool
    match: bool
    counts: bool


_IGNORED = _Result(official_match=True, meaningful=False, match=True, counts=False)


def compare(answer: Any, target: Any, labels: Any) -> Comparison:
    """Compare a decoded answer, or MISSING, with its decoded target under decoded labels. Never raises."""
    walk = _Walk(answered=answer is not MISSING)
    tally = Tally() if answer is not MISSING else None
    part = walk.part(_Node(answer, target, labels, ""), tally)
    if not isinstance(part, _Result):
        run_nested(part)
    return Comparison(
        tally.official() if tally else None,
        walk.strict.strict(answered=answer is not MISSING),
        walk.verdicts.finished(),
        walk.overflow,
    )


class _Walk:
    """One walk; the official tally that the methods take is None where the reference does not look."""

    def __init__(self, *, answered: bool) -> None:
        self.strict = Tally()
        self.verdicts = VerdictList()
        self.overflow: Finding | None = None
        self._labels = Labels()
        self._absence = "not in the answer" if answered else "no valid answer"

    def part(self, node: _Node, tally: Tally | None) -> _Result | Generator[Any, Any, _Result]:
        """Return the result for a leaf or an ignored place, for a container the walk that gives it."""
        if isinstance(node.label, str) and node.label == IGNORE:
            return self._ignored(node)
        if isinstance(node.target, dict):
            return self._mapping(node, tally)
        if isinstance(node.target, list):
            return self._list(node, tally)
        return self._leaf(node, tally)

    # --- leaves ------------------------------------------------------------------------------------------------------

    def _leaf(self, node: _Node, tally: Tally | None) -> _Result:
        kind = kind_of(node.target)
        match = _leaf_match(node)
        if tally:
            tally.total += 1
            if match.beyond_float:
                message = "an integer beyond the range of floats, on which the reference fails"
                self.overflow = self.overflow or Finding(BEYOND_FLOAT, node.path, message)
            elif match.official:
                _count_official(tally, kind)
        self.strict.total += 1
        if match.strict:
            _count_strict(self.strict, kind)
        self._count_predicted(node, inside=True)
        self._judge(self.verdicts.reserve(), node, match=match.strict)
        return _Result(match.official, meaningful=True, match=match.strict, counts=True)

    # --- containers --------------------------------------------------------------------------------------------------

    def _mapping(self, node: _Node, tally: Tally | None) -> Generator[Any, Any, _Result]:
        place = self.verdicts.reserve()
        is_mapping = isinstance(node.answer, dict)
        given: dict[str, Any] = node.answer if is_mapping else {}
        parts = yield self._parts(node, given, tally if is_mapping else None)
        official = (False, True)
        if tally:
            tally.total += 1
            if is_mapping:
                official = _official_mapping(parts, tally)
        counts, match = self._finish(place, node, parts, fits=is_mapping)
        for key, value in given.items():
            if key not in node.target:
                self._extra(value, key_label(node.label, key), node.path, key)
        return _Result(*official, match, counts)

    def _list(self, node: _Node, tally: Tally | None) -> Generator[Any, Any, _Result]:
        skipped = self._labels.meaningless(node.label)
        if skipped and not self._labels.names_empty(node.label, node.target):
            self._ignored(node)
            return _Result(*_official_skipped_list(node.answer, tally), match=True, counts=False)
        place = self.verdicts.reserve()
        given: list[Any] = node.answer if isinstance(node.answer, list) else []
        same_length = isinstance(node.answer, list) and len(given) == len(node.target)
        parts = yield self._parts(node, given, tally if same_length and not skipped else None)
        if skipped:
            official = _official_skipped_list(node.answer, tally)
        else:
            official = (False, True)
            if tally:
                tally.total += 1
                if same_length:
                    official = _official_list(parts, tally)
        counts, match = self._finish(place, node, parts, fits=same_length)
        labelled_one_by_one = isinstance(node.label, list) and len(node.label) == len(node.target)
        for index in range(len(node.target), len(given)):
            self._extra(given[index], EXACT if labelled_one_by_one else node.label, node.path, index)
        return _Result(*official, match, counts)

    def _parts(self, node: _Node, given: Any, tally: Tally | None) -> Generator[Any, Any, _Parts]:
        """Compare all parts of a container with those given; `tally` is None when the reference sees none of them."""
        parts = _Parts()
        for child in self._labels.children(node.target, node.label):
            there = child.key in given if isinstance(given, dict) else child.key < len(given)
            answer = given[child.key] if there else MISSING
            inner = _Node(answer, child.value, child.label, child_path(node.path, child.key))
            looked_at = child.official and there and tally is not None
            if child.strict or looked_at:
                result = self.part(inner, tally if looked_at else None)
                if not isinstance(result, _Result):
                    result = yield result
            else:
                result = self._ignored(inner)
            if child.official:
                parts.looked_at += 1
                parts.meaningful += there and result.meaningful
                parts.officially_matched += there and result.official_match
            if result.counts:
                parts.counting += 1
                parts.failing += not result.match
        return parts

    def _finish(self, place: int | None, node: _Node, parts: _Parts, *, fits: bool) -> tuple[bool, bool]:
        """Count a container strictly, say what became of it, and return (counts, match).

        `fits` says that the answer has a container of this kind, a list one of this length.
        """
        counts = parts.counting > 0 or (not node.target and self._labels.empty_counts(node.label, node.target))
        if not counts:
            self._say(place, node, "ignored", "nothing in it counts")
            return False, False
        kind = kind_of(node.target)
        match = fits and parts.failing == 0
        self.strict.total += 1
        if match:
            _count_strict(self.strict, kind)
        self._count_predicted(node, inside=kind_of(node.answer) != kind)
        self._judge(place, node, match=match, difference=_difference(node, parts))
        return True, match

    # --- places without a field --------------------------------------------------------------------------------------

    def _ignored(self, node: _Node) -> _Result:
        self._say(self.verdicts.reserve(), node, "ignored")
        return _IGNORED

    def _extra(self, answer: Any, label: Any, path: str, key: Any) -> None:
        """Count a key or item that the target lacks, with all that is in it, unless its label is meaningless."""
        number = 0 if self._labels.meaningless(label) else self._labels.count(answer, label)
        if not number:
            return
        self.strict.predicted += number
        self.strict.extra += number
        place = self.verdicts.reserve()
        if place is not None:
            node = _Node(answer, answer, label, child_path(path, key))
            self._say(place, node, "extra", f"not in the target: {shown(answer)}")

    # --- counting and telling ----------------------------------------------------------------------------------------

    def _count_predicted(self, node: _Node, *, inside: bool) -> None:
        """Count the answer's node at a field's place; with `inside` what it holds is extra, else it is compared."""
        if node.answer is MISSING:
            return
        more = 0
        if inside and isinstance(node.answer, (dict, list)):
            more = max(0, self._labels.count(node.answer, node.label) - 1)
        self.strict.predicted += 1 + more
        self.strict.extra += more

    def _judge(self, place: int | None, node: _Node, *, match: bool, difference: str = "") -> None:
        """Tell what became of a field that counts."""
        if place is None:
            return
        if match:
            self._say(place, node, "match")
        elif node.answer is MISSING:
            self._say(place, node, "missing", self._absence)
        elif kind_of(node.answer) != kind_of(node.target):
            self._say(place, node, "wrong_kind", f"expected {shown(node.target)}, got {shown(node.answer)}")
        else:
            reason = difference or f"expected {shown(node.target)}, got {shown(node.answer)}"
            self._say(place, node, "mismatch", reason)

    def _say(self, place: int | None, node: _Node, outcome: Outcome, reason: str = "") -> None:
        verdict = FieldVerdict(node.path, label_text(node.label), kind_of(node.target), outcome, cut(reason))
        self.verdicts.put(place, verdict)


# --- rules -----------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Parts:
    """Sums over the parts of a container: the first three as the reference sees them, then the strict ones."""

    looked_at: int = 0
    meaningful: int = 0
    officially_matched: int = 0
    counting: int = 0
    failing: int = 0


def _difference(node: _Node, parts: _Parts) -> str:
    """Return in words how a container of the right kind differs."""
    if isinstance(node.target, list) and isinstance(node.answer, list) and len(node.answer) != len(node.target):
        return f"expected {len(node.target)} items, got {len(node.answer)}"
    return f"{parts.failing} of its {parts.counting} parts do not match"


def _official_mapping(parts: _Parts, tally: Tally) -> tuple[bool, bool]:
    """Return (match, meaningful) of a mapping whose parts were compared: partly right is right (rule B2.7)."""
    if not parts.looked_at:
        tally.total -= 1
        return False, False
    if parts.officially_matched == parts.looked_at:
        tally.dicts += 1
    return parts.officially_matched > 0, True


def _official_list(parts: _Parts, tally: Tally) -> tuple[bool, bool]:
    """Return (match, meaningful) of a list whose items were compared (rule B2.6)."""
    if not parts.meaningful:
        tally.total -= 1
        return False, False
    matched = parts.officially_matched == parts.looked_at
    tally.lists += matched
    return matched, True


def _official_skipped_list(answer: Any, tally: Tally | None) -> tuple[bool, bool]:
    """Return (match, meaningful) of a list under a meaningless label: a field only if no list is given (rule B2.6)."""
    if isinstance(answer, list):
        return False, False
    if tally:
        tally.total += 1
    return False, True


class _LeafMatch(NamedTuple):
    official: bool
    strict: bool
    beyond_float: bool = False


def _leaf_match(node: _Node) -> _LeafMatch:
    """Compare an answer's value with a leaf of the target (rules B2.3 to B2.5 and B2.8, strict rule 5)."""
    answer, target = node.answer, node.target
    fuzzy = isinstance(node.label, str) and node.label == FUZZY
    if target is None:
        return _LeafMatch(answer is None, answer is None)
    if isinstance(target, str):
        match = isinstance(answer, str) and texts_match(answer, target, fuzzy=fuzzy)
        return _LeafMatch(match, match)
    if not is_number(answer):
        return _LeafMatch(official=False, strict=False)
    try:
        match, beyond_float = numbers_match(answer, target, fuzzy=fuzzy), False
    except OverflowError:
        match, beyond_float = answer == target, True
    if isinstance(answer, bool) or isinstance(target, bool):
        return _LeafMatch(match, answer is target, beyond_float)
    both_nan = answer != answer and target != target  # noqa: PLR0124  # true of NaN only
    return _LeafMatch(match and not beyond_float, match or both_nan, beyond_float)


def _count_official(tally: Tally, kind: str) -> None:
    """Add a matched leaf to its counter: null counts as text, a boolean as a number (rules B2.3 and B2.5)."""
    if kind in ("number", "boolean"):
        tally.numbers += 1
    else:
        tally.strings += 1


def _count_strict(tally: Tally, kind: str) -> None:
    counter = f"{kind}s"
    setattr(tally, counter, getattr(tally, counter) + 1)
