"""One commit of upstream, from the web through a cache that is trusted only by its hashes, or from a clone."""

import hashlib
import json
import zipfile

import pytest

from sobench_metrics.data.fetch.http import Http
from sobench_metrics.data.prepare.upstream import PINNED_COMMIT, from_clone, from_web
from sobench_metrics.errors import UsageError
from tests.engines.upstream import COMMIT, Fault, Upstream, script

FILES = ["LICENSE.md", "LICENSE_DATA.md", "convert_to_eval_jsonl.py", "data/labels.zip", "data/vistext_mapping.json"]


@pytest.fixture
def server(monkeypatch):
    with Upstream(seed=0) as upstream:
        upstream.use(monkeypatch)
        yield upstream
        assert not upstream.executed


@pytest.fixture
def http():
    return Http(sleep=lambda _: None, tries=3)


def asked(server):
    return [request.path.rpartition(f"{COMMIT}/")[2] for request in server.requests]


def test_the_web_gives_all_files_of_the_pinned_commit(server, http, tmp_path):
    found = from_web(http, tmp_path)
    assert found.commit == PINNED_COMMIT == COMMIT
    assert [label.doc_id for label in found.labels] == list(server.labels_by_id)
    assert [label.target for label in found.labels] == [label["structured_output"] for label in server.labels]
    assert (found.prompts["system"], found.prompts["user"]) == (script.SYSTEM_PROMPT, script.USER_PROMPT)
    assert found.licences == {"LICENSE.md": script.LICENCE, "LICENSE_DATA.md": script.LICENCE_DATA}
    stored = server.content.github
    assert found.files == {name: hashlib.sha256(stored[name]).hexdigest() for name in FILES}
    assert {name: list(members) for name, members in found.vistext_mapping.items()} == json.loads(
        stored["data/vistext_mapping.json"]
    )


def test_a_clone_gives_what_the_web_gives(server, http, tmp_path):
    web, clone = from_web(http, tmp_path / "cache"), from_clone(server.write_clone(tmp_path / "clone"))
    assert clone.commit == "local"
    assert (clone.labels, clone.prompts, clone.files) == (web.labels, web.prompts, web.files)
    assert (clone.vistext_mapping, clone.licences) == (web.vistext_mapping, web.licences)


def test_an_unzipped_clone_gives_the_same_labels(server, tmp_path):
    folder = server.write_clone(tmp_path)
    zipped = from_clone(folder)
    with zipfile.ZipFile(folder / "data/labels.zip") as archive:
        archive.extractall(folder / "data")
    (folder / "data/labels.zip").unlink()
    unzipped = from_clone(folder)
    assert unzipped.labels == zipped.labels
    assert unzipped.files.keys() - zipped.files.keys() == {"data/labels/"}
    one = next((folder / "data/labels").glob("[!.]*.json"))
    one.write_text(one.read_text().replace("exact", "fuzzy"))
    assert from_clone(folder).files["data/labels/"] != unzipped.files["data/labels/"]


def test_the_second_run_asks_nothing(server, http, tmp_path):
    first = from_web(http, tmp_path)
    assert sorted(asked(server)) == FILES
    server.requests.clear()
    assert from_web(http, tmp_path) == first
    assert server.requests == []


@pytest.mark.parametrize("damage", [b"", b"<html>", None])
@pytest.mark.parametrize("name", FILES)
def test_a_damaged_or_lost_file_is_fetched_again_and_no_other(server, http, tmp_path, name, damage):
    first = from_web(http, tmp_path)
    server.requests.clear()
    kept = tmp_path / COMMIT / name
    kept.unlink() if damage is None else kept.write_bytes(damage)
    assert from_web(http, tmp_path) == first
    assert asked(server) == [name]
    assert hashlib.sha256(kept.read_bytes()).hexdigest() == first.files[name]


@pytest.mark.parametrize("damage", ["", "[]", "{", '{"data/labels.zip": 5}'])
def test_a_damaged_list_is_made_anew(server, http, tmp_path, damage):
    first = from_web(http, tmp_path)
    (tmp_path / COMMIT / "files.json").write_text(damage)
    if "5" in damage:
        with pytest.raises(UsageError, match="never changes"):
            from_web(http, tmp_path)
    else:
        assert from_web(http, tmp_path) == first
        assert json.loads((tmp_path / COMMIT / "files.json").read_text()) == first.files


def test_a_commit_that_changed_is_refused(server, http, tmp_path, monkeypatch):
    from_web(http, tmp_path)
    (tmp_path / COMMIT / "data/labels.zip").unlink()
    monkeypatch.setitem(server.content.github, "data/labels.zip", b"PK another archive")
    with pytest.raises(UsageError, match=r"labels\.zip is not what it was .* never changes"):
        from_web(http, tmp_path)


def test_a_killed_fetch_goes_on_where_it_stopped(server, http, tmp_path):
    server.faults.add("*/labels.zip", Fault.status(503, times=99))
    with pytest.raises(UsageError, match=r"upstream's data/labels\.zip.*--upstream-dir"):
        from_web(http, tmp_path)
    had = set(asked(server)) - {"data/labels.zip"}
    assert had == {"convert_to_eval_jsonl.py", "data/vistext_mapping.json"}
    server.faults.clear()
    server.requests.clear()
    from_web(http, tmp_path)
    assert set(asked(server)) == set(FILES) - had


