"""From the name in a label to the names in a source: prefixes swapped, spellings told apart, nothing guessed."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

    from sobench_metrics.data.sources.source import Wanted

__all__ = ["Asked", "Renaming", "look_up", "renamed", "unsafe"]


@dataclass(frozen=True, slots=True)
class Renaming:
    """The one difference between a label's path and the source's: another folder in front."""

    label: str
    source: str


@dataclass(frozen=True, slots=True)
class Asked:
    """The originals of each image, in order, and a reason for each image that has none.

    `respelled` lists the names that the source writes in another Unicode form of the same letters.
    """

    originals: Mapping[str, tuple[str, ...]]
    unavailable: Mapping[str, str]
    respelled: Mapping[str, str] = field(default_factory=dict)

    def names(self) -> tuple[str, ...]:
        """Return every original once, in the order of their first use."""
        return tuple(dict.fromkeys(name for names in self.originals.values() for name in names))

    def respelled_told(self) -> dict[str, dict[str, str]]:
        """Return the respelled names for the manifest; nothing when there is none."""
        return {"other_unicode_form": dict(self.respelled)} if self.respelled else {}


def renamed(wanted: Iterable[Wanted], renaming: Renaming) -> Asked:
    """Return the source's name for each wanted image; one outside the expected folder, or unsafe, has none."""
    originals: dict[str, tuple[str, ...]] = {}
    unavailable: dict[str, str] = {}
    for image in dict.fromkeys(each.image for each in wanted):
        name = renaming.source + image[len(renaming.label) :]
        if not image.startswith(renaming.label):
            unavailable[image] = f"{image} does not lie in {renaming.label}, where upstream puts this source's images"
        elif fault := unsafe(name):
            unavailable[image] = fault
        else:
            originals[image] = (name,)
    return Asked(originals, unavailable)


def look_up(asked: Asked, listing: Collection[str], where: str) -> Asked:
    """Return what a source's listing has of what is asked: letter for letter, else in another form of the same letters.

    A name that differs in case is another file; it is only mentioned in the reason. An image of several originals is
    unavailable when one of them is.
    """
    absent = [name for name in asked.names() if name not in listing]
    by_form = _grouped(listing, _form) if absent else {}
    by_case = _grouped(listing, _case) if absent else {}
    respelled = {name: same[0] for name in absent if len(same := by_form.get(_form(name), [])) == 1}
    reasons = {}
    for name in absent:
        near = by_case.get(_case(name), [])
        hint = f" (there is {near[0]}, another file)" if near else ""
        reasons[name] = f"{name} is not in {where}{hint}"
    originals: dict[str, tuple[str, ...]] = {}
    unavailable = dict(asked.unavailable)
    for image, names in asked.originals.items():
        lost = [reasons[name] for name in names if name in reasons and name not in respelled]
        if lost:
            unavailable[image] = "; ".join(lost)
        else:
            originals[image] = tuple(respelled.get(name, name) for name in names)
    return Asked(originals, unavailable, respelled)


def unsafe(name: str) -> str:
    """Return why `name` cannot be a file's name below a folder; "" when it can."""
    from sobench_metrics.data.fetch.errors import Refused
    from sobench_metrics.data.fetch.paths import safe_parts

    try:
        safe_parts(name)
    except Refused as error:
        return str(error)
    return ""


def _form(name: str) -> str:
    return unicodedata.normalize("NFC", name)


def _case(name: str) -> str:
    return _form(name).casefold()


def _grouped(listing: Iterable[str], key: Callable[[str], str]) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = {}
    for name in listing:
        groups.setdefault(key(name), []).append(name)
    return groups
