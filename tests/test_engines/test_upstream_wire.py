"""The synthetic upstream must answer the real client library as the real places do, and misbehave as told."""

from collections import Counter
from pathlib import Path

import pytest
import requests
from huggingface_hub import HfApi, hf_hub_download, hf_hub_url, snapshot_download
from huggingface_hub.errors import (
    EntryNotFoundError,
    GatedRepoError,
    HfHubHTTPError,
    RepositoryNotFoundError,
    RevisionNotFoundError,
)

from tests.engines.upstream import TOKEN, Fault, Upstream
from tests.engines.upstream import content as contents

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


def test_a_refused_push_changes_nothing(upstream, tmp_path):
    (tmp_path / "data.parquet").write_bytes(b"PAR1" * 3000)
    api = HfApi(endpoint=upstream.env["HF_ENDPOINT"], token=TOKEN)
    api.create_repo("me/set", repo_type="dataset")
    upstream.faults.add("*/commit/*", Fault.status(403), method="POST")
    with pytest.raises(HfHubHTTPError):
        api.upload_folder(folder_path=tmp_path, repo_id="me/set", repo_type="dataset")
    assert len(upstream.hub.repos["me/set"].commits) == 1
    api.upload_folder(folder_path=tmp_path, repo_id="me/set", repo_type="dataset")
    assert "data.parquet" in upstream.hub.repos["me/set"].commits[-1].files


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


def test_a_client_that_stops_early_has_not_moved_the_whole_archive(upstream):
    with requests.get(site(upstream, "rico"), stream=True, timeout=10) as answer:
        assert len(answer.raw.read(1_000_000)) == 1_000_000
    assert 1_000_000 <= upstream.traffic.of("rico") < upstream.full_bytes["rico"]


def test_a_reset_forgets_faults_counts_and_pushes(upstream, api):
    api.create_repo("me/set", repo_type="dataset", token=TOKEN)
    upstream.faults.add("*", Fault.status(500, times=None))
    assert get(site(upstream, "rico")).status_code == 500
    upstream.reset()
    assert (upstream.traffic.requests(), upstream.requests, "me/set" in upstream.hub.repos) == (0, [], False)
    assert get(site(upstream, "rico"), Range="bytes=0-0").status_code == 206


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
