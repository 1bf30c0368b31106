"""What holds for every source alike: the right originals, little traffic, own copies, nothing lost, nothing guessed."""

import json
import os
import re
import subprocess
import sys
from dataclasses import replace

import pytest

from sobench_metrics.data.fetch.errors import FetchError
from sobench_metrics.data.pixels import RECIPES
from sobench_metrics.data.sources import SOURCES
from sobench_metrics.data.sources.source import Wanted
from sobench_metrics.errors import UsageError
from tests.engines.hostile_server import HostileServer
from tests.engines.upstream import DOMAIN_OF, Fault

SITES = ("hiertext", "rico", "vistext")
HUB = tuple(name for name in SOURCES if name not in SITES)
# The most that may move, as a share of what upstream's script moves. The tars end at a place drawn by the synthetic
# upstream; the tables have row groups of a few images, hardly larger than the smallest piece that is asked for.
SHARES = {
    "hiertext": 0.8,
    "rico": 0.9,
    "screenspotpro": 0.01,
    "webui": 0.05,
    "omnidocbench": 0.1,
    "docvqa": 0.45,
    "infographicvqa": 0.45,
    "chartmuseum": 0.01,
    "chartqapro": 0.45,
    "vistext": 0.05,
}
every_source = pytest.mark.parametrize("name", SOURCES)


def test_the_table_names_each_source_once_with_domain_and_licence():
    assert {name: source.domain for name, source in SOURCES.items()} == DOMAIN_OF
    for source in SOURCES.values():
        assert source.licence.name
        assert source.licence.url.startswith("https://")
        assert source.home.startswith("https://")


def test_the_table_costs_no_heavy_library():
    heavy = ("requests", "urllib3", "pyarrow", "PIL", "huggingface_hub", "numpy")
    code = f"import sys, sobench_metrics.data.sources; print([name for name in {heavy!r} if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


@every_source
def test_each_label_gets_the_pixels_of_upstreams_own_way_for_little_traffic(name, shelf, upstream):
    mine = shelf(name, upstream)
    plan = mine.plan()
    assert plan.unavailable == {}
    assert plan.recipe in RECIPES
    assert mine.get(plan) == []
    assert len(mine.expected()) == len(mine.labels) > 0
    assert mine.pixels(plan) == mine.expected()
    assert mine.http.traffic.bytes < SHARES[name] * upstream.full_bytes[name]


@every_source
def test_the_dry_run_tells_what_a_whole_download_and_this_plan_would_move(name, shelf, upstream):
    mine = shelf(name, upstream)
    plan = mine.plan()
    assert plan.bytes_full == pytest.approx(upstream.full_bytes[name], rel=0.05)
    assert upstream.wanted_bytes[name] <= plan.bytes_needed < plan.bytes_full
    planned = mine.http.traffic.bytes
    mine.get(plan)
    assert mine.http.traffic.bytes - planned < 1.5 * plan.bytes_needed + 20_000


@every_source
def test_the_originals_are_the_bytes_of_the_source(name, shelf, upstream):
    """Sent as they are, and so nothing but the file itself can have these bytes."""
    mine = shelf(name, upstream)
    plan = mine.plan()
    stored = {}
    mine.get(plan, stored.__setitem__)
    assert set(stored) == {original for names in plan.originals.values() for original in names}
    if name in {"screenspotpro", "chartmuseum"}:
        files = upstream.commits(name)[-1].files
        assert stored == {original: files[original].data for original in stored}
    if name == "omnidocbench":
        files = next(one for one in upstream.commits(name) if one.sha == plan.revision).files
        assert stored == {original: files[original].data for original in stored}


@every_source
def test_the_manifest_can_hold_the_evidence(name, shelf, upstream):
    plan = shelf(name, upstream).plan()
    evidence = json.loads(json.dumps(plan.evidence))
    assert evidence == plan.evidence
    if name in SITES:
        assert plan.revision == f"etag:{evidence['etag']}"
        assert evidence["bytes"] == plan.bytes_full
    else:
        assert re.fullmatch("[0-9a-f]{40}", plan.revision)
        assert evidence["commit"] == plan.revision
        assert evidence["date"]
        assert evidence["newest"]["commit"] != plan.revision


