"""A generated set on the disk: whole, provable, the same for the same seed, and picked up where a run stopped."""

import hashlib
import json
from dataclasses import replace

import pytest

pytest.importorskip("matplotlib")

from sobench_metrics.data import images, prepared
from sobench_metrics.data.prepared_sets import read_manifest
from sobench_metrics.data.sample import sample_home, sample_pictures
from sobench_metrics.data.sample_maker.fresh import generation, row_maker, settings
from sobench_metrics.data.sample_maker.fresh.generation import generate
from sobench_metrics.data.sample_maker.fresh.settings import Settings
from sobench_metrics.data.verify import verify
from sobench_metrics.errors import UsageError

FEW = Settings(5, 10, prepared.DOMAINS)


@pytest.fixture(scope="module", autouse=True)
def small_files():
    """Files of two rows, so that ten rows are six files."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(settings, "_SHARD", 2)
        yield


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("generated") / "set"
    return folder, generate(FEW, folder)


def files_of(folder):
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def test_the_set_is_laid_out_as_prepared_data_and_sound(made):
    folder, result = made
    assert result.made == 10
    assert read_manifest(folder).prep_id == FEW.prep_id
    docs = {domain: prepared.load(folder, domain).docs for domain in prepared.DOMAINS}
    assert {domain: len(found) for domain, found in docs.items()} == {"ui": 3, "natural": 3, "document": 2, "chart": 2}
    for found in docs.values():
        assert [doc["doc_id"] for doc in found] == sorted({doc["doc_id"] for doc in found})
        for doc in found:
            assert doc["prep_id"] == FEW.prep_id
            picture = images.open_image(images.read_bytes(prepared.image_of(folder, doc)))
            assert picture.size == (doc["width"], doc["height"])
            assert row_maker.faults(doc) == []
    report = verify(folder)
    assert [one for check in report.checks for one in check.deviations] == []


def test_the_manifest_names_every_file_with_its_hash(made):
    folder, result = made
    found = files_of(folder)
    del found["manifest.json"]
    assert {name: entry["sha256"] for name, entry in result.manifest["files"].items()} == {
        name: hashlib.sha256(content).hexdigest() for name, content in found.items()
    }
    assert sum(result.manifest["counts"]["source"].values()) == 10


def test_same_seed_same_bytes_in_one_process_or_several_stopped_or_not(made, tmp_path):
    folder, _ = made

    def stop(rows):
        if rows == 6:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        generate(FEW, tmp_path / "again", seen=stop)
    left = tmp_path / "again" / ".unfinished"
    whole = [file.name for file in left.rglob("*.parquet")]
    assert len(whole) == 3  # ui has two files, natural one; the rows of the next one are lost
    (left / "data" / "natural" / "test-00001-of-00002.growing").write_bytes(b"a kill in the middle")
    assert generate(FEW, tmp_path / "again", workers=2).made == 5
    assert files_of(tmp_path / "again") == files_of(folder)


def test_a_row_does_not_depend_on_how_many_are_wanted(made):
    folder, _ = made
    (doc, *_) = prepared.load(folder, "chart").docs
    alone = row_maker.made_row(5, "chart", 0).row
    assert (alone["doc_id"], alone["image_sha256"]) == (doc["doc_id"], doc["image_sha256"])
    assert row_maker.made_row(6, "chart", 0).row["image_sha256"] != alone["image_sha256"]


def test_a_finished_set_is_left_as_it_is_and_another_one_refused(made, tmp_path):
    folder, result = made
    again = generate(FEW, folder)
    assert (again.made, again.manifest) == (0, result.manifest)
    with pytest.raises(UsageError, match=r"another set \(it differs in: seed\)"):
        generate(replace(FEW, seed=6), folder)
    with pytest.raises(UsageError, match=r"another set \(it differs in: generator, "):
        generate(FEW, sample_home())
    (tmp_path / "data").mkdir()
    with pytest.raises(UsageError, match="was not made by this command"):
        generate(FEW, tmp_path)


def test_a_damaged_set_is_not_taken_for_whole(tmp_path):
    one = Settings(5, 1, ("ui",))
    generate(one, tmp_path)
    (tmp_path / "data" / "ui" / "test-00000-of-00001.parquet").write_bytes(b"")
    with pytest.raises(UsageError, match="not as its manifest says"):
        generate(one, tmp_path)


def test_two_runs_do_not_write_into_one_another_nor_where_nobody_may(tmp_path):
    def second_run(rows):
        if rows == 1:
            with pytest.raises(UsageError, match=r"another run is writing in .*: wait until it ends"):
                generate(Settings(5, 2, ("ui",)), tmp_path / "set")

    assert generate(Settings(5, 2, ("ui",)), tmp_path / "set", seen=second_run).made == 2
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match=r"cannot write in .*file .*: mend that, or name another --out"):
        generate(Settings(5, 1, ("ui",)), tmp_path / "file")


def test_no_two_pictures_are_the_same(tmp_path, monkeypatch):
    """Whatever is drawn twice gives way to the next draw of its number."""
    kept = generation.made_row

    def of_few(seed, domain, number, first=0):
        made = kept(1, domain, first, 0)  # every number draws the same documents in turn
        row = {**made.row, "doc_id": row_maker.name_of(domain, number)}
        return replace(made, row=row, attempt=first)

    monkeypatch.setattr(generation, "made_row", of_few)
    found = generate(Settings(1, 3, ("ui",)), tmp_path).manifest
    assert len({entry["pixel_sha256"] for entry in found["documents"].values()}) == 3
    assert found["draws_replaced"] >= 3


def test_the_sample_tasks_ask_the_named_set(made, monkeypatch, tmp_path):
    folder, _ = made
    monkeypatch.delenv("SOBENCH_SAMPLE", raising=False)
    assert sample_pictures() == sample_home()
    monkeypatch.setenv("SOBENCH_SAMPLE", str(folder))
    assert sample_pictures() == folder
    monkeypatch.setenv("SOBENCH_SAMPLE", str(tmp_path))
    with pytest.raises(UsageError, match="holds no set: make one by `sobench generate sobench-sample`"):
        sample_pictures()
    (tmp_path / "manifest.json").write_text(json.dumps({"prep_id": "sobench-0123"}))
    with pytest.raises(UsageError, match="is the set sobench-0123, which is no sample"):
        sample_pictures()


def test_a_run_on_it_says_so_in_its_signature(made, monkeypatch):
    pytest.importorskip("lm_eval")
    from lm_eval_tasks.commands.baseline import run_baseline

    monkeypatch.setenv("SOBENCH_SAMPLE", str(made[0]))
    results = run_baseline("oracle", ["sobench_ui_sample"])
    assert f"|data={FEW.prep_id}|n=3/3|" in results["configs"]["sobench_ui_sample"]["metadata"]["signature"]
    assert results["results"]["sobench_ui_sample"]["strict_full_match,none"] == 1
    assert FEW.prep_id.startswith("generated-")
