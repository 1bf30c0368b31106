"""The synthetic upstream must behave as the real places do for the real client library, and misbehave as told."""

import ast
import io
import json
import os
import re
import subprocess
import sys
import tarfile
import zipfile
from collections import Counter
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import requests
from huggingface_hub import HfApi, hf_hub_download, hf_hub_url, snapshot_download
from huggingface_hub.errors import (
    EntryNotFoundError,
    GatedRepoError,
    RepositoryNotFoundError,
    RevisionNotFoundError,
)
from jsonschema import Draft202012Validator
from PIL import Image

from tests.engines.upstream import COMMIT, DOMAIN_OF, TOKEN, Fault, Upstream
from tests.engines.upstream import content as contents
from tests.engines.upstream.twin import jpegs, pixel_hash

PAGES, QUESTIONS = "opendatalab/OmniDocBench", "lmms-lab/DocVQA"


@pytest.fixture
def upstream(monkeypatch):
    with Upstream() as server:
        server.use(monkeypatch)
        yield server


@pytest.fixture
def api(upstream):
    return HfApi(endpoint=upstream.env["HF_ENDPOINT"])


def site(server, source):
    return server.base + "/sites/" + {"rico": contents.RICO_URL, "vistext": contents.VISTEXT_URL}[source]


# --- content


def test_a_seed_decides_every_byte():
    contents.build.cache_clear()
    one = contents.build(contents.Options(seed=1))
    contents.build.cache_clear()
    again, other = contents.build(contents.Options(seed=1)), contents.build(contents.Options(seed=2))
    assert one is not again
    assert (one.labels, one.github, one.sites, one.repos) == (again.labels, again.github, again.sites, again.repos)
    assert one.labels != other.labels
    assert all(one.sites[place] != other.sites[place] for place in one.sites)


def test_every_source_is_labelled_and_mostly_unwanted():
    with Upstream() as server:
        sources = Counter(label["image_url"].split("/")[1] for label in server.labels)
        assert set(sources) == set(DOMAIN_OF)
        assert min(sources.values()) >= 4
        assert all(server.full_bytes[source] >= 3_000_000 for source in DOMAIN_OF)
        assert all(server.wanted_bytes[source] < server.full_bytes[source] / 10 for source in DOMAIN_OF)
        assert sum(server.full_bytes.values()) < 60_000_000


def _shape(value, leaf):
    if isinstance(value, dict):
        return {name: _shape(one, leaf) for name, one in value.items()}
    return [_shape(one, leaf) for one in value] if isinstance(value, list) else leaf(value)


def test_labels_are_valid_against_their_own_schema_and_marked_leaf_by_leaf():
    marks, forms = Counter(), Counter()
    for label in contents.build(contents.Options()).labels.values():
        Draft202012Validator(label["schema_json"]).validate(label["structured_output"])
        assert _shape(label["structured_output"], lambda _: 0) == _shape(label["evaluation_labels"], lambda _: 0)
        _shape(label["evaluation_labels"], lambda mark: marks.update([mark]))
        forms[type(label["structured_output"])] += 1
        schema = label["schema_json"]
        assert json.dumps(schema) != json.dumps(schema, sort_keys=True)
    assert set(marks) == {"exact", "fuzzy", "ignore", None}
    assert set(forms) == {dict, list}


def test_the_label_archive_is_upstreams_with_its_junk(upstream):
    held = requests.get(f"{upstream.env['SOBENCH_UPSTREAM_URL']}/{COMMIT}/data/labels.zip", timeout=10).content
    with zipfile.ZipFile(io.BytesIO(held)) as archive:
        names = [name for name in archive.namelist() if re.fullmatch(r"labels/[^./][^/]*\.json", name)]
        read = {name[7:-5]: json.loads(archive.read(name)) for name in names}
        assert any(name.startswith("__MACOSX/") for name in archive.namelist())
    assert read == upstream.labels_by_id


def test_labels_may_lie_behind_a_pointer(monkeypatch):
    with Upstream(labels_in_lfs=True) as server:
        pointer = requests.get(f"{server.base}/github/{COMMIT}/data/labels.zip", timeout=10).text
        media = f"{server.base}/sites/media.githubusercontent.com/media/apple/ml-sobench/{COMMIT}/data/labels.zip"
        held = requests.get(media, timeout=10).content
    assert pointer.splitlines()[2] == f"size {len(held)}"
    assert len(zipfile.ZipFile(io.BytesIO(held)).namelist()) > 50


