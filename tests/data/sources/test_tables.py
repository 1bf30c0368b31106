"""Images in tables: the right row, whatever shard and row group it lies in, decoded as its column asks."""

import io
from dataclasses import replace

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sobench_metrics.data.fetch.errors import FetchError
from sobench_metrics.data.sources.row_images import Shard, recipe_of
from sobench_metrics.data.sources.source import Wanted
from tests.engines.upstream import Fault, Upstream

TABLES = pytest.mark.parametrize("name", ["docvqa", "infographicvqa", "chartqapro"])


@pytest.mark.parametrize(("storage", "recipe"), [("binary", "rgb_jpeg"), ("image", "upright_rgb_jpeg")])
def test_the_column_says_whether_a_chart_is_turned_upright(storage, recipe, shelf, entered):
    with Upstream(seed=0, chartqapro=storage) as made:
        mine = shelf("chartqapro", entered(made))
        plan = mine.plan()
        assert plan.recipe == recipe
        assert "huggingface" in plan.evidence["recipe_by"]
        assert mine.get(plan) == []
        assert mine.pixels(plan) == mine.expected()


@pytest.mark.parametrize(
    ("storage", "recipe", "kind"), [("binary", "rgb_jpeg", "binary"), ("image", "upright_rgb_jpeg", "struct")]
)
def test_without_metadata_its_arrow_type_says_it(storage, recipe, kind, shelf, entered, tmp_path):
    """As it does to `datasets`; a copy that went through another tool has none."""
    with Upstream(seed=0, chartqapro=storage) as made:
        mine = shelf("chartqapro", entered(made))
        copy = made.write_archive("chartqapro", tmp_path / "copy")
        for shard in copy.rglob("*.parquet"):
            pq.write_table(pq.read_table(shard).replace_schema_metadata(None), shard, row_group_size=6)
        plan = mine.plan(local=copy)
        assert plan.recipe == recipe
        assert plan.evidence["recipe_by"] == f"the arrow type of image: {kind}"
        assert mine.get(plan) == []
        assert mine.pixels(plan) == mine.expected()


def test_a_column_of_neither_kind_is_not_guessed():
    for features in ({}, {"image": None}):
        with pytest.raises(FetchError, match="images or bytes"):
            recipe_of(features, "", "a table")


@pytest.mark.parametrize(
    "features",
    [
        {"image": {"_type": "Value", "dtype": "string"}},
        {"image": {"_type": "Sequence"}},
        {"image": []},
    ],
)
def test_a_column_of_another_kind_is_not_guessed(features):
    with pytest.raises(FetchError, match="images or bytes"):
        recipe_of(features, "struct", "a table")


@TABLES
def test_a_unit_is_a_row_group(name, shelf, upstream):
    """So that threads share the work, and a kill loses one group at most."""
    mine = shelf(name, upstream)
    plan = mine.plan()
    assert len(plan.units) > 1
    before = mine.http.traffic.bytes
    plan.units[0].fetch(frozenset(plan.units[0].names), mine.store.put)
    assert mine.http.traffic.bytes - before < plan.bytes_needed / (len(plan.units) - 1) + 100_000
    assert {names for names in plan.units[0].names if mine.store.has(names)} == set(plan.units[0].names)


@TABLES
def test_a_series_with_a_hole_is_refused(name, shelf, upstream, tmp_path):
    """Rows are counted over the whole split: without one shard, later rows would be taken for others."""
    copy = upstream.write_archive(name, tmp_path / "copy")
    shards = sorted(path for path in copy.rglob("test-*.parquet") if name != "docvqa" or path.parent.name == "DocVQA")
    shards[0].unlink()
    for path in copy.rglob("InfographicVQA/test-00000*"):
        path.unlink()
    with pytest.raises(FetchError, match="one whole series"):
        shelf(name, upstream).plan(local=copy)


def rename(copy, names):
    """Give the shards of the copied test split other names, in order."""
    shards = sorted(copy.rglob("test-*.parquet"))
    assert len(shards) == len(names)
    for shard, name in zip(shards, names, strict=True):
        shard.rename(shard.with_name(name))


@pytest.mark.parametrize(
    "names",
    [
        ("test-00000-of-00002-0badcafe12345678.parquet", "test-00001-of-00002-9f8e7d6c5b4a3210.parquet"),
        ("test-0-of-2.parquet", "test-1-of-2-aa.parquet"),
    ],
)
def test_a_series_with_hashes_in_its_names_is_one_too(names, shelf, upstream, tmp_path):
    copy = upstream.write_archive("chartqapro", tmp_path / "copy")
    rename(copy, names)
    mine = shelf("chartqapro", upstream)
    plan = mine.plan(local=copy)
    assert mine.get(plan) == []
    assert mine.pixels(plan) == mine.expected()


