"""`sobench prepare` as a user runs it, on a synthetic upstream of the real one's layout."""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from sobench_metrics.data import prepared
from sobench_metrics.data.sources import SOURCES
from tests.cli.conftest import assert_one_sentence
from tests.engines.upstream import COMMIT, DOMAIN_OF, Fault, Upstream

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def upstream():
    with Upstream() as server:
        yield server


@pytest.fixture(autouse=True)
def _good_again(request):
    if "upstream" in request.fixturenames:
        server = request.getfixturevalue("upstream")
        server.faults.clear()
        server.traffic.reset()


@pytest.fixture
def prepare(sobench, tmp_path):
    """Run `sobench prepare WORDS...` against a server; the home folder is `home` unless told otherwise."""

    def run(server, *words, home=None):
        env = {**server.env, "SOBENCH_HOME": str(home or tmp_path / "home")}
        return sobench("prepare", *words, **env)

    return run


def the_set(home):
    return prepared.prepared_root(home)


def manifest(home):
    return json.loads((the_set(home) / "manifest.json").read_text())


def pixels(home):
    return {doc_id: facts["pixel_sha256"] for doc_id, facts in manifest(home)["documents"].items()}


def contents(home):
    """All files of the set by name; of the manifest, what does not tell the time."""
    root = the_set(home)
    files = {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}
    told = json.loads(files.pop("manifest.json"))
    for source in told["sources"].values():
        source.pop("retrieved_at")
    return files, told


