"""Data set repositories of the Hugging Face hub at one commit, each file checked against the commit's own hash."""

from __future__ import annotations

import hashlib
import json
import logging
import os
import re
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sobench_metrics.data.fetch.answers import shown
from sobench_metrics.data.fetch.errors import FetchError, Refused
from sobench_metrics.data.fetch.paths import safe_parts
from sobench_metrics.data.fetch.store import write_whole
from sobench_metrics.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime
    from pathlib import Path

    from sobench_metrics.data.fetch.http import Http
    from sobench_metrics.data.fetch.open_file import OpenFile

__all__ = ["HubFile", "HubRepo", "Revision", "hub_revisions", "revision_at"]

_BUSY = (429, 500, 502, 503, 504)
_TRIES = 4
_LONGEST_WISH = 120.0  # seconds of a Retry-After that are honoured
_USER = re.compile(r"//[^/@\s]*@")
_COMMIT = re.compile(r"[0-9a-f]{40}")


_sleep = time.sleep
_REACH_SECONDS = 10.0
_REACHED: dict[str, bool] = {}
"""Whether an address answered at all, asked once a process: ten sources must not wait for a dead network in turn."""
_REACHED_LOCK = threading.Lock()


@dataclass(frozen=True, slots=True)
class Revision:
    """One commit: its full id and its date."""

    sha: str
    date: datetime


@dataclass(frozen=True, slots=True)
class HubFile:
    """A file of the listing: `sha256` for large files, `blob` (git's SHA-1) for the others."""

    size: int
    blob: str
    sha256: str | None = None

    def holds(self, data: bytes) -> bool:
        """Tell whether these are the bytes of the commit."""
        if self.sha256:
            return hashlib.sha256(data).hexdigest() == self.sha256
        return hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest() == self.blob  # noqa: S324 - git's own


class HubRepo:
    """A data set repository at a full commit id. Honours HF_ENDPOINT, HF_TOKEN and HF_HUB_OFFLINE."""

    def __init__(self, repo_id: str, revision: str, http: Http, cache: Path) -> None:
        """Ask nothing yet; the listing is kept in `cache`. Raises UsageError for an abbreviated commit."""
        if not _COMMIT.fullmatch(revision):
            raise UsageError(f"{revision!a} is not a full commit id of {repo_id}: give all 40 hexadecimal digits.")
        self.repo_id, self.revision, self.http = repo_id, revision, http
        self.where = _shown(repo_id)
        key = hashlib.sha256(f"{self.where}@{revision}".encode()).hexdigest()[:32]
        self._cached, self._lock = cache / f"hub-{key}.json", threading.Lock()
        self._files: dict[str, HubFile] | None = None

    def files(self) -> dict[str, HubFile]:
        """Return all files of the commit by name, asked once and then read from the cache. Raises FetchError."""
        with self._lock:
            if self._files is None:
                self._files = self._from_cache() or self._from_hub()
            return self._files

    def listing(self, folder: str = "") -> dict[str, int]:
        """Return the size of every file below `folder`, by its name from the root."""
        start = f"{folder.rstrip('/')}/" if folder else ""
        return {name: file.size for name, file in self.files().items() if name.startswith(start)}

    def open(self, name: str) -> OpenFile:
        """Return a file for reading anywhere in it; its tag is the hash of the commit."""
        file = self._file(name)
        url, headers = self._address(name)
        return self.http.open(url, headers=headers, size=file.size, tag=file.sha256 or file.blob)

    def read(self, name: str, *, limit: int) -> bytes:
        """Return a whole file, checked. Raises Refused when a second try has wrong bytes, too."""
        file = self._file(name)
        if file.size > limit:
            raise Refused(f"{name} of {self.where} has {file.size} bytes, more than the {limit} that it may have.")
        url, headers = self._address(name)
        for _ in range(2):
            data = self.http.get(url, limit=limit, headers=headers)
            if file.holds(data):
                return data
        raise Refused(
            f"{name} of {self.where} does not have the bytes of commit {self.revision[:12]}: try again later."
        )

    def _file(self, name: str) -> HubFile:
        safe_parts(name)
        file = self.files().get(name)
        if file is None:
            raise FetchError(f"{self.where} has no file {name} at commit {self.revision[:12]}: check --revision.")
        return file

    def _address(self, name: str) -> tuple[str, dict[str, str]]:
        from huggingface_hub import constants, get_token, hf_hub_url

        _mind_offline(self.where)
        url = hf_hub_url(self.repo_id, name, repo_type="dataset", revision=self.revision, endpoint=_endpoint())
        token = None if constants.HF_HUB_DISABLE_IMPLICIT_TOKEN else get_token()
        return url, {"Authorization": f"Bearer {token}"} if token else {}

    def _from_cache(self) -> dict[str, HubFile]:
        try:
            told = json.loads(self._cached.read_bytes())
            return {name: HubFile(**fields) for name, fields in told.items()}
        except (OSError, ValueError, TypeError, AttributeError):
            return {}

    def _from_hub(self) -> dict[str, HubFile]:
        def entries() -> list[Any]:
            return list(
                _api().list_repo_tree(self.repo_id, repo_type="dataset", revision=self.revision, recursive=True)
            )

        with _told(self.where, self.revision):
            files = {}
            for entry in _patiently(entries):
                if (size := getattr(entry, "size", None)) is not None:
                    lfs = entry.lfs
                    files[entry.path] = HubFile(size, entry.blob_id, lfs["sha256"] if lfs else None)
        told = {name: {"size": file.size, "blob": file.blob, "sha256": file.sha256} for name, file in files.items()}
        write_whole(self._cached, json.dumps(told).encode())
        return files


