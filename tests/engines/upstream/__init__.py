"""A synthetic SO-Bench upstream on 127.0.0.1: labels, prompts, ten image sources, faults on request, bytes counted.

with Upstream(seed=0) as upstream:
    upstream.use(monkeypatch)                       # in this process; or env={**os.environ, **upstream.env}
    upstream.faults.add("*/unique_uis.tar.gz", Fault.cut(after=100_000, times=2))
    run("sobench prepare")
    assert upstream.traffic.of("webui") < upstream.full_bytes["webui"] / 5
    assert hashes == upstream.expected_pixels()
"""

from __future__ import annotations

import hashlib
import tempfile
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from typing_extensions import Self

from tests.engines.upstream import content as contents
from tests.engines.upstream import script
from tests.engines.upstream.faults import Fault, Faults, Traffic
from tests.engines.upstream.hub import TOKEN, Ask, Hub, Reply
from tests.engines.upstream.hub_repo import pointer
from tests.engines.upstream.labels import DOMAIN_OF
from tests.engines.upstream.server import Server

if TYPE_CHECKING:
    from collections.abc import Collection

__all__ = ["COMMIT", "DOMAIN_OF", "TOKEN", "Fault", "Upstream"]

COMMIT = contents.COMMIT
_SITES = {"hiertext": contents.HIERTEXT_URL, "rico": contents.RICO_URL, "vistext": contents.VISTEXT_URL}
_FOLDERS = {"docvqa": "DocVQA/", "infographicvqa": "InfographicVQA/"}


class _SourceTraffic(Traffic):
    def of(self, source: str) -> int:
        """Return the bytes moved for one source; talk with the hub's API counts for every source of a repository."""
        if source in _SITES:
            return self.bytes(f"sites/{_SITES[source]}")
        root = f"hub/{contents.REPOS[source]}/"
        return (
            self.bytes(root + _FOLDERS[source]) + self.bytes(root + "(api)") if source in _FOLDERS else self.bytes(root)
        )


