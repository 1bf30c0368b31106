"""Which revision of OmniDocBench the labels speak of: proven by what its pages say, never guessed.

Labels name a page by its place among the pages kept after a language filter, so every revision answers and a wrong
one gives wrong pages with no error. The pages carry their text, and so do the labels: only on the right pages do the
two agree. All functions are pure, over the decoded `OmniDocBench.json` of each candidate.
"""

from __future__ import annotations

import html
import re
import unicodedata
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

__all__ = [
    "ENOUGH_TEXTS",
    "FLOOR",
    "LEAD",
    "LEAF_CHARACTERS",
    "Candidate",
    "Claim",
    "Figures",
    "Page",
    "Verdict",
    "candidate",
    "choose",
    "claim",
    "confirm",
    "kept_pages",
    "plain",
]

LEAF_CHARACTERS = 4
"""Shorter texts ("yes", "USD", "12") stand on any page and prove nothing."""

ENOUGH_TEXTS = 12
"""Fewer texts could agree by luck: if each stands on a wrong page with a chance of 0.1, four of twelve (the floor)
do so in 3 of 100 cases, and the more texts, the rarer."""

FLOOR = 0.3
"""The least mean share of a label's texts found on its page.

Right pages reach well over half (what is missing was reworded, or drawn inside a figure, which the pages' text leaves
out). Wrong pages stay near a tenth, by years, names of months, words of the trade: measured were 0.02 for labels of
the bundled sample set on each other's pages, 0.14 for phrases of one to three words on another text of their kind.
"""

LEAD = 0.2
"""By how much the winner's mean share must exceed a rival's, over the labels for which the two differ.

Only those labels are counted: two revisions may share most pages, and an average over all would hide the difference.
"""

_EXCLUDED_LANGUAGES = ("chinese", "en_ch_mixed")
_TEXT_KEYS = frozenset({"text", "html", "latex"})
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_COMMAND = re.compile(r"\\[a-zA-Z]+")


@dataclass(frozen=True, slots=True)
class Page:
    """A kept page: its picture's file name (None when the entry has none) and its text in `plain` form."""

    image: str | None
    text: str


@dataclass(frozen=True, slots=True)
class Claim:
    """What one label says: the place of its page, and the texts in `plain` form that should stand there."""

    index: int
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A revision: how many pages it keeps, the claimed ones by place, and the content id of each picture by name."""

    name: str
    count: int
    pages: Mapping[int, Page]
    content: Mapping[str, str] = field(default_factory=dict)

    def pictures(self) -> tuple[tuple[int, str | None, str | None], ...]:
        """Return place, name and content id of each claimed page: equal for two candidates that give equal pixels."""
        return tuple(
            (index, page.image, self.content.get(page.image or "")) for index, page in sorted(self.pages.items())
        )


@dataclass(frozen=True, slots=True)
class Figures:
    """What was measured of one candidate; `agreement` is None when it has too few pages or the labels no text."""

    name: str
    pages: int
    highest_index: int
    agreement: float | None
    same_as: str | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """The name of the candidate that is proven, or None; `reason` is half a sentence; `texts` were compared."""

    winner: str | None
    reason: str
    texts: int
    figures: tuple[Figures, ...]


def kept_pages(entries: Any) -> list[Mapping[str, Any]]:
    """Return the entries that upstream's script numbers, in file order.

    An entry is dropped when its page language contains one of the excluded names; one that states no language stays.
    Raises ValueError when this is no list of objects.
    """
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise ValueError("not a list of pages")
    return [entry for entry in entries if not any(name in _language(entry) for name in _EXCLUDED_LANGUAGES)]


def _language(entry: Mapping[str, Any]) -> str:
    info = entry.get("page_info")
    attribute = info.get("page_attribute") if isinstance(info, dict) else None
    language = attribute.get("language") if isinstance(attribute, dict) else None
    return language.lower() if isinstance(language, str) else ""


def candidate(name: str, entries: Any, indices: Sequence[int], content: Mapping[str, str]) -> Candidate:
    """Return the candidate with the pages at `indices`, as far as it has them; raises ValueError as `kept_pages`."""
    kept = kept_pages(entries)
    return Candidate(name, len(kept), {index: _page(kept[index]) for index in indices if index < len(kept)}, content)


def _page(entry: Mapping[str, Any]) -> Page:
    info = entry.get("page_info")
    image = info.get("image_path") if isinstance(info, dict) else None
    return Page(
        image if isinstance(image, str) and image else None,
        "".join(plain(text) for text in _page_texts(entry.get("layout_dets"))),
    )


def _page_texts(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, member in value.items():
            if isinstance(member, str):
                if key in _TEXT_KEYS:
                    yield member
            else:
                yield from _page_texts(member)
    elif isinstance(value, list):
        for member in value:
            yield from _page_texts(member)


def claim(index: int, target: Any) -> Claim:
    """Return what a label's output claims of the page at `index`."""
    texts = (plain(text) for text in _strings(target))
    return Claim(index, tuple(text for text in texts if len(text) >= LEAF_CHARACTERS))


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, list)):
        for member in value.values() if isinstance(value, dict) else value:
            yield from _strings(member)


