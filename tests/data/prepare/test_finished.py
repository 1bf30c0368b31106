"""Renderings wait for their set on the disk, each behind its own hash."""

import io

import pytest
from PIL import Image

from sobench_metrics.data import pixels
from sobench_metrics.data.fetch.store import OriginalStore
from sobench_metrics.data.prepare.finished import Renderer, made_of
from sobench_metrics.data.prepare.labels import read_label
from sobench_metrics.data.sources.source import Plan
from sobench_metrics.errors import UsageError
from tests.data.prepare.test_labels import SOURCES, file

LABEL = read_label("a.json", file(image_url="data/harbour/images/pier.png"), SOURCES)


def plan(**changes):
    told = {
        "where": "somewhere", "revision": "r1", "recipe": "rgb_jpeg", "units": (),
        "originals": {"images/pier.png": ("images/pier.png",)}, **changes,
    }  # fmt: skip
    return Plan(**told)


@pytest.fixture
def originals(tmp_path):
    stored = io.BytesIO()
    Image.new("RGB", (40, 30), "teal").save(stored, "PNG")
    store = OriginalStore(tmp_path / "raw")
    store.put("images/pier.png", stored.getvalue())
    return store


def test_what_was_rendered_once_needs_no_original(tmp_path, originals):
    renderer = Renderer(tmp_path / "rendered")
    first = renderer.render(LABEL, plan(), originals)
    assert (first.width, first.height) == (40, 30)
    assert renderer.done(LABEL, plan())
    originals.drop("images/pier.png")
    assert renderer.render(LABEL, plan(), originals) == first
    assert first.image()[:3] == b"\xff\xd8\xff"


@pytest.mark.parametrize("damage", [lambda data: b"", lambda data: data[:-9], lambda data: data[:-1] + b"\0"])
def test_a_damaged_rendering_is_made_again(tmp_path, originals, damage):
    renderer = Renderer(tmp_path / "rendered")
    first = renderer.render(LABEL, plan(), originals)
    (kept,) = [path for path in (tmp_path / "rendered").rglob("*") if path.is_file()]
    kept.write_bytes(damage(kept.read_bytes()))
    assert not renderer.done(LABEL, plan())
    with pytest.raises(UsageError, match="changed meanwhile"):
        first.image()
    again = renderer.render(LABEL, plan(), originals)
    assert again.image() == renderer.render(LABEL, plan(), originals).image()
    assert again.pixel_sha256 == first.pixel_sha256


@pytest.mark.parametrize(
    "changes",
    [{"revision": "r2"}, {"recipe": "as_is"}, {"originals": {"images/pier.png": ("images/quay.png",)}}],
)
def test_another_origin_is_another_picture(changes):
    assert made_of(LABEL, plan()) != made_of(LABEL, plan(**changes))


def test_an_updated_library_makes_nothing_anew(monkeypatch):
    before = made_of(LABEL, plan())
    monkeypatch.setattr(pixels, "encoder", lambda: {"pillow": "1.0"})
    assert made_of(LABEL, plan()) == before


def test_a_page_is_large_by_its_pixels_not_by_its_bytes(tmp_path):
    stored = io.BytesIO()
    Image.new("1", (8000, 5000)).save(stored, "PNG")
    renderer = Renderer(tmp_path)
    assert len(stored.getvalue()) < 100_000
    assert renderer._alone_when_large(stored.getvalue()) is renderer._one_large_page
    assert renderer._alone_when_large(b"no picture") is not renderer._one_large_page