class Upstream:
    """The server. All choices are keywords:

    `omnidocbench`   version whose page numbers the labels use: "v1.0", "v1.5", "v1.6"
    `unclear_pages`  its labels hold texts of no page at all
    `chartqapro`     image column "binary" or "image" (a struct with feature metadata)
    `missing`        sources for which one label names an image that is not there
    `broken`         sources of which one named image cannot be decoded
    `huge_page`      one of the named document pages has 145 megapixels
    `labels_in_lfs`  labels.zip is a git-LFS pointer, the bytes lie at the media address
    `gated`          hub repositories that need `TOKEN`
    `redirect`       LFS files of the hub are answered with a redirect to another host name (`localhost`)
    """

    def __init__(
        self,
        seed: int = 0,
        *,
        omnidocbench: str = "v1.5",
        unclear_pages: bool = False,
        chartqapro: str = "binary",
        missing: Collection[str] = (),
        broken: Collection[str] = (),
        huge_page: bool = False,
        labels_in_lfs: bool = False,
        gated: Collection[str] = (),
        redirect: bool = True,
    ) -> None:
        self.content = contents.build(
            contents.Options(
                seed, omnidocbench, unclear_pages, chartqapro, tuple(sorted(missing)), tuple(sorted(broken)), huge_page
            )
        )
        self.faults, self.traffic, self.labels_in_lfs = Faults(), _SourceTraffic(), labels_in_lfs
        self._server = Server(self._route, self.faults, self.traffic)
        self._port = self._server.server_address[1]
        self.base = f"http://127.0.0.1:{self._port}"
        self._gated, self._redirect = frozenset(gated), redirect
        self.hub = self._new_hub()
        self._home = tempfile.TemporaryDirectory(prefix="upstream-")

    def _new_hub(self) -> Hub:
        cdn = f"http://localhost:{self._port}/cdn" if self._redirect else ""
        return Hub(self.content.repos, f"{self.base}/hub", cdn, self._gated)

    def __enter__(self) -> Self:
        self._server.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.stop()
        self._home.cleanup()

    @property
    def env(self) -> dict[str, str]:
        """The environment in which a command finds this upstream instead of the real one."""
        return {
            "SOBENCH_UPSTREAM_URL": f"{self.base}/github",
            "SOBENCH_SITES_URL": f"{self.base}/sites",
            "HF_ENDPOINT": f"{self.base}/hub",
            "HF_HOME": str(Path(self._home.name) / "hf"),
            "HF_HUB_DISABLE_XET": "1",
            "HF_HUB_DISABLE_PROGRESS_BARS": "1",
            "HF_HUB_DISABLE_TELEMETRY": "1",
            "HF_HUB_OFFLINE": "0",
            "NO_PROXY": "127.0.0.1,localhost",
            "no_proxy": "127.0.0.1,localhost",
            script.MARKER_VARIABLE: str(self._marker),
        }

    def use(self, monkeypatch, *, token: str | None = None) -> None:
        """Set the environment in this process, and the constants that huggingface_hub has read from it already.

        Its ENDPOINT is left alone: code under test must pass the endpoint of the environment itself.
        """
        from huggingface_hub import constants

        for name, value in self.env.items():
            monkeypatch.setenv(name, value)
        for name in ("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN"):
            monkeypatch.delenv(name, raising=False)
        if token is not None:
            monkeypatch.setenv("HF_TOKEN", token)
        monkeypatch.setattr(constants, "HF_HUB_DISABLE_XET", True)
        monkeypatch.setattr(constants, "HF_TOKEN_PATH", str(Path(self._home.name) / "token"))
        monkeypatch.setattr(constants, "HF_HUB_CACHE", str(Path(self._home.name) / "hf" / "hub"))

    @property
    def _marker(self) -> Path:
        return Path(self._home.name) / "executed"

    @property
    def executed(self) -> bool:
        """Whether somebody ran the conversion script."""
        return self._marker.exists() or Path("upstream_was_executed").exists()

    @property
    def labels(self) -> list[dict[str, Any]]:
        """The labels in the order of their doc ids."""
        return [one for _, one in sorted(self.content.labels.items())]

    @property
    def labels_by_id(self) -> dict[str, dict[str, Any]]:
        """The labels by doc id, which is the stem of their file."""
        return dict(sorted(self.content.labels.items()))

    @property
    def full_bytes(self) -> dict[str, int]:
        """What a download of everything that upstream's own script takes would move, by source."""
        return self.content.full_bytes

    @property
    def wanted_bytes(self) -> dict[str, int]:
        """The bytes of the originals that labels name, by source: less cannot be moved."""
        return self.content.wanted_bytes

    @property
    def requests(self) -> list[Ask]:
        """Every request so far, with path, query and headers."""
        return self._server.seen

    def reset(self) -> None:
        """Forget faults, counts, requests and whatever was pushed."""
        self.faults.clear()
        self.traffic.reset()
        self._server.seen.clear()
        self.hub = self._new_hub()

    def expected_pixels(self) -> dict[str, str]:
        """Return the pixel hash by doc id that the plain twin of upstream's own pipeline comes to."""
        from tests.engines.upstream import twin

        return twin.pixel_hashes(self.content)

    def write_clone(self, folder: Path) -> Path:
        """Write what `git clone` of the repository would leave (labels.zip included) and return the folder."""
        for name, data in self.content.github.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        return folder

    def write_archive(self, source: str, folder: Path) -> Path:
        """Write what a user who fetched a source by hand has: the archive file of a site, the files of a repository."""
        if source in _SITES:
            path = folder / _SITES[source].rpartition("/")[2]
            folder.mkdir(parents=True, exist_ok=True)
            path.write_bytes(self.content.sites[_SITES[source]])
            return path
        for name, one in self.commits(source)[-1].files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(one.data)
        return folder

    def commits(self, source: str):
        """Return the commits of a hub source, oldest first, each with .sha, .date, .title, .files."""
        return self.hub.repos[contents.REPOS[source]].commits

    def revision(self, version: str) -> str:
        """Return the sha of the last commit that holds one version of the document benchmark."""
        order = ("v1.0", "v1.5", "v1.6")
        return self.commits("omnidocbench")[2 + 2 * order.index(version)].sha

    def _route(self, ask: Ask) -> Reply:
        area, _, rest = ask.path.lstrip("/").partition("/")
        if area == "hub":
            return self.hub.answer(Ask(ask.method, "/" + rest, ask.query, ask.headers, ask.body))
        if area == "cdn":
            owner, name, sha256, path = rest.split("/", 3)
            return self.hub.stored(f"{owner}/{name}", sha256, path)
        if area == "github":
            return self._github(rest)
        if area == "sites":
            media = f"media.githubusercontent.com/media/apple/ml-sobench/{COMMIT}/"
            data = (
                self.content.github.get(rest.removeprefix(media))
                if rest.startswith(media)
                else self.content.sites.get(rest)
            )
            return Reply(404) if data is None else _file(data)
        return Reply(404)

    def _github(self, rest: str) -> Reply:
        stored = self.content.github
        revision, _, name = rest.removeprefix("media/").partition("/")
        if revision != COMMIT or name not in stored:
            return Reply(404, b"404: Not Found", {"Content-Type": "text/plain"})
        if self.labels_in_lfs and name.endswith(".zip") and not rest.startswith("media/"):
            return _file(pointer(stored[name]))
        return _file(stored[name])


@lru_cache(maxsize=32)  # of the few files that every content has
def _etag(data: bytes) -> str:
    return f'"{hashlib.md5(data).hexdigest()}"'


def _file(data: bytes) -> Reply:
    return Reply(body=data, file=True, etag=_etag(data))