def test_running_the_conversion_script_is_noticed(upstream, tmp_path):
    upstream.write_clone(tmp_path)
    source = (tmp_path / "convert_to_eval_jsonl.py").read_text(encoding="utf-8")
    named = [node.targets[0].id for node in ast.parse(source).body if isinstance(node, ast.Assign)]
    assert named == ["_SYSTEM_PROMPT", "_USER_PROMPT"]
    assert not upstream.executed
    subprocess.run(
        [sys.executable, "-c", "import convert_to_eval_jsonl"],
        cwd=tmp_path,
        env={**os.environ, **upstream.env},
        check=True,
    )
    assert upstream.executed


def test_the_archives_are_what_the_sites_have(upstream):
    with tarfile.open(fileobj=io.BytesIO(requests.get(site(upstream, "rico"), timeout=10).content)) as archive:
        names = archive.getnames()
    wanted = {label["image_url"].rpartition("/")[2] for label in upstream.labels if "/rico/" in label["image_url"]}
    places = [place for place, name in enumerate(names) if name.rpartition("/")[2] in wanted]
    assert len(places) == len(wanted)
    assert places[-1] < len(names) * 0.85  # whoever stops there saves something


def test_one_wanted_member_lies_in_two_parts_of_the_cut_zip(upstream):
    files = upstream.commits("webui")[-1].files
    parts = [files[name].data for name in sorted(files) if ".zip." in name]
    boundaries = [sum(map(len, parts[:count])) for count in range(1, len(parts))]
    wanted = {label["image_url"].removeprefix("data/webui/extracted/") for label in upstream.labels}
    with zipfile.ZipFile(io.BytesIO(b"".join(parts))) as archive:
        inside = [
            one
            for one in archive.infolist()
            if one.filename in wanted
            and any(one.header_offset + 99 < cut < one.header_offset + one.compress_size for cut in boundaries)
        ]
    assert len(inside) == 1


@pytest.mark.parametrize("version", ["v1.0", "v1.5", "v1.6"])
def test_a_page_number_means_another_page_in_every_revision(version):
    from tests.engines.upstream.pages import kept, revisions

    with Upstream(omnidocbench=version) as server:
        mine = {
            int(label["image_url"][-10:-4]): label for label in server.labels if "omnidocbench" in label["image_url"]
        }
    every = {
        name: kept(one) for name, one in revisions(contents._Maker(contents.Options()).rng("omnidocbench")).items()
    }
    for place, label in mine.items():
        files = [pages[place].file for pages in every.values() if place < len(pages)]
        assert len(set(files)) == len(files)
        record = label["structured_output"]
        heading = (record[0] if isinstance(record, list) else record)["heading"]
        assert heading == every[version][place].heading
    assert (max(mine) >= len(every["v1.0"])) == (version != "v1.0")


def test_pictures_are_awkward_in_every_way():
    seen, marks = Counter(), Counter()
    for one in contents.build(contents.Options()).repos.values():
        for name, held in one[-1].files.items():
            if name.endswith((".png", ".jpg", ".webp")):
                with Image.open(io.BytesIO(held.data)) as image:
                    seen[image.format, image.mode] += 1
                    marks.update(
                        {
                            "turned": 0x0112 in image.getexif(),
                            "comment": "comment" in image.info,
                            "big": image.width >= 3000,
                        }
                    )
    assert {
        ("PNG", "RGBA"),
        ("PNG", "P"),
        ("PNG", "LA"),
        ("PNG", "I;16"),
        ("JPEG", "CMYK"),
        ("WEBP", "RGB"),
        ("JPEG", "RGB"),
    } <= set(seen)
    assert min(marks["turned"], marks["comment"], marks["big"]) >= 1


# --- the twin


def test_the_twin_has_a_picture_for_every_label_and_none_for_a_lost_one():
    with Upstream() as server:
        assert server.expected_pixels().keys() == server.labels_by_id.keys()
    with Upstream(missing=["rico", "docvqa"], broken=["screenspotpro", "vistext"]) as server:
        lost = server.labels_by_id.keys() - server.expected_pixels().keys()
        assert Counter(name.partition("_")[0] for name in lost) == Counter(rico=1, docvqa=1, screenspotpro=1, vistext=1)


