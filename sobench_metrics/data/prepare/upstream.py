"""What upstream's repository gives: labels, prompts, the VisText table and its licences, all of one commit.

From the web, each file is kept in a folder of its commit with its hash, and read from there ever after; a file that no
longer has its hash is fetched again. Nothing of upstream is run.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from sobench_metrics.data.fetch.errors import FetchError, Missing
from sobench_metrics.data.prepare.git_head import head_commit
from sobench_metrics.data.prepare.label_files import label_files
from sobench_metrics.data.prepare.labels import Label, read_labels
from sobench_metrics.data.prepare.prompts import read_prompts
from sobench_metrics.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sobench_metrics.data.fetch.http import Http

__all__ = ["PINNED_COMMIT", "UPSTREAM_URL", "Upstream", "from_clone", "from_web"]

PINNED_COMMIT = "37874230ad1ec98ae8619489d200565c38b07c7a"
UPSTREAM_URL = "SOBENCH_UPSTREAM_URL"
"""The environment variable of a mirror: BASE/<commit>/<path>, and BASE/media/<commit>/<path> for git-LFS files."""

_RAW = "https://raw.githubusercontent.com/apple/ml-sobench"
_MEDIA = "https://media.githubusercontent.com/media/apple/ml-sobench"
_LABELS, _LABELS_FOLDER = "data/labels.zip", "data/labels"
_SCRIPT, _MAPPING = "convert_to_eval_jsonl.py", "data/vistext_mapping.json"
_LICENCES = ("LICENSE.md", "LICENSE_DATA.md")  # a commit may lack one
_LIMIT = 256 << 20
_LIST = "files.json"
_POINTER = re.compile(
    rb"version https://git-lfs\.github\.com/spec/v1\noid sha256:(?P<oid>[0-9a-f]{64})\nsize (?P<size>\d+)\n"
)
_TAKE_A_CLONE = "give a git clone of the repository with --upstream-dir"


@dataclass(frozen=True, slots=True)
class Upstream:
    """One commit of upstream, read; `files` gives the sha256 of each file by its path, as it was used."""

    labels: tuple[Label, ...]
    prompts: dict[str, str]
    vistext_mapping: Mapping[str, tuple[str, ...]]
    commit: str
    files: dict[str, str]
    licences: dict[str, str]


def from_clone(folder: Path) -> Upstream:
    """Return what a clone (or a plain copy) of upstream's repository holds; the commit is "local" where git knows none.

    Labels are taken from data/labels.zip, else from an unzipped data/labels/. Raises UsageError.
    """

    def read(name: str) -> bytes | None:
        try:
            return (folder / name).read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise UsageError(
                f"cannot read {folder / name} ({error.strerror}): name a folder that you may read."
            ) from error

    if not folder.is_dir():
        raise UsageError(f"--upstream-dir {folder} is no folder: {_TAKE_A_CLONE}.")
    found = {name: data for name in (_LABELS, _SCRIPT, _MAPPING, *_LICENCES) if (data := read(name)) is not None}
    if _LABELS not in found and (folder / _LABELS_FOLDER).is_dir():
        return _upstream(found, head_commit(folder) or "local", folder / _LABELS_FOLDER)
    for name in (_LABELS, _SCRIPT, _MAPPING):
        if name not in found:
            raise UsageError(f"{folder} lacks {name}: {_TAKE_A_CLONE}.")
    if _POINTER.match(found[_LABELS]):
        raise UsageError(f"{folder / _LABELS} is only a git-LFS pointer: run `git lfs pull` in that folder and repeat.")
    return _upstream(found, head_commit(folder) or "local", found[_LABELS])


def from_web(http: Http, cache: Path, commit: str = PINNED_COMMIT) -> Upstream:
    """Return upstream at a full commit sha, read through `cache` (the folder of the commit is made below it).

    Once all is there, nothing is asked of the network. Raises UsageError.
    """
    if not re.fullmatch(r"[0-9a-f]{40}", commit):
        raise UsageError(f"{commit!r} is no full commit: --revision upstream= takes the 40 hexadecimal digits.")
    kept = _Kept(cache / commit, commit)
    found: dict[str, bytes] = {}
    for name in (_SCRIPT, _MAPPING, _LABELS, *_LICENCES):
        data = kept.read(name, partial(_fetched, http, commit, name))
        if data is not None:
            found[name] = data
    return _upstream(found, commit, found[_LABELS])


def _upstream(found: Mapping[str, bytes], commit: str, labels: bytes | Path) -> Upstream:
    from sobench_metrics.data.sources import SOURCES

    files = {name: hashlib.sha256(data).hexdigest() for name, data in sorted(found.items())}
    if isinstance(labels, Path):
        files[f"{_LABELS_FOLDER}/"] = _folder_sha256(labels)
    return Upstream(
        labels=read_labels(labels, {name: source.domain for name, source in SOURCES.items()}),
        prompts=read_prompts(_text(found, _SCRIPT)),
        vistext_mapping=_mapping(_text(found, _MAPPING)),
        commit=commit,
        files=files,
        licences={name: found[name].decode("utf-8", "replace") for name in _LICENCES if name in found},
    )


def _text(found: Mapping[str, bytes], name: str) -> str:
    try:
        return found[name].decode("utf-8")
    except KeyError:
        raise UsageError(f"upstream's {name} is missing: {_TAKE_A_CLONE}.") from None
    except UnicodeDecodeError:
        raise UsageError(f"upstream's {name} is not UTF-8: {_TAKE_A_CLONE}.") from None


def _folder_sha256(folder: Path) -> str:
    """Hash names and bytes of an unzipped folder."""
    digest = hashlib.sha256()
    for name, data in label_files(folder):
        digest.update(f"{name}\0{hashlib.sha256(data).hexdigest()}\n".encode())
    return digest.hexdigest()


def _mapping(text: str) -> dict[str, tuple[str, ...]]:
    try:
        table = json.loads(text)
        if not isinstance(table, dict) or not all(_is_members(members) for members in table.values()):
            raise ValueError("it is no table of lists of names")  # noqa: TRY301 - a fault of the file
    except (ValueError, RecursionError) as error:
        raise UsageError(f"upstream's {_MAPPING} cannot be used ({error}): {_TAKE_A_CLONE}.") from error
    return {merged: tuple(members) for merged, members in table.items()}


def _is_members(members: object) -> bool:
    return isinstance(members, list) and bool(members) and all(isinstance(member, str) for member in members)


def _fetched(http: Http, commit: str, name: str) -> bytes | None:
    """Return a file of the repository, through its git-LFS pointer; None for a licence that is not there."""
    base = os.environ.get(UPSTREAM_URL, "").rstrip("/")
    try:
        data = http.get(f"{base or _RAW}/{commit}/{name}", limit=_LIMIT)
        pointer = _POINTER.match(data)
        if pointer is None:
            return data
        data = http.get(f"{base + '/media' if base else _MEDIA}/{commit}/{name}", limit=_LIMIT)
    except Missing as error:
        if name in _LICENCES:
            return None
        raise UsageError(f"upstream's {name} is not there at the commit {commit}: {_TAKE_A_CLONE}.") from error
    except FetchError as error:
        raise UsageError(f"upstream's {name}: {str(error).rstrip('.')}; or {_TAKE_A_CLONE}.") from error
    if hashlib.sha256(data).hexdigest() != pointer["oid"].decode():
        raise UsageError(f"upstream's {name} is not the file that its git-LFS pointer names: {_TAKE_A_CLONE}.")
    return data


@dataclass(frozen=True, slots=True)
class _Kept:
    """The files of one commit on the disk, and the list of their hashes (null: known not to be there)."""

    folder: Path
    commit: str

    def read(self, name: str, fetch: Callable[[], bytes | None]) -> bytes | None:
        """Return a file whole and with the hash of its first fetching; fetch it when the disk has none such."""
        from sobench_metrics.data.fetch.store import write_whole

        listed = self._listed()
        if name in listed:
            data = self._stored(name)
            if listed[name] == (None if data is None else hashlib.sha256(data).hexdigest()):
                return data
        data = fetch()
        if data is not None:
            self._check(name, data, listed.get(name))
            write_whole(self.folder / name, data)
        listed[name] = None if data is None else hashlib.sha256(data).hexdigest()
        write_whole(self.folder / _LIST, (json.dumps(listed, indent=2, sort_keys=True) + "\n").encode())
        return data

    def _listed(self) -> dict[str, str | None]:
        try:
            value = json.loads((self.folder / _LIST).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return value if isinstance(value, dict) else {}

    def _stored(self, name: str) -> bytes | None:
        try:
            return (self.folder / name).read_bytes()
        except OSError:
            return None

    def _check(self, name: str, data: bytes, before: str | None) -> None:
        if before is not None and before != hashlib.sha256(data).hexdigest():
            raise UsageError(
                f"upstream's {name} is not what it was when the commit {self.commit} was fetched before, and a commit "
                f"never changes: find out which one is wrong, remove {self.folder} and repeat."
            )
