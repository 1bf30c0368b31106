"""From originals to the JPEG that a model is sent, once per image and kept until a set holds it."""

from __future__ import annotations

import hashlib
import json
import threading
from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sobench_metrics.data import pixels
from sobench_metrics.data.fetch.store import OriginalStore
from sobench_metrics.data.images import ImageRef, read_bytes
from sobench_metrics.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

    from sobench_metrics.data.prepare.labels import Label
    from sobench_metrics.data.sources.source import Plan

__all__ = ["RENDERED", "Finished", "Renderer"]

RENDERED = "raw/.rendered"
"""The folder below home where final JPEGs wait for the set that takes them."""


@dataclass(frozen=True, slots=True)
class Finished:
    """A label with its final JPEG: where the `length` bytes lie, their hash, the hash of the pixels, and the size."""

    label: Label
    place: Path | ImageRef
    length: int
    image_sha256: str
    pixel_sha256: str
    width: int
    height: int

    def image(self) -> bytes:
        """Return the JPEG; raises UsageError when it is no longer the one that was hashed."""
        if isinstance(self.place, ImageRef):
            return read_bytes(self.place)
        data = self.place.read_bytes()
        if hashlib.sha256(data).hexdigest() != self.image_sha256:
            raise UsageError(f"{self.place} was changed while the set was written: run `sobench prepare` again.")
        return data


class Renderer:
    """Makes final JPEGs and keeps them in a folder by what they depend on, so that a killed run goes on behind them.

    Whoever has built a set from the folder may clear it. Safe to use from several threads.
    """

    _LARGE = 8_000_000  # encoded bytes; decoded, such a page fills hundreds of megabytes

    def __init__(self, folder: Path) -> None:
        self._store = OriginalStore(folder)
        self._folder = folder
        self._encoder = pixels.encoder()
        self._one_large_page = threading.Lock()

    def done(self, label: Label, plan: Plan) -> bool:
        """Tell whether an earlier run rendered this image from the same original, plan and encoder."""
        return self._store.has(self._name(label, plan))

    def render(self, label: Label, plan: Plan, originals: OriginalStore) -> Finished:
        """Return the finished image of a label that is done or whose originals are in the store.

        Raises PixelError when they give no picture, UsageError when the disk is full.
        """
        name = self._name(label, plan)
        if not self._store.has(name):
            made_of = [originals.read(original) for original in plan.originals[label.image]]
            with self._one_large_page if sum(map(len, made_of)) > self._LARGE else nullcontext():
                self._store.put(name, pixels.final_jpeg(plan.recipe, made_of))
        data = self._store.read(name)
        with self._one_large_page if len(data) > self._LARGE else nullcontext():
            facts = pixels.facts(data)
        digest = hashlib.sha256(data).hexdigest()
        return Finished(label, self._folder / name, len(data), digest, facts.sha256, facts.width, facts.height)

    def _name(self, label: Label, plan: Plan) -> str:
        made_of = [label.source, plan.revision, plan.recipe, plan.originals[label.image], self._encoder]
        return f"{hashlib.sha256(json.dumps(made_of).encode()).hexdigest()}.jpg"