def test_the_twin_turns_what_datasets_turns_and_nothing_else():
    datasets = pytest.importorskip("datasets")
    with Upstream(chartqapro="image") as server, Upstream() as plain:
        for source, table in (("docvqa", "DocVQA/test-00000-of-00003"), ("chartqapro", "data/test-00000-of-00002")):
            shard = server.commits(source)[-1].files[f"{table}.parquet"].data
            decoded = datasets.Image()
            rows = pq.read_table(io.BytesIO(shard)).to_pylist()
            upright = {decoded.decode_example(row["image"]).size for row in rows}
            sizes = [
                Image.open(io.BytesIO(one)).size
                for name, one in jpegs(server.content).items()
                if name.startswith(source)
            ]
            assert upright & set(sizes)
        binary, image = jpegs(plain.content), jpegs(server.content)
        charts = [name for name in binary if name.startswith("chartqapro")]
        turned = [name for name in charts if pixel_hash(binary[name]) != pixel_hash(image[name])]
        assert len(turned) == 1


def test_a_page_may_have_145_megapixels(monkeypatch):
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", None)
    with Upstream(huge_page=True) as server:
        files = server.commits("omnidocbench")[-1].files.items()
        sizes = [Image.open(io.BytesIO(one.data)).size for name, one in files if name.endswith("_005.png")]
        assert sizes == [(10_142, 14_342)]
        places = {name for name, label in server.labels_by_id.items() if "omnidocbench" in label["image_url"]}
        assert (10_142, 14_342) in {Image.open(io.BytesIO(jpegs(server.content)[name])).size for name in places}


# --- the hub, by its own client


def test_commits_come_newest_first_over_several_answers(upstream, api):
    listed = api.list_repo_commits(PAGES, repo_type="dataset")
    assert [one.commit_id for one in listed] == [one.sha for one in reversed(upstream.commits("omnidocbench"))]
    assert [one.created_at for one in listed] == sorted((one.created_at for one in listed), reverse=True)
    before = [one.commit_id for one in listed if one.created_at.isoformat() < "2025-09-25"]
    assert before[0] == upstream.revision("v1.0")


@pytest.mark.parametrize("expand", [False, True])
def test_the_tree_is_whole_and_knows_both_hashes(upstream, api, expand):
    sha = upstream.revision("v1.5")
    listed = {
        one.path: one
        for one in api.list_repo_tree(PAGES, repo_type="dataset", recursive=True, revision=sha, expand=expand)
    }
    files = next(one for one in upstream.commits("omnidocbench") if one.sha == sha).files
    assert {name for name, one in listed.items() if hasattr(one, "blob_id")} == set(files)
    for name, one in files.items():
        assert (listed[name].size, listed[name].blob_id) == (len(one.data), one.oid)
        assert (listed[name].lfs.sha256 if one.lfs else None) == (one.sha256 if one.lfs else None)
    folder = [one.path for one in api.list_repo_tree(PAGES, "images", repo_type="dataset", revision=sha)]
    assert folder == sorted(name for name in files if name.startswith("images/"))
    assert {one.path for one in api.list_repo_tree(PAGES, repo_type="dataset")} >= {
        "images",
        "pdfs",
        "OmniDocBench.json",
    }


def test_info_tells_the_sha_and_the_sizes(upstream, api):
    info = api.dataset_info(QUESTIONS, files_metadata=True)
    files = upstream.commits("docvqa")[-1].files
    assert info.sha == upstream.commits("docvqa")[-1].sha
    assert {one.rfilename: one.size for one in info.siblings} == {name: len(one.data) for name, one in files.items()}
    (named,) = api.get_paths_info(PAGES, ["OmniDocBench.json", "nothing"], repo_type="dataset")
    assert named.path == "OmniDocBench.json"


@pytest.mark.parametrize("redirect", [True, False])
def test_files_arrive_whole_under_any_name(monkeypatch, tmp_path, redirect):
    with Upstream(redirect=redirect) as server:
        server.use(monkeypatch)
        for source in ("omnidocbench", "screenspotpro", "chartmuseum"):
            commit = server.commits(source)[-1]
            for name in ("README.md", *(name for name in commit.files if " " in name or "ü" in name)):
                path = hf_hub_download(
                    contents.REPOS[source],
                    name,
                    repo_type="dataset",
                    revision=commit.sha,
                    local_dir=tmp_path,
                    endpoint=server.env["HF_ENDPOINT"],
                )
                assert Path(path).read_bytes() == commit.files[name].data
        hosts = {
            (ask.path.startswith("/cdn/"), (ask.headers["Host"] or "").partition(":")[0]) for ask in server.requests
        }
    assert ((True, "localhost") in hosts) == redirect


def test_a_snapshot_moves_the_full_bytes(upstream, tmp_path):
    snapshot_download(
        "biglab/webui-test", repo_type="dataset", local_dir=tmp_path, endpoint=upstream.env["HF_ENDPOINT"]
    )
    assert upstream.traffic.bytes("hub/biglab/webui-test/test_split") + 60 > upstream.full_bytes["webui"] - 100
    assert upstream.traffic.of("webui") > upstream.full_bytes["webui"] > 3_000_000
    assert upstream.traffic.of("rico") == 0