@every_source
def test_the_users_own_copy_serves_without_any_traffic(name, shelf, upstream, tmp_path):
    mine = shelf(name, upstream)
    copy = upstream.write_archive(name, tmp_path / "copy")
    if name == "omnidocbench":  # the newest state is not the one that the labels mean
        write(right_pages(upstream), copy)
    plan = mine.plan(local=copy)
    assert mine.get(plan) == []
    assert mine.pixels(plan) == mine.expected()
    assert mine.http.traffic.requests == 0
    assert plan.revision.startswith("local-")
    assert plan.evidence["local"] is True


def right_pages(upstream):
    return next(one for one in upstream.commits("omnidocbench") if one.sha == upstream.revision("v1.5")).files


def write(files, folder):
    for path in folder.rglob("*"):
        if path.is_file():
            path.unlink()
    for name, one in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(one.data)


@every_source
def test_another_copy_has_another_revision(name, shelf, upstream, tmp_path):
    mine = shelf(name, upstream)
    copy = upstream.write_archive(name, tmp_path / "copy")
    if name == "omnidocbench":
        write(right_pages(upstream), copy)
    first = mine.plan(local=copy).revision
    assert mine.plan(local=copy).revision == first
    if copy.is_file() and name == "vistext":
        import zipfile

        with zipfile.ZipFile(copy, "a") as archive:
            archive.writestr("images/one_more.png", b"x")
    elif copy.is_file():
        copy.write_bytes(copy.read_bytes() + b"\0" * 512)
    else:
        (copy / "one_more.txt").write_text("x")
    assert mine.plan(local=copy).revision != first


@every_source
def test_a_file_replaced_by_another_of_its_size_makes_another_copy(name, shelf, upstream, tmp_path):
    """Here in the middle of an archive of which only the ends are looked at, and of the last file of a folder."""
    mine = shelf(name, upstream)
    copy = upstream.write_archive(name, tmp_path / "copy")
    if name == "omnidocbench":
        write(right_pages(upstream), copy)
    first = mine.plan(local=copy).revision
    changed = copy if copy.is_file() else max(path for path in copy.rglob("*.*") if path.is_file())
    told = changed.stat()
    os.utime(changed, ns=(told.st_atime_ns, told.st_mtime_ns + 1))
    assert mine.plan(local=copy).revision != first


@every_source
def test_a_copy_that_is_not_there_is_a_mistake_that_names_the_option(name, shelf, upstream, tmp_path):
    with pytest.raises(UsageError, match=f"--local-archive {name}="):
        shelf(name, upstream).plan(local=tmp_path / "nowhere")


@pytest.mark.parametrize("name", SITES)
def test_a_site_has_no_revisions(name, shelf, upstream):
    with pytest.raises(UsageError, match=f"{name} has no revisions"):
        shelf(name, upstream).plan(revision="0" * 40)


@pytest.mark.parametrize("name", SITES)
def test_a_site_that_names_no_version_has_that_of_its_size_and_the_manifest_says_so(name, shelf, upstream, monkeypatch):
    place = shelf(name, upstream).plan().where.removeprefix("https://")
    with HostileServer() as plain:
        plain.put(f"/{place}", upstream.content.sites[place], ETag=None)
        monkeypatch.setenv("SOBENCH_SITES_URL", plain.url)
        mine = shelf(name, upstream)
        plan = mine.plan()
        assert plan.revision == f"size:{plan.bytes_full}"
        assert "by its size alone" in plan.evidence["version"]
        assert mine.get(plan) == []
        assert mine.pixels(plan) == mine.expected()


@pytest.mark.parametrize("name", SITES)
def test_a_dead_host_is_told_with_the_way_around_it(name, shelf, upstream):
    upstream.faults.add("/sites/*", Fault.status(503, times=None))
    with pytest.raises(FetchError, match=f"--local-archive {name}=PATH"):
        shelf(name, upstream).plan()


