"""`status` tells what is there, whatever state it is in, and changes nothing."""

import json

from sobench_metrics.data.lock import locked
from sobench_metrics.data.status import survey
from tests.data.test_gc import home, kept, put
from tests.engines import prepared_set
from tests.engines.prepared_set import write_set

__all__ = ["home"]


def test_an_empty_home_need_not_exist(tmp_path):
    status = survey(tmp_path / "nowhere")
    assert (status.sets, status.originals, status.freed_by_gc, status.preparing) == ((), (), 0, False)
    assert not (tmp_path / "nowhere").exists()


def test_sets_and_everything_beside_them(home):
    before = kept(home)
    status = survey(home)
    assert kept(home) == before
    assert [(entry.prep_id, entry.current) for entry in status.sets] == [("set-0001", True), ("set-0002", False)]
    first = status.sets[0]
    assert first.domains == {"chart": (1, 1), "document": (2, 2), "natural": (2, 2), "ui": (5, 5)}
    assert first.sources["rico"] == {"domain": "ui", "revision": "rico-rev-1", "found": 3, "wanted": 3}
    assert first.bytes == sum(path.stat().st_size for path in (home / "prepared/set-0001").rglob("*") if path.is_file())
    assert [(place.name, place.bytes, place.files) for place in status.originals] == [
        ("raw/rico", 1100, 2), ("raw/webui", 10, 1),
    ]  # fmt: skip
    assert [(place.name, place.bytes) for place in status.half_read] == [
        ("raw/rico/index/unique_uis.tar.gz.spool", 1000)
    ]
    assert [place.bytes for place in status.rendered] == [50]
    assert sum(place.bytes for place in status.leftovers) == 30 + 7 + 3
    assert [(place.name, place.bytes) for place in status.upstream] == [("c0ffee", 7)]
    assert status.freed_by_gc == 1200
    assert status.freed_by_gc_sets == status.sets[1].bytes
    assert json.loads(json.dumps(status.as_json()))["freed_by_gc"] == 1200


def test_what_is_missing_is_that_of_the_last_run(tmp_path):
    partial = {"allowed_by": "--allow-partial", "domains": {"ui": "4 of 5"}}
    missing = {"rico": {"rico_0000": "gone from the archive"}}
    write_set(tmp_path, prepared_set.docs()[1:], partial=partial, missing=missing)
    status = survey(tmp_path)
    assert status.missing == {"rico_0000": "gone from the archive"}
    assert (status.sets[0].samples, status.sets[0].expected, status.sets[0].partial) == (9, 10, partial)
    (tmp_path / "missing.json").write_text('{"webui_0000": "404"}')
    assert survey(tmp_path).missing == {"webui_0000": "404"}
    (tmp_path / "missing.json").write_text("{half")
    assert survey(tmp_path).missing == {"rico_0000": "gone from the archive"}


def test_a_running_prepare_is_seen(home):
    with locked(home):
        assert survey(home).preparing
    assert not survey(home).preparing


def test_a_damaged_manifest_is_told_beside_the_other_sets(home):
    put(home / "prepared/set-0002/manifest.json")
    good, bad = survey(home).sets
    assert good.fault == ""
    assert "cannot read" in bad.fault
    put(home / "prepared/set-0001/manifest.json")
    assert survey(home).missing == {}


def test_sets_without_a_current_one(home):
    (home / "prepared/current").unlink()
    status = survey(home)
    assert [entry.current for entry in status.sets] == [False, False]
    assert status.freed_by_gc_sets == 0


def test_a_set_on_another_disk_may_be_linked(home, tmp_path):
    linked = write_set(tmp_path / "another disk", prep_id="set-0009")
    (home / "prepared/set-0009").symlink_to(linked)
    (home / "prepared/current").write_text("set-0009\n")
    assert [entry.prep_id for entry in survey(home).sets if entry.current] == ["set-0009"]


def test_a_downloaded_set_is_a_home(tmp_path):
    root = write_set(tmp_path)
    (entry,) = survey(root).sets
    assert entry.current
    assert entry.samples == 10
