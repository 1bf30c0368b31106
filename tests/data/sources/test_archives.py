"""Tar and zip: a stream that goes on after a kill, a zip of which a few members are read where it lies."""

import io
import zipfile

import pytest

from sobench_metrics.data.fetch.errors import FetchError
from sobench_metrics.data.fetch.http import Changed
from sobench_metrics.data.sources.source import Wanted
from sobench_metrics.errors import UsageError
from tests.engines.upstream import Fault

TARS = pytest.mark.parametrize("name", ["hiertext", "rico"])


class KilledError(Exception):
    """Stands for the end of the process: nobody catches it on the way."""


def kill_at(mine, count):
    """Return a deposit that stores `count` originals and dies at the next."""
    stored = []

    def deposit(name, data):
        if len(stored) == count:
            raise KilledError
        stored.append(name)
        mine.store.put(name, data)

    return deposit


@TARS
def test_a_killed_stream_goes_on_where_its_copy_ends(name, shelf, upstream):
    mine = shelf(name, upstream)
    plan = mine.plan()
    with pytest.raises(KilledError):
        mine.get(plan, kill_at(mine, 2))
    before = mine.http.traffic.bytes
    kept = sum(file.stat().st_size for file in mine.folder.rglob("*.spool"))
    assert kept > 0
    assert mine.get(mine.plan()) == []
    assert mine.http.traffic.bytes <= plan.bytes_full + 10
    assert mine.http.traffic.bytes - before <= plan.bytes_full - kept + 10
    assert mine.pixels(plan) == mine.expected()


@TARS
def test_a_first_try_with_few_images_throws_nothing_away_that_the_whole_needs(name, shelf, upstream):
    mine = shelf(name, upstream)
    plan = mine.plan()
    (unit,) = plan.units
    unit.fetch(frozenset(unit.names[:1]), mine.store.put)
    before = mine.http.traffic.bytes
    kept = sum(file.stat().st_size for file in mine.folder.rglob("*.spool"))
    assert mine.get(mine.plan()) == []
    assert mine.http.traffic.bytes - before <= plan.bytes_full - kept + 10


@TARS
def test_the_copy_stays_while_something_is_missing(name, shelf, lacking):
    """A second try of a missing image then costs no traffic; `gc` frees the disk."""
    mine = shelf(name, lacking)
    plan = mine.plan()
    (fault,) = mine.get(plan)
    assert f"--local-archive {name}=PATH" in fault
    before = mine.http.traffic.bytes
    assert mine.get(plan) == [fault]
    assert mine.http.traffic.bytes == before


@TARS
def test_a_stream_that_is_cut_again_and_again_arrives(name, shelf, upstream):
    upstream.faults.add("/sites/*", Fault.cut(after=200_000, times=5, skip=1))
    mine = shelf(name, upstream)
    plan = mine.plan()
    assert mine.get(plan) == []
    assert upstream.faults.met["cut"] == 5
    assert mine.pixels(plan) == mine.expected()


@TARS
def test_a_whole_copy_of_an_older_archive_is_not_taken_for_the_new_one(name, shelf, lacking):
    mine = shelf(name, lacking)
    old = mine.plan()
    mine.get(old)
    assert sum(file.stat().st_size for file in mine.folder.rglob("*.spool")) == old.bytes_full
    place = old.where.removeprefix("https://")
    data = lacking.content.sites[place]
    lacking.faults.add(f"/sites/{place}", Fault.etag('"new"', skip=0, data=data))
    new = mine.plan()
    assert old.revision != new.revision
    before = mine.http.traffic.bytes
    there = frozenset(original for original in new.units[0].names if mine.store.has(original))
    stored = {}
    new.units[0].fetch(there, stored.__setitem__)
    assert set(stored) == there
    assert mine.http.traffic.bytes - before > len(data) / 3


