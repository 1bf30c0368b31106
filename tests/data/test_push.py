"""`push` against a hub on this machine: what arrives, and what is never sent."""

import hashlib
import json
from contextlib import contextmanager

import pytest
from huggingface_hub import constants, snapshot_download

from sobench_metrics.data.prepared_sets import read_manifest
from sobench_metrics.data.push import card_text, licences, push
from sobench_metrics.data.verify import verify
from sobench_metrics.errors import UsageError
from tests.engines import prepared_set
from tests.engines.prepared_set import edit_manifest, edit_rows, write_set
from tests.engines.upstream import TOKEN, Fault, Upstream
from tests.engines.upstream.hub_repo import Repo, blob, commit

REPO = "team/so-bench"


@pytest.fixture(scope="module")
def server():
    with Upstream(seed=0) as upstream:
        yield upstream


@pytest.fixture
def hub(server, monkeypatch):
    """The hub of the server, without the repository that the tests push to."""
    server.use(monkeypatch, token=TOKEN)
    server.hub.repos.pop(REPO, None)
    server.hub.uploads.clear()
    server.faults.clear()
    return server.hub


def existing(hub, *, private, files=()):
    content = {name: blob(name, b"something") for name in (".gitattributes", *files)}
    hub.repos[REPO] = Repo(REPO, [commit(content, "2026-01-01T00:00:00.000Z", "first")], private=private)
    return hub.repos[REPO]


@contextmanager
def nothing_sent(server):
    """No upload and no commit in this block; a repository may have been made."""
    before = len(server.requests)
    yield
    sent = [ask.path for ask in server.requests[before:] if ask.method in {"PUT", "POST"}]
    assert [path for path in sent if "/commit/" in path or "lfs" in path or "preupload" in path] == []


def test_the_whole_set_arrives_in_one_commit_and_verifies_elsewhere(hub, server, tmp_path):
    root = write_set(tmp_path / "home")
    done = push(root, REPO)
    repo = hub.repos[REPO]
    assert repo.private
    assert repo.commits[-1].sha == done.commit
    assert len(repo.commits) == 2
    sent = {name: one.data for name, one in repo.commits[-1].files.items() if name != ".gitattributes"}
    assert sent.keys() == {path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()}
    assert done.files == len(sent)
    assert done.url == f"{server.base}/hub/datasets/{REPO}"
    for name in read_manifest(root).files:
        assert hashlib.sha256(sent[name]).digest() == hashlib.sha256((root / name).read_bytes()).digest()
    colleague = tmp_path / "colleague"
    snapshot_download(
        REPO, repo_type="dataset", revision=done.commit, local_dir=colleague, token=TOKEN, endpoint=f"{server.base}/hub"
    )
    assert verify(colleague).sound


def test_the_card_on_the_hub_states_every_licence(hub, tmp_path):
    root = write_set(tmp_path)
    push(root, REPO)
    card = hub.repos[REPO].commits[-1].files["README.md"].data.decode()
    assert card.startswith("---\nconfigs:")
    for source in prepared_set.EXPECTED:
        assert f"- {source}: terms of {source}" in card
    assert "CC BY-NC-ND 4.0" in card
    assert "Do not publish" in card


def test_a_card_that_states_the_licences_is_sent_as_it_is(tmp_path):
    root = write_set(tmp_path)
    text = "\n".join(["---", "---", *(f"- {line}" for line in licences(read_manifest(root)))])
    (root / "README.md").write_text(text)
    assert card_text(root, read_manifest(root)) == text


def test_the_bytes_of_large_files_are_sent_once(hub, server, tmp_path):
    root = write_set(tmp_path)
    push(root, REPO)
    assert len(hub.uploads) == 4
    before = len(server.requests)
    push(root, REPO)
    assert [ask.path for ask in server.requests[before:] if ask.path.startswith("/hub/lfs-upload")] == []


def test_shards_of_an_earlier_set_go(hub, tmp_path):
    push(write_set(tmp_path / "a", shards=2), REPO)
    push(write_set(tmp_path / "b", prep_id="set-0002"), REPO)
    names = hub.repos[REPO].commits[-1].files
    assert [name for name in names if "of-00002" in name] == []
    assert json.loads(names["manifest.json"].data)["prep_id"] == "set-0002"


# --- never sent ------------------------------------------------------------------------------------------------------


def test_a_public_repository_is_refused(hub, server, tmp_path):
    repo = existing(hub, private=False)
    with nothing_sent(server), pytest.raises(UsageError, match="can be read by everybody, nothing was sent"):
        push(write_set(tmp_path), REPO)
    assert len(repo.commits) == 1


def test_a_hub_that_makes_it_public_in_spite_of_the_wish_is_refused(hub, server, tmp_path, monkeypatch):
    real = hub._create

    def careless(wish):
        return real({**wish, "private": False, "visibility": "public"})

    monkeypatch.setattr(hub, "_create", careless)
    with nothing_sent(server), pytest.raises(UsageError, match="can be read by everybody"):
        push(write_set(tmp_path), REPO)
    assert not hub.repos[REPO].private