def die_at(step, upstream, home):
    """Prepare everything, killed at a step (0: not at all)."""
    env = {**os.environ, **upstream.env, "SOBENCH_HOME": str(home)}
    command = [sys.executable, "-m", "tests.engines.killed", str(step), "prepare"]
    return subprocess.run(command, env=env, cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def whole(upstream, tmp_path_factory):
    """A home folder with the complete set, prepared in one go; its contents are what any other way must come to."""
    home = tmp_path_factory.mktemp("whole")
    done = die_at(0, upstream, home)
    assert done.returncode == 0, done.stderr[-3000:]
    return home, done


def test_all_ten_sources_end_in_one_set_with_the_pixels_of_upstreams_own_pipeline(upstream, whole):
    home, done = whole
    told = manifest(home)
    assert set(told["sources"]) == set(SOURCES)
    assert pixels(home) == upstream.expected_pixels()
    assert told["partial"] is None
    assert told["upstream"]["commit"] == COMMIT
    assert sum(told["counts"]["domain"].values()) == told["expected_total"] == len(upstream.labels)
    assert f"set {told['prep_id']} in" in done.stdout
    assert not upstream.executed


def test_the_loader_finds_the_set_with_nothing_but_the_home_folder(upstream, whole):
    home, _ = whole
    for domain in prepared.DOMAINS:
        found = prepared.load(prepared.prepared_root(home), domain)
        wanted = {doc_id for doc_id, label in upstream.labels_by_id.items() if domain_of(label) == domain}
        assert {doc["doc_id"] for doc in found.docs} == wanted
        assert found.expected == len(wanted)


def domain_of(label):
    return DOMAIN_OF[label["image_url"].split("data/", 1)[1].split("/")[0]]


def test_labels_and_prompts_are_upstreams_but_for_null_labels(upstream, whole):
    home, _ = whole
    root = the_set(home)
    for domain in prepared.DOMAINS:
        for doc in prepared.load(root, domain).docs:
            label = upstream.labels_by_id[doc["doc_id"]]
            assert doc["schema_json"] == json.dumps(label["schema_json"])
            assert doc["target_json"] == json.dumps(label["structured_output"], ensure_ascii=False)
            assert doc["user_intent"] == label["user_intent"]
            assert doc["evaluation_labels_json"] == json.dumps(label["evaluation_labels"]).replace("null", '"ignore"')


@pytest.mark.parametrize("number", range(10))
def test_kill_9_at_ten_random_moments_ends_with_an_identical_set_and_fetches_nothing_twice(
    upstream, whole, tmp_path, number
):
    home, done = whole
    steps = int(done.stderr.rsplit("steps ", 1)[1])
    moment = random.Random(20261129).sample(range(1, steps), 10)[number]
    killed = die_at(moment, upstream, tmp_path / "home")
    assert killed.returncode == -signal.SIGKILL, killed.stderr[-3000:]
    before = upstream.traffic.bytes()
    last = die_at(0, upstream, tmp_path / "home")
    assert last.returncode == 0, last.stderr[-3000:]
    assert contents(tmp_path / "home") == contents(home)
    once = whole_traffic(done)
    # lost at most: what each of the four transfers had in flight, and the indexes that are asked for at every start
    assert upstream.traffic.bytes() <= once + min(before, IN_FLIGHT) + INDEXES


IN_FLIGHT = 4 * 1_000_000
INDEXES = 700_000


def whole_traffic(done):
    return float(done.stdout.split("moved ", 1)[1].split(" MB", 1)[0]) * 1e6


def test_a_second_run_moves_next_to_nothing_and_changes_nothing(upstream, whole, prepare, tmp_path):
    home, done = whole
    before = contents(home)
    again = prepare(upstream, home=home)
    assert again.returncode == 0, again.stderr
    assert "51 of 51 images are in a prepared set already" in again.stderr
    assert upstream.traffic.bytes() <= INDEXES < whole_traffic(done) / 10
    assert contents(home) == before


def test_the_dry_run_tells_what_would_happen_and_fetches_no_image(upstream, prepare, tmp_path):
    done = prepare(upstream, "--dry-run")
    assert done.returncode == 0, done.stderr
    for name, source in SOURCES.items():
        (row,) = [line for line in done.stdout.splitlines() if line.startswith(f"{name} ")]
        samples = sum(label["image_url"].startswith(f"data/{name}/") for label in upstream.labels)
        assert row.split()[1:3] == [source.domain, str(samples)]
        assert f"  {name}: {source.licence.name}" in done.stdout
    assert upstream.revision("v1.5")[:12] in done.stdout
    assert "samples by domain: chart 15, document 16, natural 5, ui 15" in done.stdout
    assert "commit " + COMMIT in done.stdout
    images = [path for path in (tmp_path / "home").rglob("*") if "at-" in str(path.relative_to(tmp_path))]
    assert images == []
    assert not (tmp_path / "home" / "prepared").exists()


def test_domains_gather_in_one_set_and_cost_nothing_twice(upstream, prepare, whole, tmp_path):
    home, _ = whole
    for domain, others in (("natural", ("chart",)), ("chart", ())):
        done = prepare(upstream, "--domains", domain)
        assert done.returncode == 0, done.stderr
        for other in others:
            assert not (the_set(tmp_path / "home") / "data" / other).exists()
    assert manifest(tmp_path / "home")["partial"] is None
    assert upstream.traffic.requests("sites/storage.googleapis.com") == 0
    assert upstream.traffic.requests("hub/lmms-lab") == 0
    assert prepare(upstream, "--domains", "document,ui").returncode == 0
    assert contents(tmp_path / "home") == contents(home)


def test_a_limit_makes_a_partial_set_that_says_so_everywhere(upstream, prepare, sobench, tmp_path):
    done = prepare(upstream, "--limit", "2", "--domains", "natural", "chart")
    assert done.returncode == 0, done.stderr
    assert "PARTIAL (--limit 2)" in done.stdout
    told = manifest(tmp_path / "home")
    assert told["partial"] == {"allowed_by": "--limit 2", "domains": {"chart": "6 of 15", "natural": "2 of 5"}}
    assert told["expected"]["domain"]["natural"] == 5
    checked = sobench("check", "--tasks", "sobench_natural", SOBENCH_HOME=str(tmp_path / "home"))
    assert "2 of 5 samples" in checked.stdout
    first = upstream.traffic.bytes("sites/s3")
    assert prepare(upstream, "--domains", "natural", "chart").returncode == 0
    assert manifest(tmp_path / "home")["partial"] is None
    assert upstream.traffic.bytes("sites/s3") <= max(first, upstream.full_bytes["hiertext"]) + 10


@pytest.fixture(scope="module")
def lacking():
    with Upstream(missing=("chartmuseum", "rico"), broken=("webui",)) as server:
        yield server


def test_missing_images_are_told_by_name_and_reason_and_nothing_is_built(lacking, prepare, tmp_path):
    done = prepare(lacking)
    assert done.returncode == 3
    assert "Traceback" not in done.stderr
    told = json.loads((tmp_path / "home" / "missing.json").read_text())
    by_source = {lacking.labels_by_id[doc_id]["image_url"].split("/")[1] for doc_id in told}
    assert by_source == {"chartmuseum", "rico", "webui"}
    for doc_id, reason in told.items():
        name = lacking.labels_by_id[doc_id]["image_url"].rsplit("/", 1)[1]
        (line,) = [line for line in done.stderr.splitlines() if line.startswith("missing: ") and doc_id in line]
        assert reason in line
        assert name.split(".")[0] in reason, reason
    assert "--allow-partial" in done.stderr
    assert not (tmp_path / "home" / "prepared").exists()


def test_a_partial_set_is_built_when_the_user_says_so(lacking, prepare, sobench, tmp_path):
    prepare(lacking)
    before = lacking.traffic.bytes()
    done = prepare(lacking, "--allow-partial")
    assert done.returncode == 0, done.stderr
    assert "PARTIAL (--allow-partial)" in done.stdout
    told = manifest(tmp_path / "home")
    missing = json.loads((tmp_path / "home" / "missing.json").read_text())
    assert {doc_id for source in told["sources"].values() for doc_id in source["missing"]} == set(missing)
    assert told["partial"]["allowed_by"] == "--allow-partial"
    assert sum(told["counts"]["domain"].values()) == len(lacking.labels) - len(missing)
    expected = {doc_id: sha for doc_id, sha in lacking.expected_pixels().items() if doc_id not in missing}
    assert pixels(tmp_path / "home") == expected
    assert lacking.traffic.bytes() - before < lacking.full_bytes["rico"]


def test_a_dead_host_costs_its_own_images_and_leaves_those_of_the_set(upstream, prepare, whole, tmp_path):
    shutil.copytree(whole[0], tmp_path / "home")
    upstream.faults.add("*/vis.csail.mit.edu/*", Fault.status(404, None))
    kept = prepare(upstream)
    assert kept.returncode == 0, kept.stderr
    assert contents(tmp_path / "home") == contents(whole[0])
    alone = prepare(upstream, "--sources", "vistext", "chartmuseum", home=tmp_path / "other")
    assert alone.returncode == 3
    assert "--local-archive vistext=PATH" in alone.stderr
    upstream.faults.clear()
    assert prepare(upstream, "--domains", "chart", home=tmp_path / "other").returncode == 0


def test_an_own_copy_of_everything_needs_no_network_at_all(upstream, prepare, whole, tmp_path):
    words = ["--upstream-dir", str(upstream.write_clone(tmp_path / "clone"))]
    for name in SOURCES:
        words += ["--local-archive", f"{name}={upstream.write_archive(name, tmp_path / 'own' / name)}"]
    # a folder of the hub holds the newest pages; the labels speak of an earlier revision
    words = [word for word in words if not word.startswith("omnidocbench=")]
    words.pop(2 * list(SOURCES).index("omnidocbench") + 2)
    upstream.traffic.reset()
    done = prepare(upstream, *words)
    assert done.returncode == 0, done.stderr
    asked = {path for path, count in upstream.traffic.requests_by_path.items() if count}
    assert all(path == "hub" or path.startswith("hub/opendatalab/") for path in asked), asked
    assert pixels(tmp_path / "home") == upstream.expected_pixels()
    assert manifest(tmp_path / "home")["prep_id"] == manifest(whole[0])["prep_id"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--domains", "uix"], ["--domains uix", "choose from ui, natural"]),
        (["--sources", "rico,nope"], ["--sources nope", "rico"]),
        (["--domains", "natural", "--sources", "rico"], ["no source is left"]),
        (["--limit", "0"], ["--limit 0"]),
        (["--jobs", "99"], ["--jobs 99", "from 1 to 16"]),
        (["--revision", "docvqa"], ["--revision SOURCE=SHA"]),
        (["--revision", "nope=1"], ["'nope' is none of upstream, hiertext"]),
        (["--revision", "upstream=abc"], ["upstream", "40"]),
        (["--local-archive", "rico=/nowhere/at/all"], ["--local-archive /nowhere/at/all does not exist"]),
        (["--upstream-dir", "/nowhere/at/all"], ["--upstream-dir /nowhere/at/all does not exist"]),
        (["--upstream-dir", "."], ["lacks data/labels.zip", "--upstream-dir"]),
    ],
)
def test_a_mistake_is_one_sentence(upstream, prepare, words, told):
    assert_one_sentence(prepare(upstream, *words), *told)