def test_one_file_alone_is_a_series_of_one(shelf, upstream, tmp_path):
    copy = upstream.write_archive("chartqapro", tmp_path / "copy")
    shards = sorted(copy.rglob("test-*.parquet"))
    pq.write_table(pa.concat_tables(map(pq.read_table, shards)), shards[0].with_name("test.parquet"), row_group_size=6)
    mine = shelf("chartqapro", upstream)
    with pytest.raises(FetchError, match="each once"):  # the series and the file: which of them?
        mine.plan(local=copy)
    for shard in shards:
        shard.unlink()
    plan = mine.plan(local=copy)
    assert mine.get(plan) == []
    assert mine.pixels(plan) == mine.expected()


@pytest.mark.parametrize(
    "names",
    [
        ("test-00000-of-00002-aa.parquet", "test-00000-of-00002-bb.parquet"),
        ("test-00000-of-00002.parquet", "test-00001-of-00003.parquet"),
        ("test.parquet", "test-00000-of-00001.parquet"),
        ("test-00000-of-99999999999999.parquet", "test-00001-of-99999999999999.parquet"),
        ("test-00000-of-00002-xyz.parquet", "test-00001-of-00002.parquet"),
    ],
)
def test_two_files_of_one_number_are_not_chosen_among(names, shelf, upstream, tmp_path):
    copy = upstream.write_archive("chartqapro", tmp_path / "copy")
    rename(copy, names)
    with pytest.raises(FetchError, match="one whole series"):
        shelf("chartqapro", upstream).plan(local=copy)


def test_charts_are_numbered_over_all_shards(shelf, upstream):
    mine = shelf("chartqapro", upstream)
    edges = ("images/chart_0023.jpg", "images/chart_0024.jpg", "images/chart_0043.jpg")  # 24 rows, then 20
    wrong = ("images/chart_0044.jpg", "images/chart_1.jpg", "images/chart_00001.jpg")
    plan = mine.plan(wanted=tuple(Wanted(image) for image in (*edges, *wrong)))
    assert tuple(plan.originals) == edges
    assert tuple(plan.unavailable) == wrong
    assert "has 44 rows" in plan.unavailable[wrong[0]]
    assert mine.get(plan) == []
    tables = [
        pq.read_table(io.BytesIO(one.data)).column("image").to_pylist()
        for path, one in sorted(upstream.commits("chartqapro")[-1].files.items())
        if "/test-" in path
    ]
    rows = [cell for table in tables for cell in table]
    assert [mine.store.read(plan.originals[image][0]) for image in edges] == [rows[23], rows[24], rows[43]]


def test_the_first_row_of_a_question_is_its_image(shelf, upstream, tmp_path):
    folder = tmp_path / "copy" / "DocVQA"
    folder.mkdir(parents=True)
    cells = [{"bytes": data, "path": None} for data in (b"first", b"other", b"second")]
    table = pa.table({"questionId": ["7", "8", "7"], "image": pa.array(cells)})
    pq.write_table(table, folder / "test-00000-of-00001.parquet", row_group_size=1)
    mine = shelf("docvqa", upstream)
    plan = mine.plan(
        local=folder.parent, wanted=(Wanted("images/7.jpg"), Wanted("images/8.jpg"), Wanted("images/9.jpg"))
    )
    assert mine.get(plan) == []
    assert [mine.store.read(plan.originals[f"images/{name}.jpg"][0]) for name in (7, 8)] == [b"first", b"other"]
    assert "questionId 9" in plan.unavailable["images/9.jpg"]


@pytest.mark.parametrize("name", ["docvqa", "infographicvqa"])
def test_the_ids_are_read_once_and_again_when_they_are_damaged(name, shelf, upstream):
    mine = shelf(name, upstream)
    first = replace(mine.plan(), units=())
    read = mine.http.traffic.bytes
    assert replace(mine.plan(), units=()) == first
    assert mine.http.traffic.bytes == read
    for kept in mine.folder.rglob("ids-*.json"):
        kept.write_text("[]")
    assert replace(mine.plan(), units=()) == first
    assert mine.http.traffic.bytes > read


def test_a_number_as_question_id_is_found_too(shelf, upstream, tmp_path):
    folder = tmp_path / "copy" / "InfographicVQA"
    folder.mkdir(parents=True)
    table = pa.table({"questionId": [98300], "image": pa.array([{"bytes": b"x", "path": None}])})
    pq.write_table(table, folder / "test-00000-of-00001.parquet")
    plan = shelf("infographicvqa", upstream).plan(local=folder.parent, wanted=(Wanted("images/98300.jpg"),))
    assert plan.unavailable == {}


@TABLES
def test_a_group_that_cannot_be_read_costs_no_other(name, shelf, upstream):
    mine = shelf(name, upstream)
    plan = mine.plan()
    upstream.faults.add("*test-*.parquet", Fault.status(503, times=6))
    faults = mine.get(plan)
    assert len(faults) == 1
    assert "parquet" in faults[0]
    stored = [mine.store.has(original) for unit in plan.units for original in unit.names]
    assert stored.count(False) == len(plan.units[0].names)
    assert mine.get(plan) == []
    assert mine.pixels(plan) == mine.expected()


def test_a_row_lies_in_the_group_that_ends_behind_it():
    shard = Shard("x", (3, 7, 8), (1, 1, 1))
    assert [shard.group(row) for row in range(shard.rows)] == [0, 0, 0, 1, 1, 1, 1, 2]
