"""What an image source is: where it lies, what it may be used for, and how to plan the least traffic for it.

A new source is one file in this folder with a `SOURCE`, and one line in the table of `__init__.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from sobench_metrics.data.fetch.http import Http

__all__ = ["IMAGE_LIMIT", "Deposit", "Licence", "Plan", "Request", "Source", "Unit", "Wanted"]

IMAGE_LIMIT = 256 << 20
"""No original is larger: a page of 145 megapixels stays below it even as a hardly compressible PNG."""

Deposit = Callable[[str, bytes], None]
"""Stores one original under its name, whole or not at all; safe to call from any thread."""


@dataclass(frozen=True, slots=True)
class Licence:
    """The terms of a source as its own pages state them; `note` says what is unclear."""

    name: str
    url: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Wanted:
    """One image that a label names: `image` is the path after `data/<source>/`, `target` the label's output."""

    image: str
    target: Any = None


@dataclass(frozen=True, slots=True)
class Request:
    """What a plan is made for.

    `revision` pins a hub commit, `local` is the user's own copy (--local-archive), `cache` a folder that outlives
    the process, for indexes and half-read archives; `mapping` is upstream's VisText table (merged name -> members).
    `labelled` is all that the labels name of this source, also when a --limit wants less: a proof by content needs
    every label that it can get. Empty, `wanted` is all there is.
    """

    wanted: tuple[Wanted, ...]
    http: Http
    cache: Path
    revision: str | None = None
    local: Path | None = None
    mapping: Mapping[str, Sequence[str]] = field(default_factory=dict)
    labelled: tuple[Wanted, ...] = ()


@dataclass(frozen=True, slots=True)
class Unit:
    """A piece of work that one thread does: `fetch(missing, deposit)` deposits each of `missing`, a subset of `names`.

    It may deposit some and then raise FetchError: the others stay missing with that reason.
    """

    names: tuple[str, ...]
    fetch: Callable[[frozenset[str], Deposit], None]


@dataclass(frozen=True, slots=True)
class Plan:
    """How the wanted images will be had: `originals` lists, by image, the originals that make it, in order.

    `unavailable` gives a reason by image that the source does not have. `bytes_full` is what a whole download
    would move, `bytes_needed` the estimate for this plan; None when only the transfer will tell. `evidence` goes
    into the manifest as it is. `recipe` names an entry of `pixels.RECIPES`.
    """

    where: str
    revision: str
    recipe: str
    originals: Mapping[str, tuple[str, ...]]
    units: tuple[Unit, ...]
    unavailable: Mapping[str, str] = field(default_factory=dict)
    bytes_full: int | None = None
    bytes_needed: int | None = None
    evidence: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Source:
    """One image source. `plan` raises FetchError (or UsageError for a wrong --revision or --local-archive)."""

    name: str
    domain: str
    title: str
    home: str
    licence: Licence
    plan: Callable[[Request], Plan]
