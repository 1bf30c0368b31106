"""What went wrong, in families: the codes of findings grouped by the step at which an answer is lost."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["FAMILIES", "UNEXPLAINED", "Family", "Tally", "family_of", "first_family", "tally"]


@dataclass(frozen=True, slots=True)
class Family:
    """A step at which answers are lost: its name, what it means, the codes (whole, or as a prefix ending in a dot)."""

    name: str
    meaning: str
    codes: tuple[str, ...]


UNEXPLAINED: Final = "unexplained"

# In the order of the way of an answer: a failed one is counted at the first step that lost it.
FAMILIES: Final = (
    Family("data or scorer", "the row cannot be scored, or the scorer failed: no fault of the model",
           ("row.", "scorer.", "schema.broken", "schema.unresolvable_reference", "schema.timeout")),
    Family("transport", "no answer came", ("request.", "response.missing", "answer.missing")),
    Family("truncation", "the answer stops inside an open value or fence", ("response.truncated",)),
    Family("reasoning", "the answer ends inside its reasoning", ("response.reasoning_unclosed",)),
    Family("size", "beyond what can be scored or walked",
           ("response.too_long", "limit.", "json.too_deep", "json.too_long", "json.int_digits", "yaml.too_deep",
            "yaml.too_long", "yaml.expansion", "yaml.work", "number.", "schema.too_deep", "schema.too_large")),
    Family("fence and commentary", "a fence too many, too few or of the wrong kind; words around the data",
           ("fence.", "commentary.")),
    Family("parsing", "no JSON or YAML could be read", ("json.", "yaml.", "reference.crash.", "response.not_text",
           "answer.not_text")),
    Family("structure", "wrapper or number of items", ("wrapper.", "count.")),
    Family("schema", "types, required fields, enums, bounds", ("schema.",)),
    Family("values", "the form is right, values differ from the target", ("field.",)),
    Family("strict", "beyond the official rules", ("strict.",)),
)  # fmt: skip


@dataclass(slots=True)
class Tally:
    """In how many answers each code stands, with a few samples to look at; `first` splits all answers into families.

    `first` has "passed", the family names and "unexplained", and sums to the number of answers that were judged.
    """

    codes: Counter[str] = field(default_factory=Counter)
    examples: dict[str, list[str]] = field(default_factory=dict)
    first: Counter[str] = field(default_factory=Counter)


def family_of(code: str) -> str:
    """Return the family of a code."""
    for family in FAMILIES:
        if code in family.codes:
            return family.name
    for family in FAMILIES:
        if any(code.startswith(known) for known in family.codes if known.endswith(".")):
            return family.name
    return UNEXPLAINED


def first_family(codes: Iterable[str]) -> str:
    """Return the family at which a failed answer was lost first; strict findings explain no official failure."""
    found = {family_of(code) for code in codes}
    order = [family.name for family in FAMILIES if family.name != "strict"]
    return next((name for name in order if name in found), UNEXPLAINED)


def tally(answers: Iterable[tuple[str, bool | None, Sequence[str], str]], examples: int = 3) -> Tally:
    """Return the counts over (doc id, passed, codes, first family); a code counts once an answer."""
    counted = Tally()
    for doc_id, passed, codes, first in answers:
        for code in dict.fromkeys(codes):
            counted.codes[code] += 1
            listed = counted.examples.setdefault(code, [])
            if len(listed) < examples:
                listed.append(doc_id)
        if passed is not None:
            counted.first["passed" if passed else first] += 1
    return counted
