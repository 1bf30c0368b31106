"""The commit of a clone, in each layout that git itself writes."""

import shutil
import subprocess

import pytest

from sobench_metrics.data.prepare.git_head import head_commit

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git makes the clones")


def git(folder, *words):
    identity = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"]
    done = subprocess.run(["git", *identity, *words], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.fixture
def clone(tmp_path):
    folder = tmp_path / "clone"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "feature/one")
    git(folder, "commit", "-q", "--allow-empty", "-m", "one")
    return folder


def test_a_branch(clone):
    assert head_commit(clone) == git(clone, "rev-parse", "HEAD")


def test_packed_refs_and_a_newer_loose_one(clone):
    git(clone, "pack-refs", "--all")
    assert not (clone / ".git/refs/heads/feature/one").exists()
    assert head_commit(clone) == (first := git(clone, "rev-parse", "HEAD"))
    git(clone, "commit", "-q", "--allow-empty", "-m", "two")
    assert head_commit(clone) == git(clone, "rev-parse", "HEAD") != first


def test_a_detached_head(clone):
    git(clone, "commit", "-q", "--allow-empty", "-m", "two")
    git(clone, "checkout", "-q", "HEAD~1")
    assert head_commit(clone) == git(clone, "rev-parse", "HEAD") != git(clone, "rev-parse", "feature/one")


@pytest.mark.parametrize("packed", [False, True])
def test_a_worktree(clone, packed):
    tree = clone.parent / "tree"
    git(clone, "worktree", "add", "-q", "-b", "other", str(tree))
    git(tree, "commit", "-q", "--allow-empty", "-m", "three")
    if packed:
        git(clone, "pack-refs", "--all")
    assert (tree / ".git").is_file()
    assert head_commit(tree) == git(tree, "rev-parse", "HEAD") != head_commit(clone)


def test_a_shallow_clone(clone):
    git(clone.parent, "clone", "-q", "--depth", "1", f"file://{clone}", "shallow")
    assert head_commit(clone.parent / "shallow") == head_commit(clone)


def test_a_clone_without_a_commit_has_none(tmp_path):
    git(tmp_path, "init", "-q")
    assert head_commit(tmp_path) is None


@pytest.mark.parametrize(
    "head", ["", "ref: refs/../../secret", "ref: /etc/passwd", "zzz", "ref: refs/heads/none", "a" * 39, b"\xff\xfe"]
)
def test_anything_else_is_no_commit(tmp_path, head):
    (tmp_path / ".git" / "refs").mkdir(parents=True)
    (tmp_path / "secret").write_text("a" * 40)
    (tmp_path / ".git" / "HEAD").write_bytes(head if isinstance(head, bytes) else head.encode())
    assert head_commit(tmp_path) is None
    assert head_commit(tmp_path / "nowhere") is None