def plain(text: str) -> str:
    """Return the letters and digits of a text, case folded; markup, space and punctuation no two writers set alike."""
    bare = _COMMAND.sub(" ", _TAG.sub(" ", html.unescape(text)))
    return "".join(sign for sign in unicodedata.normalize("NFKC", bare).casefold() if sign.isalnum())


def choose(candidates: Sequence[Candidate], claims: Sequence[Claim]) -> Verdict:
    """Return which candidate the claims prove; no winner when two fit alike or too little speaks for one.

    Candidates with the same pictures for all claims are one; the first of them stands for it.
    """
    texts = sum(len(each.texts) for each in claims)
    figures, rivals = _measured(candidates, claims)
    ranked = sorted(rivals, key=lambda rival: -(_agreement(rival, claims) or 0.0))
    if not ranked:
        return Verdict(None, "no revision has as many pages as the labels count", texts, figures)
    leader = ranked[0]
    doubt = _doubt(leader, claims) or next(filter(None, (_contest(leader, rival, claims) for rival in ranked[1:])), "")
    return Verdict(None if doubt else leader.name, doubt or "the labels' texts stand on its pages", texts, figures)


def confirm(chosen: Candidate, claims: Sequence[Claim], others: Sequence[Candidate] = ()) -> Verdict:
    """Return whether the claims allow the one revision that the user chose.

    Too few pages rule it out, and so does another revision that leads it clearly. Little agreement rules it out when
    there is no other to compare with; else, as with too few texts, the choice is the user's, and the reason says so.
    """
    texts = sum(len(each.texts) for each in claims)
    figures, fitting = _measured([chosen, *others], claims)
    if chosen not in fitting:
        return Verdict(None, "it has fewer pages than the labels count", texts, figures)
    if texts < ENOUGH_TEXTS:
        return Verdict(chosen.name, f"chosen by the user; {texts} texts are too few to prove it", texts, figures)
    better = next((rival for rival in fitting if rival is not chosen and not _contest(rival, chosen, claims)), None)
    if better is not None:
        return Verdict(None, f"{better.name} fits the labels clearly better", texts, figures)
    doubt = _doubt(chosen, claims)
    if not doubt:
        return Verdict(chosen.name, "the labels' texts stand on its pages", texts, figures)
    if not others:
        return Verdict(None, doubt, texts, figures)
    return Verdict(chosen.name, f"chosen by the user; {doubt}, but no other fits clearly better", texts, figures)


def _measured(candidates: Sequence[Candidate], claims: Sequence[Claim]) -> tuple[tuple[Figures, ...], list[Candidate]]:
    highest = max((each.index for each in claims), default=-1)
    figures: list[Figures] = []
    rivals: list[Candidate] = []
    for each in candidates:
        fits = highest < each.count
        twin = next((rival for rival in rivals if fits and rival.pictures() == each.pictures()), None)
        agreement = _agreement(each, claims) if fits else None
        figures.append(Figures(each.name, each.count, highest, agreement, twin.name if twin else None))
        if fits and twin is None:
            rivals.append(each)
    return tuple(figures), rivals


def _doubt(leader: Candidate, claims: Sequence[Claim]) -> str:
    texts = sum(len(each.texts) for each in claims)
    if texts < ENOUGH_TEXTS:
        return f"the labels hold {texts} texts to compare, {ENOUGH_TEXTS} are needed"
    if (agreement := _agreement(leader, claims) or 0.0) < FLOOR:
        return f"only {agreement:.2f} of a label's texts stand on its page, {FLOOR} are needed"
    return ""


def _contest(leader: Candidate, rival: Candidate, claims: Sequence[Claim]) -> str:
    telling = [each for each in claims if leader.pages[each.index].text != rival.pages[each.index].text]
    if sum(len(each.texts) for each in telling) < ENOUGH_TEXTS:
        return f"{leader.name} and {rival.name} say the same on nearly all pages, with other pictures"
    ahead, behind = _agreement(leader, telling) or 0.0, _agreement(rival, telling) or 0.0
    if ahead - behind < LEAD:
        return f"{leader.name} leads {rival.name} by {ahead - behind:.2f} only, {LEAD} are needed"
    return ""


def _agreement(each: Candidate, claims: Sequence[Claim]) -> float | None:
    shares = [
        sum(text in each.pages[one.index].text for text in one.texts) / len(one.texts) for one in claims if one.texts
    ]
    return sum(shares) / len(shares) if shares else None
