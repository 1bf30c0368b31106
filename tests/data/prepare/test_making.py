"""What is had stays had, whatever happens to its neighbours."""

import io

from PIL import Image

from sobench_metrics.data.fetch.errors import FetchError
from sobench_metrics.data.fetch.store import OriginalStore
from sobench_metrics.data.prepare.finished import RENDERED, Renderer
from sobench_metrics.data.prepare.labels import read_label
from sobench_metrics.data.prepare.making import Maker, Watch
from sobench_metrics.data.prepare.planning import Planned, raw_folder
from sobench_metrics.data.sources.source import Plan, Unit
from tests.data.prepare.test_labels import SOURCES, file


def test_a_rendered_picture_is_no_victim_of_one_that_shares_its_original(tmp_path):
    """A VisText chart may stand in two grids: one was rendered before, the chart cannot be had for the other now."""

    def refuse(_missing, _deposit):
        raise FetchError("the host is gone")

    plan = Plan(
        where="somewhere", revision="r1", recipe="grid",
        originals={"images/one.png": ("a.png",), "images/two.png": ("a.png", "b.png")},
        units=(Unit(("a.png", "b.png"), refuse),),
    )  # fmt: skip
    one, two = (
        read_label(f"{name}.json", file(image_url=f"data/harbour/images/{name}.png"), SOURCES)
        for name in ("one", "two")
    )
    stored = io.BytesIO()
    Image.new("RGB", (40, 30), "teal").save(stored, "PNG")
    originals = OriginalStore(raw_folder(tmp_path, "harbour", plan))
    originals.put("a.png", stored.getvalue())
    Renderer(tmp_path / RENDERED).render(one, plan, originals)
    originals.drop("a.png")
    made = Maker(tmp_path, 1, Watch()).make([one, two], Planned({"harbour": plan}, {}), [])
    assert [image.label.doc_id for image in made.finished] == ["one"]
    assert list(made.missing) == ["two"]
    assert "the host is gone" in made.missing["two"]
