"""Data sets on the hub at one commit; a few answers of the hub's API are put on the local server."""

import hashlib
import json
import random
from datetime import datetime, timezone

import pytest

from sobench_metrics.data.fetch.errors import FetchError, Refused
from sobench_metrics.data.fetch.hub import HubRepo, hub_revisions, revision_at
from sobench_metrics.data.fetch.origin import Origin
from sobench_metrics.errors import UsageError
from tests.engines.hostile_server import Fault, HostileServer

REPO, SHA, OLD = "someone/pictures", "a" * 40, "b" * 40
TREE = f"/api/datasets/{REPO}/tree/{SHA}"
COMMITS = f"/api/datasets/{REPO}/commits/main"
FILES = {"images/ä 1.png": random.Random(1).randbytes(20_000), "list.json": b'{"a": 1}'}


def address(name):
    return f"/datasets/{REPO}/resolve/{SHA}/{name}"


def as_json(server, path, value, **headers):
    server.put(path, json.dumps(value).encode(), Content_Type="application/json", **headers)


def entry(name, data, *, large):
    blob = hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()
    told = {"type": "file", "path": name, "size": len(data), "oid": blob}
    if large:
        told["lfs"] = {"oid": hashlib.sha256(data).hexdigest(), "size": len(data), "pointerSize": 130}
    return told


@pytest.fixture
def hub(server, monkeypatch):
    monkeypatch.setenv("HF_ENDPOINT", server.url)
    monkeypatch.delenv("HF_TOKEN", raising=False)
    picture, listing = (entry(name, data, large=name.endswith("png")) for name, data in FILES.items())
    more = f'<{server.url}{TREE}/second?cursor=x>; rel="next"'
    as_json(server, TREE, [{"type": "directory", "path": "images", "oid": "c" * 40}, picture], Link=more)
    as_json(server, TREE + "/second", [listing])
    for name, data in FILES.items():
        server.put(address(name), data)
    return server


@pytest.fixture
def repo(hub, http, tmp_path):
    return HubRepo(REPO, SHA, http, tmp_path / "cache")


def test_the_listing_has_all_pages_with_sizes(repo, hub):
    assert isinstance(repo, Origin)
    assert repo.where == f"{hub.url}/datasets/{REPO}"
    assert repo.listing() == {"images/ä 1.png": 20_000, "list.json": 8}
    assert repo.listing("images") == {"images/ä 1.png": 20_000}
    assert repo.files()["list.json"].sha256 is None


def test_the_listing_of_a_commit_is_asked_once_and_kept(repo, hub, http, tmp_path):
    repo.files()
    hub.forget()
    again = HubRepo(REPO, SHA, http, tmp_path / "cache")
    assert again.files() == repo.files()
    assert hub.asked == []

    (kept,) = (tmp_path / "cache").iterdir()
    kept.write_text("[]")
    assert HubRepo(REPO, SHA, http, tmp_path / "cache").files() == repo.files()


def test_files_are_read_in_one_request_and_checked(repo, hub, http):
    for name, data in FILES.items():
        assert repo.read(name, limit=20_000) == data
        assert hub.requests(address(name)) == 1
    assert http.traffic.bytes == sum(map(len, FILES.values()))


@pytest.mark.parametrize("name", FILES)
def test_wrong_bytes_are_asked_for_once_more_and_then_refused(repo, hub, name):
    wrong = Fault(body=FILES[name][:-1] + b"?", headers={"ETag": '"x"'})
    hub.then(address(name), wrong)
    assert repo.read(name, limit=20_000) == FILES[name]
    hub.then(address(name), wrong, wrong)
    with pytest.raises(Refused, match="does not have the bytes of commit aaaaaaaaaaaa"):
        repo.read(name, limit=20_000)
    assert hub.requests(address(name)) == 4


def test_a_file_larger_than_allowed_is_not_asked_for(repo, hub):
    with pytest.raises(Refused, match="has 20000 bytes, more than the 19999"):
        repo.read("images/ä 1.png", limit=19_999)
    assert hub.requests(address("images/ä 1.png")) == 0


def test_a_file_is_opened_by_its_commits_hash_without_a_request(repo, hub):
    repo.files()
    hub.forget()
    with repo.open("images/ä 1.png") as file:
        assert (file.size, file.tag) == (20_000, hashlib.sha256(FILES["images/ä 1.png"]).hexdigest())
        assert hub.asked == []
        file.seek(500)
        assert file.read(10) == FILES["images/ä 1.png"][500:510]
    assert repo.open("list.json").tag == repo.files()["list.json"].blob


def test_a_file_that_the_commit_does_not_have_is_told(repo):
    with pytest.raises(FetchError, match=r"has no file none.png at commit aaaaaaaaaaaa: check --revision"):
        repo.read("none.png", limit=9)
    with pytest.raises(Refused):
        repo.open("../list.json")