def test_a_repository_of_something_else_is_refused(hub, server, tmp_path):
    existing(hub, private=True, files=("data/train.parquet",))
    with nothing_sent(server), pytest.raises(UsageError, match=r"something else \(data/train\.parquet\)"):
        push(write_set(tmp_path), REPO)


def test_an_empty_private_repository_is_used(hub, tmp_path):
    existing(hub, private=True, files=("README.md",))
    push(write_set(tmp_path), REPO)
    assert "manifest.json" in hub.repos[REPO].commits[-1].files


def test_public_needs_its_own_word_and_does_not_open_a_private_one(hub, tmp_path):
    root = write_set(tmp_path)
    push(root, REPO, public=True)
    assert not hub.repos[REPO].private
    existing(hub, private=True)
    with pytest.raises(UsageError, match="is private already"):
        push(root, REPO, public=True)


def test_a_damaged_set_is_refused_before_the_hub_is_asked(hub, server, tmp_path):
    root = write_set(tmp_path)
    edit_rows(root, "data/ui/test-00000-of-00001.parquet", lambda rows: rows[0].update(user_intent="other"))
    before = len(server.requests)
    with pytest.raises(UsageError, match="damaged, nothing was sent"):
        push(root, REPO)
    assert len(server.requests) == before


def test_a_partial_set_needs_its_own_word(hub, server, tmp_path):
    partial = {"allowed_by": "--limit 2", "domains": {"ui": "4 of 5"}}
    root = write_set(tmp_path, prepared_set.docs()[1:], partial=partial)
    before = len(server.requests)
    with pytest.raises(UsageError, match=r"partial \(by --limit 2\)"):
        push(root, REPO)
    assert len(server.requests) == before
    push(root, REPO, allow_partial=True)
    assert hub.repos[REPO].private


def test_what_lies_beside_the_set_is_not_sent(hub, tmp_path):
    root = write_set(tmp_path)
    (root / "notes.txt").write_text("mine")
    (root / ".env").write_text("secret")
    push(root, REPO)
    assert {"notes.txt", ".env"} & set(hub.repos[REPO].commits[-1].files) == set()


def test_a_manifest_that_names_a_file_elsewhere_sends_nothing(hub, server, tmp_path):
    root = write_set(tmp_path / "home")
    (tmp_path / "secret").write_bytes(b"secret")
    entry = {"sha256": hashlib.sha256(b"secret").hexdigest(), "bytes": 6}
    edit_manifest(root, lambda manifest: manifest["files"].update({"../../../secret": entry}))
    with nothing_sent(server), pytest.raises(UsageError, match="damaged"):
        push(root, REPO)


# --- what the hub refuses --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("repo_id", ["so-bench", "a/b/c", "", "a/../b", "--private", "team/-x"])
def test_a_name_that_is_no_repository(hub, tmp_path, repo_id):
    with pytest.raises(UsageError, match="OWNER/NAME"):
        push(write_set(tmp_path), repo_id)


def test_nobody_logged_in(hub, server, tmp_path, monkeypatch):
    monkeypatch.delenv("HF_TOKEN")
    with nothing_sent(server), pytest.raises(UsageError, match="hf auth login"):
        push(write_set(tmp_path), REPO)


def test_a_token_that_the_hub_does_not_know(hub, server, tmp_path, monkeypatch):
    monkeypatch.setenv("HF_TOKEN", "hf_wrong")
    with nothing_sent(server), pytest.raises(UsageError, match="HF_TOKEN to a token that may write for team"):
        push(write_set(tmp_path), REPO)
    assert REPO not in hub.repos


@pytest.mark.parametrize(
    ("method", "place"), [("POST", "*/repos/create"), ("PUT", "*/lfs-upload/*"), ("POST", "*/commit/*")]
)
def test_a_push_that_is_refused_in_the_middle_ends_with_a_repetition(hub, server, tmp_path, method, place):
    root = write_set(tmp_path)
    server.faults.add(place, Fault.status(400, times=1), method=method)
    with pytest.raises(UsageError, match="refuses team/so-bench"):
        push(root, REPO)
    done = push(root, REPO)
    assert hub.repos[REPO].commits[-1].sha == done.commit
    assert len(hub.repos[REPO].commits) == 2
    assert "manifest.json" in hub.repos[REPO].commits[-1].files


def test_before_the_commit_there_is_nothing(hub, server, tmp_path):
    server.faults.add("*/lfs-upload/*", Fault.status(400, times=1), method="PUT")
    with pytest.raises(UsageError, match="refuses team/so-bench"):
        push(write_set(tmp_path), REPO)
    assert len(hub.repos[REPO].commits) == 1


def test_a_hub_that_is_not_there(hub, tmp_path, monkeypatch):
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    with pytest.raises(UsageError, match=r"cannot reach http://127\.0\.0\.1:9"):
        push(write_set(tmp_path), REPO)


def test_offline_mode_is_told(hub, server, tmp_path, monkeypatch):
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    with nothing_sent(server), pytest.raises(UsageError, match="HF_HUB_OFFLINE"):
        push(write_set(tmp_path), REPO)