def test_a_revision_that_a_source_cannot_have_costs_that_source(upstream, prepare):
    done = prepare(upstream, "--sources", "hiertext", "--revision", f"hiertext={'a' * 40}")
    assert done.returncode == 2
    assert "hiertext has no revisions" in done.stderr


def test_one_set_as_home_is_refused(upstream, prepare, whole):
    assert_one_sentence(prepare(upstream, home=the_set(whole[0])), "is one prepared set")


def test_without_network_the_first_thing_that_is_missing_is_named(sobench, tmp_path):
    nowhere = {"SOBENCH_UPSTREAM_URL": "http://127.0.0.1:9", "SOBENCH_HOME": str(tmp_path / "home")}
    done = sobench("prepare", **nowhere)
    assert_one_sentence(done, "--upstream-dir")


@pytest.fixture
def small_disk(tmp_path):
    """A disk of 1.5 MB, where this process may mount one; it is made larger by calling what is given."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1500k", "tmpfs", str(place)]
    if shutil.which("mount") is None or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("no disk can be mounted here")
    yield place, lambda: subprocess.run(["mount", "-o", "remount,size=30m", str(place)], check=True)
    subprocess.run(["umount", str(place)], check=True)


def test_a_full_disk_is_a_sentence_and_loses_nothing(upstream, prepare, whole, small_disk):
    place, enlarge = small_disk
    done = prepare(upstream, home=place / "home")
    assert_one_sentence(done, "is full: free at least", "nothing is lost")
    assert "may be written" in done.stderr
    assert_one_sentence(prepare(upstream, home=place / "home"), "is full")
    enlarge()
    assert prepare(upstream, home=place / "home").returncode == 0
    assert contents(place / "home") == contents(whole[0])


def test_ctrl_c_says_how_to_go_on(upstream, tmp_path):
    upstream.faults.add("*/unique_uis.tar.gz", Fault.hang())
    process = subprocess.Popen(
        [sys.executable, "-m", "sobench_metrics.cli.main", "prepare", "--sources", "rico"],
        env={**os.environ, **upstream.env, "SOBENCH_HOME": str(tmp_path)}, cwd=ROOT,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        upstream.faults.wait_for("hang")
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 130
    assert told.strip().splitlines()[-1] == "sobench: interrupted; repeat the command to go on from here"
    assert "Traceback" not in told


def test_two_at_once_are_refused(upstream, prepare, tmp_path):
    from sobench_metrics.data.lock import locked

    with locked(tmp_path / "home"):
        assert_one_sentence(prepare(upstream), "at work in")


def test_importing_the_command_loads_nothing_heavy():
    code = (
        "import sys, sobench_metrics.cli.prepare, sobench_metrics.data.sources;"
        "print([name for name in ('requests', 'pyarrow', 'PIL', 'huggingface_hub', 'tqdm') if name in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