@pytest.mark.parametrize("name", HUB)
def test_a_revision_is_a_commit_in_full_its_first_digits_or_main(name, shelf, upstream):
    mine = shelf(name, upstream)
    right = upstream.revision("v1.5") if name == "omnidocbench" else upstream.commits(name)[-1].sha
    assert mine.plan(revision=right).revision == right
    assert mine.plan(revision=right[:9]).revision == right
    if name != "omnidocbench":
        assert mine.plan(revision="main").revision == right
    with pytest.raises(UsageError, match=f"--revision {name}=v2"):
        mine.plan(revision="v2")
    with pytest.raises(FetchError, match="--revision"):
        mine.plan(revision="f" * 40)


@pytest.mark.parametrize("name", HUB)
def test_a_revision_and_an_own_copy_contradict_each_other(name, shelf, upstream, tmp_path):
    copy = upstream.write_archive(name, tmp_path / "copy")
    with pytest.raises(UsageError, match="either --revision or --local-archive"):
        shelf(name, upstream).plan(revision="main", local=copy)


@pytest.mark.parametrize("name", [name for name in HUB if name != "omnidocbench"])
def test_without_a_revision_the_last_commit_up_to_the_paper_is_taken(name, shelf, upstream):
    plan = shelf(name, upstream).plan()
    assert plan.revision == upstream.commits(name)[-2].sha
    assert plan.evidence["newest"]["commit"] == upstream.commits(name)[-1].sha


@every_source
def test_what_was_stored_before_a_kill_is_never_asked_for_again(name, shelf, upstream):
    mine = shelf(name, upstream)
    plan = mine.plan()

    def killed(original, data):
        if mine_count():
            raise KeyboardInterrupt
        mine.store.put(original, data)

    def mine_count():
        return sum(mine.store.has(original) for names in plan.originals.values() for original in names)

    with pytest.raises(KeyboardInterrupt):
        mine.get(plan, killed)
    assert mine_count() >= 1
    again = []

    def put(original, data):
        again.append(original)
        mine.store.put(original, data)

    assert mine.get(mine.plan(), put) == []
    assert len(again) == len(set(again))
    assert mine.pixels(plan) == mine.expected()
    every = {original for names in plan.originals.values() for original in names}
    assert 0 < len(again) < len(every)


@every_source
def test_a_label_of_another_shape_has_a_reason_and_harms_no_other(name, shelf, upstream):
    mine = shelf(name, upstream)
    strange = ("elsewhere.jpg", "../../outside.jpg", "images/../../outside.jpg", "extracted/../../outside.webp")
    plan = mine.plan(wanted=mine.wanted() + tuple(Wanted(image) for image in strange))
    assert set(plan.unavailable) == set(strange)
    assert all(reason for reason in plan.unavailable.values())
    assert mine.get(plan) == []
    assert mine.pixels(plan) == mine.expected()


@every_source
def test_an_image_that_is_not_there_is_told_by_name(name, shelf, lacking):
    mine = shelf(name, lacking)
    plan = mine.plan()
    faults = mine.get(plan)
    assert mine.pixels(plan) == mine.expected()
    lost = set(mine.labels) - set(mine.expected())
    assert lost
    for doc in lost:
        image = mine.image(mine.labels[doc])
        reasons = [plan.unavailable.get(image, ""), *faults]
        told = {"vistext": "images/", "docvqa": " 1", "infographicvqa": " 1"}.get(name, image.rpartition("/")[2])
        assert any(told in reason for reason in reasons), reasons


@every_source
def test_planning_changes_nothing_about_what_was_asked(name, shelf, upstream):
    """Plans are made anew at each start and must come out alike."""
    mine = shelf(name, upstream)
    first, second = mine.plan(), mine.plan()
    assert [unit.names for unit in first.units] == [unit.names for unit in second.units]
    assert replace(first, units=()) == replace(second, units=())
