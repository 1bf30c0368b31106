"""Share a prepared set with one's own team: one commit to a private data set repository of the hub.

The licences of labels and images allow no publication, so the repository must be private before the first byte is
sent, and is looked at once more after it was made. A set is proven whole first; a killed push leaves no commit.
"""

from __future__ import annotations

import os
import re
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sobench_metrics.data.plain_words import one_line, reason
from sobench_metrics.data.prepare.licences import summary
from sobench_metrics.data.prepared_sets import read_manifest
from sobench_metrics.data.verify import verify
from sobench_metrics.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from sobench_metrics.data.prepared_sets import SetManifest

__all__ = ["Pushed", "card_text", "check_repo_id", "licences", "push", "token"]

_CARD, _MANIFEST = "README.md", "manifest.json"
_REPO_ID = re.compile(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*")
_NOBODYS = {_CARD, ".gitattributes"}  # what a fresh repository may hold


@dataclass(frozen=True, slots=True)
class Pushed:
    """Where the set lies now."""

    url: str
    commit: str
    files: int


def licences(manifest: SetManifest) -> list[str]:
    """Return a line for labels and prompts and one a source."""
    return summary({name: {"licence": "unknown", **source} for name, source in manifest.sources.items()})


def card_text(root: Path, manifest: SetManifest) -> str:
    """Return the set's card with the licences in it, whether or not they stand there already."""
    try:
        card = (root / _CARD).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot read {root / _CARD} ({reason(error)}): run `sobench prepare` again.") from error
    lines = [f"- {line}" for line in licences(manifest)]
    if all(line in card for line in lines):
        return card
    return "\n".join([card.rstrip("\n"), "", "## Licences", "Do not publish.", *lines, ""])


def push(
    root: Path,
    repo_id: str,
    *,
    public: bool = False,
    allow_partial: bool = False,
    seen: Callable[[int], None] = lambda _: None,
) -> Pushed:
    """Upload the set and return where it lies. Honours HF_ENDPOINT, HF_TOKEN and a stored login.

    `public` needs the right to publish; else a repository that others can read is refused. Files of an earlier set in
    the repository are replaced, anything else in it is refused. Raises UsageError for a set that is damaged (or
    partial, unless `allow_partial`), and for all that the hub refuses.
    """
    check_repo_id(repo_id)
    manifest = read_manifest(root)
    if manifest.partial is not None and not allow_partial:
        why = manifest.partial.get("allowed_by", "an unknown flag")
        raise UsageError(
            f"the set {manifest.prep_id} is partial (by {why}): prepare the rest, or say --allow-partial to share it "
            "as it is."
        )
    if not verify(root, seen=seen).sound:
        raise UsageError(
            f"the set {manifest.prep_id} is damaged, nothing was sent: `sobench verify` tells what differs."
        )
    with _told(repo_id):
        api = _api()
        _make_or_check(api, repo_id, public=public)
        return _commit(api, repo_id, root, manifest)


def check_repo_id(repo_id: str) -> None:
    """Raise UsageError for a name that no repository can have."""
    if not _REPO_ID.fullmatch(repo_id):
        raise UsageError(f"{repo_id!a} is no repository: write OWNER/NAME, with your user or organisation as owner.")


def token() -> str:
    """Return HF_TOKEN or the token of a stored login; raises UsageError when there is none. Asks nobody."""
    from huggingface_hub import get_token

    found = os.environ.get("HF_TOKEN") or get_token()
    if not found:
        raise UsageError("the hub does not know you: run `hf auth login`, or set HF_TOKEN to a token that may write.")
    return found


def _api() -> Any:
    from huggingface_hub import HfApi

    return HfApi(endpoint=os.environ.get("HF_ENDPOINT") or None, token=token())


def _make_or_check(api: Any, repo_id: str, *, public: bool) -> None:
    from huggingface_hub.errors import RepositoryNotFoundError

    try:
        api.repo_info(repo_id, repo_type="dataset")
    except RepositoryNotFoundError:
        api.create_repo(repo_id, repo_type="dataset", private=not public)
    # asked anew: an organisation's rule may overrule the wish
    is_private = api.repo_info(repo_id, repo_type="dataset").private is True
    if not public and not is_private:
        raise UsageError(
            f"{repo_id} can be read by everybody, nothing was sent: name another repository, or make it private in "
            "its settings on the hub."
        )
    if public and is_private:
        raise UsageError(f"{repo_id} is private already: say --private to use it as it is.")


def _commit(api: Any, repo_id: str, root: Path, manifest: SetManifest) -> Pushed:
    from huggingface_hub import CommitOperationAdd, CommitOperationDelete

    there = set(api.list_repo_files(repo_id, repo_type="dataset"))
    if _MANIFEST not in there and there - _NOBODYS:
        some = ", ".join(sorted(there - _NOBODYS)[:3])
        raise UsageError(f"{repo_id} holds something else ({some}), nothing was sent: name another repository.")
    names = _names(root, manifest)
    operations: list[Any] = [
        CommitOperationAdd(name, card_text(root, manifest).encode() if name == _CARD else root / name) for name in names
    ]
    # shards of an earlier set would be read along with the new ones
    operations += [CommitOperationDelete(name) for name in sorted(there - set(names)) if name.startswith("data/")]
    done = api.create_commit(
        repo_id, operations, commit_message=f"Set {manifest.prep_id} by {manifest.tool}", repo_type="dataset"
    )
    return Pushed(f"{api.endpoint}/datasets/{repo_id}", done.oid, len(names))


def _names(root: Path, manifest: SetManifest) -> list[str]:
    """Return the files to send: those of the manifest, which are proven, itself, the card and the licences."""
    texts = (file.relative_to(root).as_posix() for file in root.glob("LICENSES/*") if file.is_file())
    return sorted({*manifest.files, *texts, _CARD, _MANIFEST})


@contextmanager
def _told(repo_id: str) -> Iterator[None]:
    """Tell every way in which the hub can refuse in one sentence."""
    from huggingface_hub import errors

    where = os.environ.get("HF_ENDPOINT") or "the hub"
    # the library's HTTP client changed at 1.0 (requests, then httpx): its base error is found, not imported
    transport: Any = errors.HfHubHTTPError.__bases__[0]
    try:
        yield
    except UsageError:
        raise
    except (OSError, RuntimeError, ValueError, transport) as error:
        raise UsageError(_sentence(error, where, repo_id)) from error


def _sentence(error: BaseException, where: str, repo_id: str) -> str:
    from huggingface_hub import errors

    if isinstance(error, RuntimeError) and error.__cause__ is not None:
        return _sentence(error.__cause__, where, repo_id)  # an upload's thread wraps what the hub said
    why = one_line(error)[:200] or type(error).__name__
    if isinstance(error, errors.OfflineModeIsEnabled):
        return f"HF_HUB_OFFLINE forbids sending to {where}: unset it."
    if not isinstance(error, errors.HfHubHTTPError):
        return f"cannot reach {where} ({why}): check the network and HF_ENDPOINT, and repeat the command."
    if getattr(error.response, "status_code", 0) in {401, 403}:
        return (
            f"{where} refuses to write {repo_id}: run `hf auth login`, or set HF_TOKEN to a token that may write for "
            f"{repo_id.partition('/')[0]}."
        )
    return f"{where} refuses {repo_id} ({why}): repeat the command, what was sent is not sent again."