def test_neither_passwords_nor_what_steers_a_terminal_are_shown(hub, http, tmp_path, monkeypatch):
    monkeypatch.setenv("HF_ENDPOINT", hub.url.replace("//", "//user:secret@"))
    where = f"{hub.url}/datasets/{REPO}"
    repo = HubRepo(REPO, SHA, http, tmp_path)
    assert repo.where == where
    said = "\x1b]0;name\x07\x9b2J no //user:secret@here/"
    hub.always(COMMITS, Fault(status=400, headers={"X-Error-Message": "\x1b[2Jno \x07 //me:secret@here/"}))
    hub.always(TREE, Fault(status=400, body=json.dumps({"error": said}).encode()))
    for ask in (repo.files, lambda: hub_revisions(REPO)):
        with pytest.raises(FetchError, match="no //here/") as told:
            ask()
        assert str(told.value).isprintable()
        assert "secret" not in str(told.value)
        assert where in str(told.value)


def test_a_busy_hub_is_asked_again(repo, hub, pauses, monkeypatch):
    """The listing goes through the hub's own library, whose newer versions pause and ask again themselves."""
    waited = []
    monkeypatch.setattr("huggingface_hub.utils._http.time.sleep", waited.append)
    monkeypatch.setattr("sobench_metrics.data.fetch.hub._sleep", waited.append)
    hub.then(TREE, Fault(status=429), Fault(status=503))
    hub.then(address("list.json"), Fault(status=429, headers={"Retry-After": "3"}), Fault(status=503))
    assert repo.read("list.json", limit=8) == FILES["list.json"]
    assert len(waited) == 2
    assert len(pauses) == 2
    assert pauses[0] == 3


def test_the_token_goes_to_the_hub_and_not_to_where_it_redirects(repo, hub, monkeypatch):
    monkeypatch.setenv("HF_TOKEN", "hf_secret")
    with HostileServer() as storage:
        url = storage.put("/blob", FILES["list.json"])
        hub.always(address("list.json"), Fault(status=302, headers={"Location": url + "?signature=1"}))
        assert repo.read("list.json", limit=8) == FILES["list.json"]
        assert {asked.headers.get("Authorization") or asked.headers["authorization"] for asked in hub.asked} == {
            "Bearer hf_secret"
        }
        assert "authorization" not in {name.lower() for name in storage.asked[0].headers}


def test_only_a_full_commit_id_is_taken(http, tmp_path):
    for revision in ("main", "a" * 7, "A" * 40, ""):
        with pytest.raises(UsageError, match="is not a full commit id of someone/pictures"):
            HubRepo(REPO, revision, http, tmp_path)


@pytest.mark.parametrize(
    ("code", "status", "sentence"),
    [
        ("RepoNotFound", 404, "is not there or is private: set HF_TOKEN"),
        ("GatedRepo", 403, "is gated: accept its terms there, set HF_TOKEN"),
        ("RevisionNotFound", 404, f"has no commit {SHA}: name another one with --revision"),
        ("", 418, "could not be asked .*: check the network and repeat the command"),
    ],
)
def test_what_the_hub_refuses_is_told_with_its_remedy(repo, hub, code, status, sentence):
    hub.always(TREE, Fault(status=status, headers={"X-Error-Code": code}))
    with pytest.raises(FetchError, match=sentence) as told:
        repo.files()
    assert "\n" not in str(told.value)


@pytest.mark.parametrize("body", [b"<html>Sign in</html>", b"[{}]", b'{"error": 1}', b'[{"type": "file"}]'])
def test_a_sign_in_page_in_place_of_the_api_is_told(repo, hub, body, tmp_path):
    hub.put(TREE, body)
    with pytest.raises(FetchError, match="does not answer like a hub: check HF_ENDPOINT and the network"):
        repo.files()
    assert not (tmp_path / "cache").exists()


def test_no_network_is_told(repo, hub, monkeypatch):
    monkeypatch.setattr("huggingface_hub.utils._http.time.sleep", lambda _: None)
    hub.always(TREE, Fault(drop=True))
    with pytest.raises(FetchError, match=r"could not be asked .*--local-archive"):
        repo.files()


def test_the_hubs_offline_switch_is_minded(repo, hub, monkeypatch):
    repo.files()
    hub.forget()
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    for read in (repo.open, lambda name: repo.read(name, limit=99), lambda _: hub_revisions(REPO)):
        with pytest.raises(FetchError, match=r"HF_HUB_OFFLINE forbids asking .*: unset it, or give --local-archive"):
            read("list.json")
    assert hub.asked == []


def commit(sha, date):
    return {"id": sha, "date": date, "title": "t", "message": "m", "authors": [{"user": "u"}]}


def test_commits_come_newest_first_and_are_found_by_date(hub):
    as_json(hub, COMMITS, [commit(OLD, "2024-05-01T10:00:00.000Z"), commit(SHA, "2025-09-25T12:00:00.000Z")])
    assert [revision.sha for revision in hub_revisions(REPO)] == [SHA, OLD]
    assert revision_at(REPO, datetime(2025, 9, 25, 12, tzinfo=timezone.utc)) == SHA
    assert revision_at(REPO, datetime(2025, 9, 25, 11, 59, tzinfo=timezone.utc)) == OLD
    with pytest.raises(FetchError, match="has no commit of 2024-01-01 or before: name one with --revision"):
        revision_at(REPO, datetime(2024, 1, 1, tzinfo=timezone.utc))
