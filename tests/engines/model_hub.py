"""A hub with model repositories that takes pull requests, on top of the one for data sets."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from typing_extensions import Self

from tests.engines.upstream.faults import Faults, Traffic
from tests.engines.upstream.hub import TOKEN, Ask, Hub, Reply
from tests.engines.upstream.hub_repo import Repo, blob, commit
from tests.engines.upstream.server import Server

__all__ = ["TOKEN", "ModelHub"]


class ModelHub:
    """`repos` are those of the hub, models and data sets by name; `pulls` what was proposed to each, open or not."""

    def __init__(self) -> None:
        self.faults = Faults()
        self._server = Server(self._route, self.faults, Traffic())
        self.endpoint = f"http://127.0.0.1:{self._server.server_address[1]}"
        self._hub = Hub({}, self.endpoint, "")
        self.pulls: dict[str, list[dict[str, Any]]] = {}
        self.requests = self._server.seen

    def add(self, name: str, files: dict[str, str]) -> None:
        """Make a repository that holds these texts."""
        blobs = {path: blob(path, text.encode()) for path, text in files.items()}
        self._hub.repos[name] = Repo(name, [commit(blobs, "2026-01-01T00:00:00.000Z", "first")])

    def proposed(self, name: str) -> dict[str, str]:
        """The texts that the one pull request to a repository changes."""
        (pull,) = self.pulls[name]
        return pull["files"]

    def main(self, name: str) -> Repo:
        """The repository itself."""
        return self._hub.repos[name]

    def __enter__(self) -> Self:
        self._server.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.stop()

    def _route(self, ask: Ask) -> Reply:
        path = ask.path.replace("/api/models/", "/api/datasets/")
        parts = path.strip("/").split("/")
        if parts[0] == "api" and parts[4:5] == ["discussions"]:
            return self._listed("/".join(parts[2:4]))
        if parts[0] == "api" and parts[4:5] == ["commit"] and ask.query.get("create_pr") == "1":
            return self._propose(replace(ask, path=path), "/".join(parts[2:4]))
        if parts[0] not in ("api", "datasets") and parts[2:3] == ["resolve"]:
            path = f"/datasets{path}"
        return self._hub.answer(replace(ask, path=path))

    def _listed(self, name: str) -> Reply:
        found = [
            {
                "title": pull["title"],
                "num": number,
                "author": {"name": "tester"},
                "createdAt": "2026-01-01T00:00:00.000Z",
                "status": "open",
                "repo": {"name": name, "type": "model"},
                "isPullRequest": True,
            }
            for number, pull in enumerate(self.pulls.get(name, []), 1)
        ]
        return _json({"count": len(found), "start": 0, "discussions": found})

    def _propose(self, ask: Ask, name: str) -> Reply:
        repo = self._hub.repos[name]
        before = list(repo.commits)
        reply = self._hub.answer(ask)
        if reply.status != 200:
            return reply
        new, repo.commits = repo.commits[-1], before  # the main branch stays as it was
        old = before[-1].files
        changed = {path: one.data.decode() for path, one in new.files.items() if old.get(path) != one}
        self.pulls.setdefault(name, []).append({"title": new.title, "files": changed})
        number = len(self.pulls[name])
        return _json({**json.loads(reply.body), "pullRequestUrl": f"{self.endpoint}/{name}/discussions/{number}"})


def _json(value: Any) -> Reply:
    return Reply(200, json.dumps(value).encode(), {"Content-Type": "application/json"})