@TARS
@pytest.mark.parametrize("begun", [0, 1])
def test_an_archive_that_changed_since_it_was_planned_is_not_stored_under_the_planned_version(
    name, begun, shelf, upstream
):
    """Whether a part of the planned one was read before or not."""
    mine = shelf(name, upstream)
    plan = mine.plan()
    if begun:
        with pytest.raises(KilledError):
            mine.get(plan, kill_at(mine, begun))
    upstream.faults.add("/sites/*", Fault.etag('"later"', skip=0))
    more = []
    with pytest.raises(Changed, match="repeat the command"):
        plan.units[0].fetch(frozenset(plan.units[0].names), lambda name, data: more.append(name))
    assert set(more) < set(plan.units[0].names)
    assert not list(mine.folder.rglob("*.spool"))
    assert mine.get(mine.plan()) == []
    assert mine.plan().revision == 'etag:"later"'


@pytest.mark.parametrize("name", ["webui", "vistext"])
def test_a_damaged_member_costs_no_other(name, shelf, upstream, tmp_path):
    mine = shelf(name, upstream)
    copy = upstream.write_archive(name, tmp_path / "copy")
    parts = sorted(copy.glob("test_split_webui.zip.*")) if copy.is_dir() else [copy]
    victim = mine.plan(local=copy).units[0].names[0]
    whole = b"".join(part.read_bytes() for part in parts)
    with zipfile.ZipFile(io.BytesIO(whole)) as archive:
        content = archive.read(victim)
    at = whole.index(content) + len(content) // 2
    whole = whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :]
    for part in parts:
        size = part.stat().st_size
        part.write_bytes(whole[:size])
        whole = whole[size:]
    plan = mine.plan(local=copy)
    (fault,) = mine.get(plan)
    assert victim in fault
    assert all(mine.store.has(unit.names[0]) == (unit.names[0] != victim) for unit in plan.units)


def test_the_joined_zip_of_the_web_pages_serves_too(shelf, upstream, tmp_path):
    parts = sorted(upstream.write_archive("webui", tmp_path / "copy").glob("*.zip.*"))
    joined = tmp_path / "webui_combined.zip"
    joined.write_bytes(b"".join(part.read_bytes() for part in parts))
    mine = shelf("webui", upstream)
    plan = mine.plan(local=joined)
    assert mine.get(plan) == []
    assert mine.pixels(plan) == mine.expected()
    assert plan.bytes_full == joined.stat().st_size


@pytest.mark.parametrize("lost", ["001", "002", "004"])
def test_a_lost_part_is_told(lost, shelf, upstream, tmp_path):
    copy = upstream.write_archive("webui", tmp_path / "copy")
    (copy / f"test_split_webui.zip.{lost}").unlink()
    mine = shelf("webui", upstream)
    with pytest.raises(FetchError, match="zip" if lost == "004" else "every part"):
        mine.plan(local=copy)


def test_a_directory_of_a_zip_is_read_once(shelf, upstream):
    mine = shelf("webui", upstream)
    mine.plan()
    before = upstream.traffic.bytes("hub/biglab/webui-test/test_split_webui.zip")
    assert before > 0
    mine.plan()
    assert upstream.traffic.bytes("hub/biglab/webui-test/test_split_webui.zip") == before


def test_a_cluster_is_its_charts_in_the_order_of_the_table(shelf, upstream):
    mine = shelf("vistext", upstream)
    table = {name: list(reversed(members)) for name, members in upstream.content.mapping.items()}
    plan = mine.plan(mapping=table)
    for image, names in plan.originals.items():
        assert names == tuple(f"images/{member}" for member in table[image.removeprefix("images/")])


def test_a_cluster_that_the_table_lacks_has_no_charts(shelf, upstream):
    mine = shelf("vistext", upstream)
    plan = mine.plan(wanted=(Wanted("images/cluster_999_merged.png"),), mapping={})
    assert plan.units == ()
    assert "vistext_mapping.json" in plan.unavailable["images/cluster_999_merged.png"]


@TARS
def test_an_own_copy_may_be_named_by_its_folder(name, shelf, upstream, tmp_path):
    archive = upstream.write_archive(name, tmp_path / "own")
    mine = shelf(name, upstream)
    plan = mine.plan(local=archive.parent)
    assert mine.get(plan) == []
    assert mine.pixels(plan) == mine.expected()
    with pytest.raises(UsageError, match=f"is a folder without {archive.name}"):
        mine.plan(local=tmp_path)