@pytest.mark.parametrize("absent", [["LICENSE_DATA.md"], ["LICENSE.md", "LICENSE_DATA.md"]])
def test_a_licence_that_is_not_there_is_left_out_and_asked_for_once(server, http, tmp_path, monkeypatch, absent):
    for name in absent:
        monkeypatch.delitem(server.content.github, name)
    found = from_web(http, tmp_path)
    assert set(found.licences) == {"LICENSE.md", "LICENSE_DATA.md"} - set(absent)
    assert not set(absent) & set(found.files)
    server.requests.clear()
    assert from_web(http, tmp_path) == found
    assert server.requests == []
    assert from_clone(server.write_clone(tmp_path / "clone")).licences == found.licences


@pytest.mark.parametrize("absent", ["convert_to_eval_jsonl.py", "data/vistext_mapping.json", "data/labels.zip"])
def test_any_other_file_must_be_there(server, http, tmp_path, monkeypatch, absent):
    monkeypatch.delitem(server.content.github, absent)
    with pytest.raises(UsageError, match=rf"{absent} is not there at the commit {COMMIT}.*--upstream-dir"):
        from_web(http, tmp_path)
    with pytest.raises(UsageError, match=rf"lacks {absent}"):
        from_clone(server.write_clone(tmp_path / "clone"))


def test_a_licence_that_only_fails_is_no_absent_licence(server, http, tmp_path):
    server.faults.add("*/LICENSE.md", Fault.status(503, times=99))
    with pytest.raises(UsageError, match=r"LICENSE\.md"):
        from_web(http, tmp_path)


def test_a_web_page_instead_of_labels_is_refused(server, http, tmp_path):
    server.faults.add("*/labels.zip", Fault.html())
    with pytest.raises(UsageError, match=r"labels\.zip.* gives a web page"):
        from_web(http, tmp_path)
    assert not (tmp_path / COMMIT / "data/labels.zip").exists()


@pytest.mark.parametrize("commit", ["main", "3787423", COMMIT.upper(), "../../" + "a" * 34, ""])
def test_only_a_full_commit_is_taken(server, http, tmp_path, commit):
    with pytest.raises(UsageError, match="no full commit"):
        from_web(http, tmp_path, commit)
    assert server.requests == []


def test_another_commit_has_a_cache_of_its_own(server, http, tmp_path):
    from_web(http, tmp_path)
    with pytest.raises(UsageError, match="is not there at the commit " + "a" * 40):
        from_web(http, tmp_path, "a" * 40)


# ---- git-LFS


def test_labels_in_git_lfs_are_followed_and_checked(monkeypatch, http, tmp_path):
    with Upstream(seed=0, labels_in_lfs=True) as server:
        server.use(monkeypatch)
        found = from_web(http, tmp_path)
        assert found.files["data/labels.zip"] == hashlib.sha256(server.content.github["data/labels.zip"]).hexdigest()
        assert f"/github/media/{COMMIT}/data/labels.zip" in [request.path for request in server.requests]
        server.requests.clear()
        assert from_web(http, tmp_path) == found
        assert server.requests == []


def test_another_file_than_the_pointer_names_is_refused(monkeypatch, http, tmp_path):
    with Upstream(seed=0, labels_in_lfs=True) as server:
        server.use(monkeypatch)
        server.faults.add("*/media/*/labels.zip", Fault.replaced(b"PK another archive"))
        with pytest.raises(UsageError, match="not the file that its git-LFS pointer names"):
            from_web(http, tmp_path)
    assert not (tmp_path / COMMIT / "data/labels.zip").exists()


def test_a_clone_that_holds_only_the_pointer_says_what_to_do(server, tmp_path):
    folder = server.write_clone(tmp_path)
    pointer = f"version https://git-lfs.github.com/spec/v1\noid sha256:{'0' * 64}\nsize 9\n"
    (folder / "data/labels.zip").write_text(pointer)
    with pytest.raises(UsageError, match="git lfs pull"):
        from_clone(folder)


# ---- faults of a clone


def test_the_commit_of_a_clone_is_its_head(server, tmp_path):
    folder = server.write_clone(tmp_path)
    (folder / ".git").mkdir()
    (folder / ".git/HEAD").write_text("b" * 40 + "\n")
    assert from_clone(folder).commit == "b" * 40


def test_a_folder_that_is_none(tmp_path):
    with pytest.raises(UsageError, match="is no folder"):
        from_clone(tmp_path / "none")


@pytest.mark.parametrize("name", ["convert_to_eval_jsonl.py", "data/vistext_mapping.json"])
def test_texts_must_be_utf8(server, tmp_path, name):
    folder = server.write_clone(tmp_path)
    (folder / name).write_bytes(b"\xff" + (folder / name).read_bytes())
    with pytest.raises(UsageError, match=f"{name} is not UTF-8"):
        from_clone(folder)


@pytest.mark.parametrize(
    "text", ["", "[]", "7", '{"a.png": "b.png"}', '{"a.png": [1]}', '{"a.png": []}', "[" * 100_000]
)
def test_the_vistext_table_must_be_one(server, tmp_path, text):
    folder = server.write_clone(tmp_path)
    (folder / "data/vistext_mapping.json").write_text(text)
    with pytest.raises(UsageError, match=r"vistext_mapping\.json cannot be used"):
        from_clone(folder)


def test_the_marker_of_the_script_works(server, tmp_path, monkeypatch):
    """Were the script run, `server.executed` would tell: the fixture asks it after every test above."""
    exec(compile(script.CONVERT_SCRIPT, "convert", "exec"), {"__name__": "convert"})
    assert server.executed
    server._marker.unlink()