def test_what_is_not_there_is_told_apart(monkeypatch, tmp_path):
    with Upstream(gated=["lytang/ChartMuseum"]) as server:
        server.use(monkeypatch)
        api = HfApi(endpoint=server.env["HF_ENDPOINT"])

        def fetch(repo, name, **more):
            return hf_hub_download(
                repo, name, repo_type="dataset", local_dir=tmp_path, endpoint=server.env["HF_ENDPOINT"], **more
            )

        for token in (False, TOKEN):
            with pytest.raises(RepositoryNotFoundError):
                api.list_repo_commits("nobody/Nothing", repo_type="dataset", token=token)
        with pytest.raises(RevisionNotFoundError):
            api.dataset_info(PAGES, revision="f" * 40)
        with pytest.raises(EntryNotFoundError):
            fetch(PAGES, "images/none.png")
        for token in (False, "hf_of_somebody"):
            with pytest.raises(GatedRepoError):
                fetch("lytang/ChartMuseum", "images/b7.webp", token=token)
        fetch("lytang/ChartMuseum", "images/b7.webp", token=TOKEN)


def test_a_private_set_can_be_pushed_and_is_seen_by_its_owner_alone(upstream, tmp_path):
    (tmp_path / "data" / "ui").mkdir(parents=True)
    (tmp_path / "data" / "ui" / "test-00000-of-00001.parquet").write_bytes(b"PAR1" * 3000)
    (tmp_path / "README.md").write_text("---\nlicense: other\n---\n# mine\n")
    api = HfApi(endpoint=upstream.env["HF_ENDPOINT"], token=TOKEN)
    address = api.create_repo("me/so-bench", repo_type="dataset", private=True, exist_ok=True)
    assert (address.repo_id, address.repo_type) == ("me/so-bench", "dataset")
    done = api.upload_folder(folder_path=tmp_path, repo_id="me/so-bench", repo_type="dataset")
    again = api.upload_folder(folder_path=tmp_path, repo_id="me/so-bench", repo_type="dataset")
    assert api.create_repo("me/so-bench", repo_type="dataset", private=True, exist_ok=True) == address
    info = api.dataset_info("me/so-bench")
    assert (info.private, info.sha, again.oid) == (True, done.oid, done.oid)
    stored = upstream.hub.repos["me/so-bench"].commits[-1].files
    assert stored["data/ui/test-00000-of-00001.parquet"].data == b"PAR1" * 3000
    assert set(stored) == {".gitattributes", "README.md", "data/ui/test-00000-of-00001.parquet"}
    with pytest.raises(RepositoryNotFoundError):
        api.dataset_info("me/so-bench", token=False)
    api.update_repo_settings("me/so-bench", repo_type="dataset", private=False)
    assert api.dataset_info("me/so-bench", token=False).private is False


# --- ranges and faults


def get(address, **headers):
    return requests.get(address, headers={name.replace("_", "-"): value for name, value in headers.items()}, timeout=10)


def test_ranges_are_served_and_counted(upstream):
    address, whole = site(upstream, "vistext"), upstream.content.sites[contents.VISTEXT_URL]
    head = requests.head(address, timeout=10)
    assert (int(head.headers["Content-Length"]), head.headers["Accept-Ranges"]) == (len(whole), "bytes")
    part = get(address, Range="bytes=100-299")
    assert (part.status_code, part.content) == (206, whole[100:300])
    assert part.headers["Content-Range"] == f"bytes 100-299/{len(whole)}"
    assert get(address, Range="bytes=-22").content == whole[-22:]
    assert get(address, Range=f"bytes={len(whole) - 5}-{len(whole) + 50}").content == whole[-5:]
    assert get(address, Range=f"bytes={len(whole)}-").status_code == 416
    assert upstream.traffic.of("vistext") == 200 + 22 + 5
    assert upstream.traffic.requests("sites/vis.csail.mit.edu") == 5
    same, other = (
        get(address, Range="bytes=0-9", If_Range=head.headers["ETag"]),
        get(address, Range="bytes=0-9", If_Range='"old"'),
    )
    assert (same.status_code, other.status_code, len(other.content)) == (206, 200, len(whole))
    upstream.traffic.reset()
    assert upstream.traffic.bytes() == 0


