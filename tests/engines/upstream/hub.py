"""The part of the hub's HTTP API that huggingface_hub 2.4 uses for reading data sets and pushing one."""

from __future__ import annotations

import base64
import json
import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

from tests.engines.upstream.hub_repo import Blob, Commit, Repo, blob, commit

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["TOKEN", "Ask", "Hub", "Reply"]

TOKEN = "hf_of_the_test"
_TREE_PAGE, _COMMIT_PAGE = 40, 3  # small, so that a client that forgets to turn the page is found out


@dataclass(frozen=True)
class Ask:
    """A request: path decoded and without the place of the hub, query, headers, body."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: bytes = field(default=b"", repr=False)

    @property
    def token(self) -> str:
        return (self.headers.get("Authorization") or "").removeprefix("Bearer ")


@dataclass(frozen=True)
class Reply:
    """An answer; `file` bodies are served with ranges, and are the ones that faults spoil."""

    status: int = 200
    body: bytes = field(default=b"", repr=False)
    headers: Mapping[str, str] = field(default_factory=dict)
    file: bool = False
    etag: str = ""


class Hub:
    """Repositories and uploads; `base` is the endpoint, `cdn` where LFS bytes lie ("" serves them in place)."""

    def __init__(
        self, repos: Mapping[str, list[Commit]], base: str, cdn: str, gated: frozenset[str] = frozenset()
    ) -> None:
        self.base, self.cdn = base, cdn
        self.repos = {name: Repo(name, list(commits), gated=name in gated) for name, commits in repos.items()}
        self.uploads: dict[str, bytes] = {}
        self._lock = threading.Lock()

    def answer(self, ask: Ask) -> Reply:
        """Return the answer to a request whose path starts after the endpoint."""
        if ask.path.startswith("/api/datasets/"):
            owner, name, *rest = ask.path.removeprefix("/api/datasets/").split("/", 3)
            return self._of_repo(ask, f"{owner}/{name}", rest[0] if rest else "", "/".join(rest[1:]))
        if ask.path.startswith("/datasets/"):
            return self._files(ask)
        if ask.path.startswith("/lfs-upload/"):
            with self._lock:
                self.uploads[ask.path.rpartition("/")[2]] = ask.body
            return Reply()
        return self._general(ask)

    def stored(self, repo: str, sha256: str, name: str) -> Reply:
        """Return the bytes behind a CDN address."""
        commits = self.repos[repo].commits if repo in self.repos else []
        for one in reversed(commits):
            found = one.files.get(name)
            if found is not None and found.sha256 == sha256:
                return Reply(body=found.data, file=True, etag=f'"{found.sha256}"')
        return Reply(404)

    def _general(self, ask: Ask) -> Reply:
        if ask.path == "/api/validate-yaml":
            return _json({"errors": [], "warnings": []})
        if ask.token != TOKEN:
            return Reply(401, b'{"error": "Invalid username or password."}')
        if ask.path == "/api/whoami-v2":
            return _json({"type": "user", "name": "tester", "orgs": [], "auth": {"accessToken": {"role": "write"}}})
        if ask.path == "/api/repos/create" and ask.method == "POST":
            return self._create(json.loads(ask.body))
        return Reply(404)

    def _create(self, wish: dict[str, Any]) -> Reply:
        name = f"{wish.get('organization') or 'tester'}/{wish['name']}"
        address = {"url": f"{self.base}/datasets/{name}", "name": name}
        with self._lock:
            if name in self.repos:
                return _json({**address, "error": "You already created this dataset repo"}, 409)
            first = commit(
                {".gitattributes": blob(".gitattributes", b"")}, "2026-11-01T00:00:00.000Z", "initial commit"
            )
            private = wish.get("visibility") == "private" or wish.get("private") is True
            self.repos[name] = Repo(name, [first], private=private)
        return _json(address)

    def _visible(self, ask: Ask, name: str) -> Repo | None:
        repo = self.repos.get(name)
        return None if repo is None or (repo.private and ask.token != TOKEN) else repo

    def _of_repo(self, ask: Ask, name: str, what: str, rest: str) -> Reply:
        repo = self._visible(ask, name)
        if repo is None:
            return _no_repo(ask)
        if what == "settings":
            repo.private = json.loads(ask.body).get("visibility") == "private"
            return _json({"private": repo.private})
        revision, _, inside = rest.partition("/")
        state = repo.at(revision or "main")
        if state is None:
            return _missing("RevisionNotFound", f"Invalid rev id: {revision}")
        answers = {
            "": lambda: _json(_info(repo, state, ask)),
            "revision": lambda: _json(_info(repo, state, ask)),
            "tree": lambda: self._tree(ask, state, inside),
            "commits": lambda: self._commits(ask, repo, state),
            "refs": lambda: _json(
                {
                    "branches": [{"name": "main", "ref": "refs/heads/main", "targetCommit": repo.commits[-1].sha}],
                    "converts": [],
                    "tags": [],
                }
            ),
            "paths-info": lambda: _json(_named(ask, state)),
            "preupload": lambda: _preupload(ask, state),
            "commit": lambda: self._commit(ask, repo),
        }
        if what in {"preupload", "commit"} and ask.token != TOKEN:
            return Reply(401, b"{}")
        return answers[what]() if what in answers else Reply(404)

    def _tree(self, ask: Ask, state: Commit, folder: str) -> Reply:
        folder = folder.strip("/")
        entries = _entries(state, folder, recursive=ask.query.get("recursive", "").lower() == "true")
        if folder and not entries:
            return _missing("EntryNotFound", f"{folder} does not exist", state)
        if ask.query.get("expand", "").lower() == "true":
            last = {"id": state.sha, "title": state.title, "date": state.date}
            entries = [{**entry, "lastCommit": last} for entry in entries]
        return self._paged(ask, entries, _TREE_PAGE)

    def _commits(self, ask: Ask, repo: Repo, state: Commit) -> Reply:
        upto = repo.commits[: repo.commits.index(state) + 1]
        items = [
            {"id": one.sha, "title": one.title, "message": "", "authors": [{"user": "tester"}], "date": one.date}
            for one in reversed(upto)
        ]
        return self._paged(ask, items, _COMMIT_PAGE)

    def _paged(self, ask: Ask, items: list[Any], size: int) -> Reply:
        start = int(ask.query.get("cursor", 0))
        headers = {}
        if start + size < len(items):
            query = urlencode({**ask.query, "cursor": start + size})
            headers["Link"] = f'<{self.base}{quote(ask.path)}?{query}>; rel="next"'
        return _json(items[start : start + size], headers=headers)

    def _files(self, ask: Ask) -> Reply:
        owner, name, *rest = ask.path.removeprefix("/datasets/").split("/", 3)
        if name.endswith(".git"):
            return self._lfs(ask)
        repo = self._visible(ask, f"{owner}/{name}")
        if repo is None or len(rest) != 2 or rest[0] != "resolve":
            return _no_repo(ask)
        revision, _, path = rest[1].partition("/")
        state = repo.at(revision)
        if state is None:
            return _missing("RevisionNotFound", f"Invalid rev id: {revision}")
        if repo.gated and ask.token != TOKEN:
            return Reply(
                403 if ask.token else 401,
                b"gated",
                {"X-Error-Code": "GatedRepo", "X-Error-Message": "Access to this dataset is restricted."},
            )
        found = state.files.get(path)
        return (
            _missing("EntryNotFound", "Entry not found", state)
            if found is None
            else self._file(repo, state, path, found)
        )

    def _file(self, repo: Repo, state: Commit, path: str, found: Blob) -> Reply:
        headers = {"X-Repo-Commit": state.sha}
        if not found.lfs:
            return Reply(body=found.data, headers=headers, file=True, etag=f'"{found.oid}"')
        headers |= {"X-Linked-Size": str(len(found.data)), "X-Linked-Etag": f'"{found.sha256}"'}
        if not self.cdn:
            return Reply(body=found.data, headers=headers, file=True, etag=f'"{found.sha256}"')
        headers["Location"] = f"{self.cdn}/{repo.name}/{found.sha256}/{quote(path)}?signed=yes"
        return Reply(302, headers=headers, etag=f'"{found.oid}"')

    def _lfs(self, ask: Ask) -> Reply:
        if ask.token != TOKEN:
            return Reply(401, b"{}")
        objects = []
        for wish in json.loads(ask.body)["objects"]:
            actions = (
                {}
                if wish["oid"] in self.uploads
                else {"actions": {"upload": {"href": f"{self.base}/lfs-upload/{wish['oid']}"}}}
            )
            objects.append({"oid": wish["oid"], "size": wish["size"], **actions})
        return _json({"transfer": "basic", "objects": objects})

    def _commit(self, ask: Ask, repo: Repo) -> Reply:
        lines = [json.loads(line) for line in ask.body.splitlines() if line]
        title, old = lines[0]["value"]["summary"], repo.commits[-1]
        files = dict(old.files)
        for line in lines[1:]:
            path = line["value"]["path"]
            if line["key"] == "file":
                files[path] = blob(path, base64.b64decode(line["value"]["content"]))
            elif line["key"] == "lfsFile":
                files[path] = blob(path, self.uploads[line["value"]["oid"]])
            elif line["key"] == "deletedFile":
                files.pop(path, None)
            else:
                files = {name: kept for name, kept in files.items() if not name.startswith(path.rstrip("/") + "/")}
        new = commit(files, f"2026-11-02T00:00:{len(repo.commits) % 60:02}.000Z", title, old.sha)
        repo.commits.append(new)
        return _json(
            {"success": True, "commitOid": new.sha, "commitUrl": f"{self.base}/datasets/{repo.name}/commit/{new.sha}"}
        )


def _json(value: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Reply:
    return Reply(status, json.dumps(value).encode(), {"Content-Type": "application/json", **(headers or {})})


def _missing(code: str, message: str, state: Commit | None = None) -> Reply:
    known = {} if state is None else {"X-Repo-Commit": state.sha}
    return Reply(404, message.encode(), {"X-Error-Code": code, "X-Error-Message": message, **known})


def _no_repo(ask: Ask) -> Reply:
    """The hub does not tell a stranger whether a repository is private or absent."""
    headers = {"X-Error-Code": "RepoNotFound", "X-Error-Message": "Repository not found"}
    return Reply(404 if ask.token == TOKEN else 401, b'{"error": "Repository not found"}', headers)


def _info(repo: Repo, state: Commit, ask: Ask) -> dict[str, Any]:
    blobs = ask.query.get("blobs", "").lower() == "true"
    siblings = []
    for name, one in sorted(state.files.items()):
        more: dict[str, Any] = {}
        if blobs:
            more = {"size": len(one.data), "blobId": one.oid} | ({"lfs": _lfs_note(one, "sha256")} if one.lfs else {})
        siblings.append({"rfilename": name, **more})
    return {
        "_id": repo.commits[0].sha[:24],
        "id": repo.name,
        "author": repo.name.partition("/")[0],
        "sha": state.sha,
        "lastModified": state.date,
        "createdAt": repo.commits[0].date,
        "private": repo.private,
        "gated": "manual" if repo.gated else False,
        "disabled": False,
        "downloads": 0,
        "likes": 0,
        "tags": [],
        "siblings": siblings,
    }


def _lfs_note(one: Blob, key: str) -> dict[str, Any]:
    return {key: one.sha256, "size": len(one.data), "pointerSize": one.pointer_size}


def _entry(name: str, one: Blob) -> dict[str, Any]:
    entry = {"type": "file", "path": name, "size": len(one.data), "oid": one.oid}
    return entry | ({"lfs": _lfs_note(one, "oid")} if one.lfs else {})


def _entries(state: Commit, folder: str, *, recursive: bool) -> list[dict[str, Any]]:
    inside = folder + "/" if folder else ""
    files, folders = [], set()
    for name, one in sorted(state.files.items()):
        if not name.startswith(inside):
            continue
        parents = name[len(inside) :].split("/")[:-1]
        seen = ["/".join(parents[: depth + 1]) for depth in range(len(parents))]
        folders.update(seen if recursive else seen[:1])
        if recursive or not parents:
            files.append(_entry(name, one))
    return [
        {"type": "directory", "path": inside + name, "oid": "0" * 40, "size": 0} for name in sorted(folders)
    ] + files


def _named(ask: Ask, state: Commit) -> list[dict[str, Any]]:
    wanted = ask.query.get("paths", "").split("\n")
    files = [_entry(name, state.files[name]) for name in wanted if name in state.files]
    folders = [
        name for name in wanted if name not in state.files and any(one.startswith(name + "/") for one in state.files)
    ]
    return [*files, *({"type": "directory", "path": name, "oid": "0" * 40, "size": 0} for name in folders)]


def _preupload(ask: Ask, state: Commit) -> Reply:
    files = []
    for wish in json.loads(ask.body)["files"]:
        name, old = wish["path"], state.files.get(wish["path"])
        mode = "lfs" if blob(name, b"").lfs or wish["size"] > 10_000_000 else "regular"
        files.append({"path": name, "uploadMode": mode, "shouldIgnore": False} | ({"oid": old.etag} if old else {}))
    return _json({"files": files})
