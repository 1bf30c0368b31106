"""`sobench prepare` where something is there already: it may only become better, and says what it does."""

import json
import os
import shutil
import signal
import subprocess
import sys

import pytest

from sobench_metrics.data import prepared
from tests.cli.conftest import assert_one_sentence
from tests.cli.test_prepare import ROOT, contents, manifest, pixels, the_set
from tests.engines.upstream import Fault, Upstream


@pytest.fixture(scope="module")
def upstream():
    with Upstream() as server:
        yield server


@pytest.fixture(autouse=True)
def _good_again(upstream):
    upstream.faults.clear()
    upstream.traffic.reset()


@pytest.fixture(scope="module")
def whole(upstream, tmp_path_factory):
    home = tmp_path_factory.mktemp("whole")
    env = {**os.environ, **upstream.env, "SOBENCH_HOME": str(home)}
    command = [sys.executable, "-m", "sobench_metrics.cli.main", "prepare"]
    subprocess.run(command, env=env, check=True, capture_output=True, cwd=ROOT)
    return home


@pytest.fixture
def home(whole, tmp_path):
    """A home of its own with the complete set."""
    return shutil.copytree(whole, tmp_path / "home")


@pytest.fixture
def prepare(sobench, upstream, tmp_path):
    def run(*words, home=tmp_path / "home"):
        return sobench("prepare", *words, **upstream.env, SOBENCH_HOME=str(home))

    return run


@pytest.fixture
def clone(upstream, tmp_path):
    """A checkout of upstream with unzipped labels, to be changed."""
    folder = upstream.write_clone(tmp_path / "clone")
    (folder / "data" / "labels.zip").unlink()
    (folder / "data" / "labels").mkdir()
    for doc_id, label in upstream.labels_by_id.items():
        (folder / "data" / "labels" / f"{doc_id}.json").write_text(json.dumps(label))
    return folder


def change(clone, doc_id, **fields):
    file = clone / "data" / "labels" / f"{doc_id}.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), **fields}))


def total(home):
    return sum(manifest(home)["counts"]["domain"].values())


@pytest.mark.parametrize("name", ["chartmuseum", "omnidocbench", "webui"])
def test_a_revision_that_cannot_be_had_is_told_and_the_set_stays(upstream, prepare, home, whole, name):
    wrong = upstream.revision("v1.0") if name == "omnidocbench" else "0" * 40
    done = prepare("--revision", f"{name}={wrong}")
    assert_one_sentence(done, name)
    assert contents(home) == contents(whole)


def test_a_label_that_names_another_picture_gets_that_picture(upstream, prepare, home, clone, tmp_path):
    ids = [doc_id for doc_id, label in upstream.labels_by_id.items() if "/rico/" in label["image_url"]]
    one, other = (
        ids[0],
        next(i for i in ids if upstream.labels_by_id[i]["image_url"] != upstream.labels_by_id[ids[0]]["image_url"]),
    )
    change(clone, one, image_url=upstream.labels_by_id[other]["image_url"])
    assert prepare("--upstream-dir", str(clone)).returncode == 0
    assert pixels(home)[one] == upstream.expected_pixels()[other]


def test_a_label_that_asks_something_else_is_asked_so(upstream, prepare, home, clone):
    doc_id = next(iter(upstream.labels_by_id))
    change(clone, doc_id, user_intent="Something else.")
    assert prepare("--upstream-dir", str(clone)).returncode == 0
    domain = next(domain for domain in prepared.DOMAINS if doc_id in {
        doc["doc_id"] for doc in prepared.load(the_set(home), domain).docs
    })  # fmt: skip
    (doc,) = [doc for doc in prepared.load(the_set(home), domain).docs if doc["doc_id"] == doc_id]
    assert doc["user_intent"] == "Something else."
    assert pixels(home) == upstream.expected_pixels()


def test_another_table_of_vistext_makes_other_grids(upstream, prepare, home, clone, tmp_path):
    file = clone / "data" / "vistext_mapping.json"
    mapping = json.loads(file.read_text())
    file.write_text(json.dumps({name: members[::-1] for name, members in mapping.items()}))
    before = pixels(home)
    assert prepare("--upstream-dir", str(clone)).returncode == 0
    assert prepare("--upstream-dir", str(clone), home=tmp_path / "fresh").returncode == 0
    assert pixels(home) == pixels(tmp_path / "fresh") != before


def damage_footer(home):
    (file,) = (the_set(home) / "data" / "natural").glob("*.parquet")
    data = bytearray(file.read_bytes())
    data[-20] ^= 0xFF
    file.write_bytes(data)


