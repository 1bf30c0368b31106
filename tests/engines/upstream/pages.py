"""A document benchmark in three revisions: pages come, change places and are drawn anew, so a number names another page.

Every revision holds pages to be dropped for their language, pages that say nothing of it, and one without page_info:
a reader that counts in any other way than upstream's ends one page off.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tests.engines.upstream import pictures
from tests.engines.upstream.labels import sentence, word

if TYPE_CHECKING:
    from random import Random

__all__ = ["DATES", "Page", "Revision", "kept", "revisions"]

DATES = {  # of the commit that brings each, and of an edit of the card that follows
    "v1.0": ("2024-12-10T08:30:00.000Z", "2025-03-01T00:00:00.000Z"),
    "v1.5": ("2025-09-25T09:10:11.000Z", "2025-10-01T00:00:00.000Z"),
    "v1.6": ("2026-04-09T07:00:00.000Z", "2026-05-01T00:00:00.000Z"),
}
_FOREIGN = ("simplified_chinese", "Traditional_Chinese", "en_ch_mixed", "EN_CH_MIXED")
_KINDS = ("turned", "hidden", "big", "palette", "grey_alpha", "jpeg", "comment", "png", "cmyk")
_COUNTS = {"v1.0": (10, 4), "v1.5": (16, 6), "v1.6": (22, 7)}  # pages kept, pages dropped


@dataclass(frozen=True)
class Page:
    """One entry of OmniDocBench.json and the picture that it names ("" when it names none)."""

    entry: dict[str, Any]
    file: str
    image: bytes
    heading: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Revision:
    """The pages of one revision in file order."""

    pages: tuple[Page, ...]

    def metadata(self) -> bytes:
        """Return OmniDocBench.json."""
        return json.dumps([page.entry for page in self.pages], ensure_ascii=False).encode()


def kept(revision: Revision) -> list[Page]:
    """Return the pages that upstream counts, in order: the index of a label is a position in this list."""
    return [page for page in revision.pages if not _is_foreign(page.entry)]


def revisions(rng: Random, *, huge: bool = False) -> dict[str, Revision]:
    """Return the three revisions by version."""
    most = _COUNTS["v1.6"][0]
    ours = [
        _page(rng, number, _KINDS[number % len(_KINDS)], "english", huge=huge and number == 5) for number in range(most)
    ]
    ours[6], ours[7] = _silent(ours[6], "language"), _silent(ours[7], "page_attribute")
    bare = Page({"layout_dets": [], "extra": {"relation": []}}, "", b"", "", ())
    foreign = [_page(rng, 100 + number, "jpeg", _FOREIGN[number % 4]) for number in range(_COUNTS["v1.6"][1])]
    anew = {3: _page(rng, 3, "jpeg", "english")}  # newspapers were drawn again at another resolution
    found: dict[str, Revision] = {}
    for version, (count, dropped) in _COUNTS.items():
        pages = (
            list(ours[:count])
            if version == "v1.0"
            else [_redrawn(page, anew.get(n)) for n, page in enumerate(ours[:count])]
        )
        earlier = [kept(revision) for revision in found.values()]
        while True:
            rng.shuffle(pages)
            order = [*pages[:4], bare, *pages[4:]]
            if all(mine.file != theirs.file or not mine.file for old in earlier for mine, theirs in zip(order, old)):
                break
        for page in foreign[:dropped]:
            order.insert(rng.randrange(len(order)), page)
        found[version] = Revision(tuple(order))
    return found


def _is_foreign(entry: dict[str, Any]) -> bool:
    language = entry.get("page_info", {}).get("page_attribute", {}).get("language", "").lower()
    return "chinese" in language or "en_ch_mixed" in language


def _silent(page: Page, key: str) -> Page:
    info = dict(page.entry["page_info"])
    info["page_attribute"] = {name: value for name, value in info["page_attribute"].items() if name != key}
    if key == "page_attribute":
        del info["page_attribute"]
    return Page({**page.entry, "page_info": info}, page.file, page.image, page.heading, page.lines)


def _redrawn(page: Page, drawing: Page | None) -> Page:
    return page if drawing is None else Page(page.entry, page.file, drawing.image, page.heading, page.lines)


def _page(rng: Random, number: int, kind: str, language: str, *, huge: bool = False) -> Page:
    heading, lines = f"{sentence(rng, 2)} report", tuple(sentence(rng) for _ in range(4))
    cells = [word(rng) for _ in range(4)]
    drawn = {"big": pictures.big_page}.get(kind, lambda rng: pictures.picture(rng, kind))
    image = pictures.huge_page() if huge else drawn(rng)
    form = "png" if image.startswith(b"\x89PNG") else "jpg"
    file = f"page_{word(rng)}_{number:03}.{form}"
    dets = [
        _det("title", 0, text=heading.replace(" ", "\n", 1)),  # a line break where a label has a blank
        *(_det("text_block", 1 + place, text=f"{line}. ") for place, line in enumerate(lines[:3])),
        _det(
            "table", 5, html=f"<table><tr><td>{'</td><td>'.join(cells)}</td></tr><tr><td>{lines[3]}</td></tr></table>"
        ),
        _det("equation_isolated", 6, latex=f"$$ \\text{{{word(rng)}}} = {number} $$"),
        _det("figure", 7),
    ]
    info = {
        "page_no": number,
        "height": 1000,
        "width": 800,
        "image_path": file,
        "page_attribute": {"data_source": "academic_literature", "language": language, "layout": "single_column"},
    }
    return Page({"layout_dets": dets, "page_info": info, "extra": {"relation": []}}, file, image, heading, lines)


def _det(category: str, order: int, **texts: str) -> dict[str, Any]:
    return {
        "category_type": category,
        "poly": [0, 0, 9, 0, 9, 9, 0, 9],
        "ignore": False,
        "order": order,
        "anno_id": order,
        **texts,
    }