def test_a_range_of_a_hub_file_is_served_behind_the_redirect(upstream):
    held = upstream.commits("docvqa")[-1].files["DocVQA/test-00000-of-00003.parquet"]
    address = hf_hub_url(
        QUESTIONS, "DocVQA/test-00000-of-00003.parquet", repo_type="dataset", endpoint=upstream.env["HF_ENDPOINT"]
    )
    tail = get(address, Range="bytes=-8", Authorization="Bearer x")
    assert (tail.status_code, tail.content) == (206, held.data[-8:])
    assert tail.history[0].headers["X-Linked-Etag"] == f'"{held.sha256}"' == tail.headers["ETag"]
    assert (upstream.traffic.of("docvqa"), upstream.traffic.of("infographicvqa")) == (8, 0)


def test_faults_have_their_turns(upstream):
    address, whole = site(upstream, "rico"), upstream.content.sites[contents.RICO_URL]
    upstream.faults.add("*.tar.gz", Fault.status(503, times=2, retry_after="7"))
    upstream.faults.add("*.tar.gz", Fault.cut(after=1000))
    refused = [get(address) for _ in range(2)]
    assert [(one.status_code, one.headers["Retry-After"]) for one in refused] == [(503, "7")] * 2
    with pytest.raises(requests.RequestException):
        get(address)
    assert upstream.traffic.of("rico") == 2 * len(b"not now") + 1000
    assert get(address).content == whole
    assert upstream.faults.met == Counter(status=2, cut=1)


def test_a_fault_waits_for_its_turn(upstream):
    address = site(upstream, "rico")
    upstream.faults.add("*.tar.gz", Fault.etag())
    upstream.faults.add("*.zip", Fault.status(404, skip=1, times=None))
    tags = [requests.get(address, headers={"Range": "bytes=0-0"}, timeout=10).headers["ETag"] for _ in range(3)]
    assert (tags[1:], tags[0] != tags[1]) == (['"another"'] * 2, True)
    assert [get(site(upstream, "vistext"), Range="bytes=0-0").status_code for _ in range(3)] == [206, 404, 404]
    upstream.faults.clear()
    assert get(address, Range="bytes=0-0").headers["ETag"] == tags[0]


@pytest.mark.parametrize(
    ("fault", "status", "size", "kind"),
    [
        (Fault.html(), 200, None, "text/html; charset=utf-8"),
        (Fault.truncated(5000), 206, 100, "application/octet-stream"),
        (Fault.replaced(b"x" * 300), 206, 100, "application/octet-stream"),
        (Fault.no_ranges(), 200, None, "application/octet-stream"),
        (Fault.wrong_range(), 206, 100, "application/octet-stream"),
        (Fault.dribble(size=7, pause=0), 206, 100, "application/octet-stream"),
    ],
)
def test_answers_that_look_well(upstream, fault, status, size, kind):
    whole = upstream.content.sites[contents.VISTEXT_URL]
    upstream.faults.add("*/images.zip", fault)
    answer = get(site(upstream, "vistext"), Range="bytes=10-109")
    assert (answer.status_code, answer.headers["Content-Type"]) == (status, kind)
    assert size is None or len(answer.content) == size
    if fault.kind == "no_ranges":
        assert answer.content == whole
    elif fault.kind == "truncated":
        assert answer.headers["Content-Range"].endswith("/5000")
    elif fault.kind == "wrong_range":
        assert not answer.headers["Content-Range"].startswith("bytes 10-")
    elif fault.kind in {"dribble", "replaced"}:
        assert answer.content == (whole[10:110] if fault.kind == "dribble" else b"x" * 100)


def test_a_redirect_may_lead_anywhere(upstream):
    upstream.faults.add("*/images.zip", Fault.redirect("file:///etc/hostname"))
    answer = requests.get(site(upstream, "vistext"), allow_redirects=False, timeout=10)
    assert (answer.status_code, answer.headers["Location"]) == (302, "file:///etc/hostname")


def test_a_silent_server_lets_go_when_it_closes():
    with Upstream() as server:
        server.faults.add("*", Fault.hang())
        with pytest.raises(requests.exceptions.ReadTimeout):
            requests.get(site(server, "rico"), timeout=0.2)
        assert server.faults.met["hang"] == 1
        assert get(site(server, "rico"), Range="bytes=0-3").status_code == 206


def test_what_a_user_has_by_hand_can_be_written(upstream, tmp_path):
    assert upstream.write_archive("rico", tmp_path / "a").name == "unique_uis.tar.gz"
    folder = upstream.write_archive("webui", tmp_path / "b")
    assert sum(path.stat().st_size for path in folder.iterdir()) == upstream.full_bytes["webui"]
