"""One synthetic upstream for the stories of this room, and a way to ask a source for everything its labels name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from sobench_metrics.data.fetch.errors import FetchError
from sobench_metrics.data.fetch.http import Http
from sobench_metrics.data.fetch.store import OriginalStore
from sobench_metrics.data.pixels import PixelError, final_jpeg, pixel_sha256
from sobench_metrics.data.sources import SOURCES
from sobench_metrics.data.sources.source import Request, Wanted
from tests.engines.upstream import Upstream

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sobench_metrics.data.sources.source import Plan


@dataclass
class Shelf:
    """What one user has on disk of one source: `get` plans and fetches what is missing, as `prepare` does."""

    name: str
    upstream: Upstream
    folder: Path
    http: Http

    @property
    def labels(self) -> dict[str, dict[str, Any]]:
        every = self.upstream.labels_by_id.items()
        return {doc: label for doc, label in every if label["image_url"].startswith(f"data/{self.name}/")}

    @property
    def store(self) -> OriginalStore:
        return OriginalStore(self.folder / "originals")

    def image(self, label: dict[str, Any]) -> str:
        return label["image_url"].removeprefix(f"data/{self.name}/")

    def wanted(self) -> tuple[Wanted, ...]:
        return tuple(Wanted(self.image(label), label["structured_output"]) for label in self.labels.values())

    def plan(self, **choices: Any) -> Plan:
        given = {"wanted": self.wanted(), "mapping": self.upstream.content.mapping} | choices
        return SOURCES[self.name].plan(Request(http=self.http, cache=self.folder / "index", **given))

    def get(self, plan: Plan, deposit=None) -> list[str]:
        """Fetch what the store lacks; return why units failed."""
        faults = []
        for unit in plan.units:
            missing = frozenset(name for name in unit.names if not self.store.has(name))
            try:
                if missing:
                    unit.fetch(missing, deposit or self.store.put)
            except FetchError as error:
                faults.append(str(error))
        return faults

    def pixels(self, plan: Plan) -> dict[str, str]:
        """Return the pixel hash of every label's image whose originals are stored and can be decoded."""
        found = {}
        for doc, label in self.labels.items():
            names = plan.originals.get(self.image(label), ())
            if names and all(self.store.has(name) for name in names):
                try:
                    found[doc] = pixel_sha256(final_jpeg(plan.recipe, [self.store.read(name) for name in names]))
                except PixelError:
                    continue
        return found

    def expected(self) -> dict[str, str]:
        every = self.upstream.expected_pixels()
        return {doc: every[doc] for doc in self.labels if doc in every}


@pytest.fixture(scope="session")
def _plain_upstream() -> Iterator[Upstream]:
    with Upstream(seed=0) as upstream:
        yield upstream


@pytest.fixture(scope="session")
def _lacking_upstream() -> Iterator[Upstream]:
    with Upstream(seed=0, missing=tuple(SOURCES)) as upstream:
        yield upstream


@pytest.fixture
def entered(monkeypatch):
    """Return an upstream made the one that this process asks, with no fault left from another test."""

    def enter(upstream: Upstream) -> Upstream:
        upstream.use(monkeypatch)
        upstream.faults.clear()
        upstream.faults.met.clear()
        upstream.traffic.reset()
        return upstream

    return enter


@pytest.fixture
def upstream(_plain_upstream, entered) -> Upstream:
    """The upstream as it should be."""
    return entered(_plain_upstream)


@pytest.fixture
def lacking(_lacking_upstream, entered) -> Upstream:
    """An upstream in which each source lacks an image that a label names."""
    return entered(_lacking_upstream)


@pytest.fixture
def shelf(tmp_path):
    """Return the shelf of a source: `shelf("rico", upstream)`."""
    return lambda name, upstream: Shelf(name, upstream, tmp_path / name, Http(sleep=lambda _: None))