def damage_a_picture(home):
    (file,) = (the_set(home) / "data" / "natural").glob("*.parquet")
    data = bytearray(file.read_bytes())
    place = data.index(b"\xff\xd8\xff")
    data[place + 300] ^= 0xFF
    file.write_bytes(data)


@pytest.mark.parametrize("damage", [damage_footer, damage_a_picture])
def test_damage_elsewhere_is_mended_and_costs_no_sample(prepare, home, whole, damage):
    damage(home)
    done = prepare("--sources", "vistext")
    assert done.returncode == 0, done.stderr
    assert "made again" in done.stderr
    assert contents(home) == contents(whole)


def test_damage_that_cannot_be_mended_is_told_and_the_set_stays_as_it_is(upstream, prepare, home):
    damage_footer(home)
    shutil.rmtree(home / "raw")
    upstream.faults.add("*/s3.amazonaws.com/*", Fault.status(404, None))
    done = prepare("--sources", "vistext")
    assert done.returncode == 3
    assert "hiertext" in done.stderr
    assert total(home) == 51


def test_a_domain_of_which_nothing_could_be_had_is_marked(upstream, prepare, tmp_path):
    upstream.faults.add("*/s3.amazonaws.com/*", Fault.status(404, None))
    done = prepare("--domains", "natural", "chart", "--allow-partial")
    assert done.returncode == 0
    assert "PARTIAL" in done.stdout
    assert manifest(tmp_path / "home")["partial"]["domains"] == {"natural": "0 of 5"}


def test_nothing_to_be_had_at_all_is_told_by_name(upstream, prepare, tmp_path):
    upstream.faults.add("*/s3.amazonaws.com/*", Fault.status(404, None))
    done = prepare("--domains", "natural", "--allow-partial")
    assert done.returncode == 3
    assert all(doc_id in done.stderr for doc_id in json.loads((tmp_path / "home" / "missing.json").read_text()))


def test_a_limit_takes_nothing_away(prepare, home, whole):
    for words in (["--limit", "1"], ["--limit", "1", "--domains", "ui"], ["--sources", "webui", "--limit", "2"]):
        assert prepare(*words).returncode == 0
        assert contents(home) == contents(whole)


def test_pictures_are_taken_from_any_set_on_the_disk(upstream, prepare, home, whole):
    (home / "prepared" / "current").unlink()
    shutil.rmtree(home / "raw")
    assert prepare().returncode == 0
    assert contents(home) == contents(whole)
    assert upstream.traffic.bytes("sites/storage.googleapis.com") < 10
    assert len(list((home / "prepared").glob("[!.]*/manifest.json"))) == 1


def test_flags_given_twice_add_up(prepare, tmp_path):
    assert prepare("--domains", "natural", "--domains", "chart", "--limit", "1").returncode == 0
    assert set(manifest(tmp_path / "home")["counts"]["domain"]) == {"natural", "chart"}


@pytest.mark.parametrize("pin", [["--revision", f"docvqa={'a' * 40}"], ["--local-archive", "rico=."]])
def test_a_pin_of_a_source_that_is_not_asked_for_is_refused(prepare, pin):
    assert_one_sentence(prepare("--domains", "natural", *pin), "is not among the sources asked for")


def test_a_set_on_another_disk_stays_where_it_is(prepare, home, whole, tmp_path):
    root = the_set(home)
    shutil.move(root, tmp_path / "disk")
    root.symlink_to(tmp_path / "disk")
    for _ in range(2):
        assert prepare().returncode == 0
        assert root.is_symlink()
        assert contents(home) == contents(whole)


@pytest.mark.parametrize("before_the_end", [1, 3, 5, 8, 12, 17, 23, 30])
def test_a_kill_while_sets_are_exchanged_leaves_a_whole_one(upstream, tmp_path, home, before_the_end):
    """The current set is damaged, so that its successor has the same id and must take its place."""
    damage_a_picture(home)
    env = {**os.environ, **upstream.env}

    def die_at(step, place):
        command = [sys.executable, "-m", "tests.engines.killed", str(step), "prepare"]
        return subprocess.run(
            command, env={**env, "SOBENCH_HOME": str(place)}, cwd=ROOT, capture_output=True, text=True, check=False
        )

    spare = shutil.copytree(home, tmp_path / "spare")
    steps = int(die_at(0, spare).stderr.rsplit("steps ", 1)[1])
    killed = die_at(steps - before_the_end, home)
    assert killed.returncode == -signal.SIGKILL, killed.stderr[-2000:]
    assert {domain: len(prepared.load(the_set(home), domain).docs) for domain in prepared.DOMAINS} == {
        "ui": 15, "natural": 5, "document": 16, "chart": 15,
    }  # fmt: skip
    assert die_at(0, home).returncode == 0
    assert contents(home) == contents(spare)
