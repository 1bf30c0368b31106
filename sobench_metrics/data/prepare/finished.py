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

__all__ = ["RENDERED", "Finished", "Renderer", "made_of"]

RENDERED = "raw/.rendered"
"""The folder below home where final JPEGs wait for the set that takes them."""

_LARGE = 30_000_000  # pixels; decoded and copied, such a page fills hundreds of megabytes
_DIGEST = hashlib.sha256().digest_size


def made_of(label: Label, plan: Plan) -> str:
    """Return a hash over all that the pixels of a label's picture depend on: two equal ones need not be made twice.

    The encoder is not among them: pixels are the same over all that were compared, and nobody should fetch gigabytes
    anew because a library was updated.
    """
    parts = [label.source, plan.revision, plan.recipe, plan.originals[label.image]]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Finished:
    """A label with its final JPEG: where its `length` bytes lie, their hash, the pixels' hash and size, its origin."""

    label: Label
    place: ImageRef | _Rendered
    length: int
    image_sha256: str
    pixel_sha256: str
    width: int
    height: int
    made_of: str

    def image(self) -> bytes:
        """Return the JPEG; raises UsageError when it is no longer the one that was hashed."""
        data = read_bytes(self.place) if isinstance(self.place, ImageRef) else self.place.read()
        if data is None or hashlib.sha256(data).hexdigest() != self.image_sha256:
            raise UsageError(f"the image of {self.label.doc_id} was changed meanwhile: run `sobench prepare` again.")
        return data


@dataclass(frozen=True, slots=True)
class _Rendered:
    """A final JPEG on the disk, behind its own hash: half a file, or another one, is told from it."""

    store: OriginalStore
    name: str

    def read(self) -> bytes | None:
        if not self.store.has(self.name):
            return None
        stored = self.store.read(self.name)
        data = stored[_DIGEST:]
        return data if hashlib.sha256(data).digest() == stored[:_DIGEST] else None

    def write(self, data: bytes) -> None:
        self.store.put(self.name, hashlib.sha256(data).digest() + data)


class Renderer:
    """Makes final JPEGs and keeps them in a folder by what they are made of, so that a killed run goes on behind them.

    Whoever has built a set from the folder may clear it. Safe to use from several threads.
    """

    def __init__(self, folder: Path) -> None:
        self._store = OriginalStore(folder)
        self._one_large_page = threading.Lock()

    def done(self, label: Label, plan: Plan) -> bool:
        """Tell whether an earlier run rendered this image from the same originals by the same recipe."""
        return _Rendered(self._store, made_of(label, plan)).read() is not None

    def render(self, label: Label, plan: Plan, originals: OriginalStore) -> Finished:
        """Return the finished image of a label that is done or whose originals are in the store.

        Raises PixelError when they give no picture, UsageError when the disk is full.
        """
        place = _Rendered(self._store, made_of(label, plan))
        data = place.read()
        if data is None:
            parts = [originals.read(original) for original in plan.originals[label.image]]
            with self._alone_when_large(*parts):
                data = pixels.final_jpeg(plan.recipe, parts)
            place.write(data)
        with self._alone_when_large(data):
            facts = pixels.facts(data)
        digest = hashlib.sha256(data).hexdigest()
        return Finished(label, place, len(data), digest, facts.sha256, facts.width, facts.height, place.name)

    def _alone_when_large(self, *images: bytes) -> threading.Lock | nullcontext[None]:
        return self._one_large_page if sum(map(pixels.pixel_count, images)) > _LARGE else nullcontext()
