"""`sobench push` as a user runs it: mistakes first, then the terms, then the bytes."""

import subprocess
import sys

import pytest

from sobench_metrics.cli import extras
from sobench_metrics.cli.main import main
from tests.cli.conftest import assert_one_sentence
from tests.engines import prepared_set
from tests.engines.prepared_set import write_set
from tests.engines.upstream import TOKEN, Upstream

REPO = "team/so-bench"


@pytest.fixture(scope="module")
def server():
    with Upstream(seed=0) as upstream:
        yield upstream


@pytest.fixture
def push(server, sobench, tmp_path):
    """Run `sobench push team/so-bench WORDS...` on a prepared set against the hub of the server."""
    server.hub.repos.pop(REPO, None)
    write_set(tmp_path / "home")

    def run(*words, **environment):
        env = {**server.env, "HF_TOKEN": TOKEN, "SOBENCH_HOME": str(tmp_path / "home"), **environment}
        return sobench("push", REPO, *words, **env)

    return run


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "say --private"),
        (("--public",), "--i-have-the-right-to-publish-all-of-these"),
        (("--i-have-the-right-to-publish-all-of-these",), "say --private"),
        (("--private", "--public"), "exclude each other"),
        (("--private", "--set", "set-9"), "'set-9'"),
    ],
)
def test_nothing_is_asked_of_the_hub_without_the_right_words(push, server, words, told):
    before = len(server.requests)
    done = push(*words)
    assert_one_sentence(done, told)
    assert len(server.requests) == before
    assert done.stdout == ""


def test_a_wrong_name_and_no_login_are_told_before_the_terms(push, sobench, server):
    nameless = sobench("push", "so-bench", "--private", **server.env)
    assert_one_sentence(nameless, "OWNER/NAME")
    unknown = push("--private", HF_TOKEN="")
    assert_one_sentence(unknown, "hf auth login")
    assert (nameless.stdout, unknown.stdout) == ("", "")


@pytest.mark.parametrize("module", ["tqdm", "filelock", "huggingface_hub"])
def test_a_missing_library_is_told_with_the_command_to_type(monkeypatch, capsys, module):
    known = extras.find_spec
    monkeypatch.setattr(extras, "find_spec", lambda name: None if name == module else known(name))
    assert main(["push", REPO, "--private"]) == 2
    assert f"`sobench push` lacks {module}: `pip install 'sobench[prepare]'`" in capsys.readouterr().err


def test_a_private_copy_and_how_a_colleague_loads_it(push, server, sobench, tmp_path):
    done = push("--private")
    assert done.returncode == 0, done.stderr[-2000:]
    terms = [f"{source}: terms of {source}" for source in prepared_set.EXPECTED]
    assert [term for term in terms if term not in done.stdout.split("files sent to")[0]] == []
    (command,) = [line.split() for line in done.stdout.splitlines() if line.strip().startswith("hf download")]
    assert command[:5] == ["hf", "download", "--repo-type", "dataset", REPO]
    assert command[6] == server.hub.repos[REPO].commits[-1].sha
    hf = [sys.executable, "-c", "from huggingface_hub.cli.hf import main; main()"]
    words = [word.replace("DIR", str(tmp_path / "colleague")) for word in command[1:]]
    env = {"PATH": "", "HOME": str(tmp_path), **server.env, "HF_TOKEN": TOKEN}
    subprocess.run([*hf, *words], env=env, check=True, capture_output=True)
    theirs = sobench("verify", SOBENCH_HOME=str(tmp_path / "colleague"))
    assert theirs.returncode == 0, theirs.stdout
    assert "10 of 10 samples" in theirs.stdout


def test_public_with_both_words_still_shows_the_terms(push, server):
    done = push("--public", "--i-have-the-right-to-publish-all-of-these")
    assert done.returncode == 0, done.stderr[-2000:]
    assert "rico: terms of rico" in done.stdout
    assert "PUBLIC" in done.stdout
    assert not server.hub.repos[REPO].private


def test_a_partial_set(push, server, tmp_path):
    partial = {"allowed_by": "--limit 2", "domains": {"ui": "4 of 5"}}
    write_set(tmp_path / "home", prepared_set.docs()[1:], prep_id="part", partial=partial)
    assert_one_sentence(push("--private"), "--allow-partial", "--limit 2")
    assert push("--private", "--allow-partial").returncode == 0


def test_what_the_hub_refuses_is_one_sentence(push):
    assert_one_sentence(push("--private", HF_TOKEN="hf_wrong"), "hf auth login", "HF_TOKEN")
    assert_one_sentence(push("--private", HF_ENDPOINT="http://127.0.0.1:9"), "cannot reach http://127.0.0.1:9")
    assert_one_sentence(push("--private", HF_HUB_OFFLINE="1"), "HF_HUB_OFFLINE")