def hub_revisions(repo_id: str) -> tuple[Revision, ...]:
    """Return the commits of a data set's main branch, newest first. Raises FetchError."""
    with _told(_shown(repo_id), "main"):
        commits = _patiently(lambda: _api().list_repo_commits(repo_id, repo_type="dataset"))
        found = (Revision(commit.commit_id, commit.created_at) for commit in commits)
        return tuple(sorted(found, key=lambda revision: revision.date, reverse=True))


def revision_at(repo_id: str, when: datetime) -> str:
    """Return the last commit at or before `when` (with a time zone). Raises FetchError when there is none."""
    for revision in hub_revisions(repo_id):
        if revision.date <= when:
            return revision.sha
    raise FetchError(f"{repo_id} has no commit of {when:%Y-%m-%d} or before: name one with --revision.")


def _endpoint() -> str:
    return (os.environ.get("HF_ENDPOINT") or "https://huggingface.co").rstrip("/")


def _shown(repo_id: str) -> str:
    return shown(f"{_endpoint()}/datasets/{repo_id}")


def _api() -> Any:
    from huggingface_hub import HfApi

    return HfApi(endpoint=_endpoint(), library_name="sobench")


def _patiently(ask: Callable[[], list[Any]]) -> list[Any]:
    """Return what the hub lists, asked again when it is busy: the library does so itself from its version 2 on only."""
    from huggingface_hub import errors

    for number in range(1, _TRIES):
        try:
            return ask()
        except errors.HfHubHTTPError as error:  # noqa: PERF203 - each request is a try of its own
            answer = error.response
            if answer is None or answer.status_code not in _BUSY:
                raise
            wish = str(answer.headers.get("Retry-After", ""))
            _sleep(min(float(wish), _LONGEST_WISH) if wish.isdigit() else 2.0**number)
    return ask()


def _mind_offline(where: str) -> None:
    """Raise FetchError when the hub must not or cannot be asked: its library would try for half a minute, aloud."""
    import requests
    from huggingface_hub import constants

    if constants.HF_HUB_OFFLINE:
        raise FetchError(f"HF_HUB_OFFLINE forbids asking {where}: unset it, or give --local-archive.")
    logging.getLogger("huggingface_hub").setLevel(logging.ERROR)  # it tells every try; we tell what came of them
    endpoint = _endpoint()
    with _REACHED_LOCK:
        if endpoint not in _REACHED:
            try:
                requests.head(endpoint, timeout=_REACH_SECONDS, allow_redirects=False)
                _REACHED[endpoint] = True
            except requests.RequestException:
                _REACHED[endpoint] = False
        if not _REACHED[endpoint]:
            raise FetchError(
                f"{where} cannot be reached: check the network (or HF_ENDPOINT), or give your own copy with "
                "--local-archive."
            )


@contextmanager
def _told(where: str, revision: str) -> Iterator[None]:
    """Turn what the library raises into one sentence with the remedy."""
    from huggingface_hub import errors

    _mind_offline(where)
    # the library's HTTP client changed at 1.0 (requests, then httpx): its base error is found, not imported
    transport: Any = errors.HfHubHTTPError.__bases__[0]
    try:
        yield
    except errors.GatedRepoError as error:
        raise FetchError(
            f"{where} is gated: accept its terms there, set HF_TOKEN, or give your own copy with --local-archive."
        ) from error
    except errors.RevisionNotFoundError as error:
        raise FetchError(f"{where} has no commit {revision}: name another one with --revision.") from error
    except errors.RepositoryNotFoundError as error:
        raise FetchError(
            f"{where} is not there or is private: set HF_TOKEN, or give your own copy with --local-archive."
        ) from error
    except (json.JSONDecodeError, KeyError, TypeError, AttributeError) as error:
        raise FetchError(f"{where} does not answer like a hub: check HF_ENDPOINT and the network.") from error
    except (OSError, ValueError, transport) as error:
        # the server's own words: in one line, without what steers a terminal, and without a password in an address
        words = "".join(letter if letter.isprintable() else " " for letter in str(error))
        reason = " ".join(_USER.sub("//", words).split())[:200] or type(error).__name__
        raise FetchError(
            f"{where} could not be asked ({reason}): check the network and repeat the command, or give your own "
            "copy with --local-archive."
        ) from error
