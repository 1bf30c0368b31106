"""Propose an export to a repository of the hub: one pull request with all its files, never a commit to the main branch.

Before anything is sent the repository is asked whether the same is there already, merged or waiting, and whether other
results are, which nobody should lose unseen. The pull request starts from the state that was looked at.
"""

from __future__ import annotations

import os
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sobench_metrics.data.plain_words import counted, one_line
from sobench_metrics.data.push import token
from sobench_metrics.errors import UsageError
from sobench_metrics.export.card import merged

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sobench_metrics.export.files import ExportFile

__all__ = ["check_task_id", "propose"]

_CARD = "README.md"
_EVAL_FILE = "eval.yaml"
_MOVED = (409, 412)
_NOT_ALLOWED = (401, 403)


def propose(files: Sequence[ExportFile], what: str, description: str) -> str:
    """Open a pull request with the files, all of one repository, and return its address; `what` begins its title.

    Files that are there already stay out of it. Honours HF_ENDPOINT, HF_TOKEN and a stored login. Raises UsageError
    when all are there, when one is there with other content, when a pull request of that title is open, and for all
    that the hub refuses; nothing was sent then.
    """
    from huggingface_hub import CommitOperationAdd

    repo, repo_type = files[0].repo, files[0].repo_type
    with _told(repo):
        api = _api()
        head = api.repo_info(repo, repo_type=repo_type).sha  # tells at once what a download would try for a minute
        texts = {path: text for file in files for path, text in _changes(api, file, head)}
        if not texts:
            raise UsageError(f"{repo} holds these results already: nothing was sent.")
        title = _title(what, files)
        twin = next((one for one in _waiting(api, repo, repo_type) if one.title == title), None)
        if twin is not None:
            raise UsageError(f"{repo} has that pull request already ({twin.url}): nothing was sent.")
        done = api.create_commit(
            repo,
            [CommitOperationAdd(path, text.encode()) for path, text in texts.items()],
            commit_message=title,
            commit_description=description,
            repo_type=repo_type,
            create_pr=True,
            parent_commit=head,
        )
    return str(done.pr_url)


def check_task_id(dataset_id: str, task_id: str) -> str:
    """Return a remark where the benchmark's `eval.yaml` cannot tell; raises UsageError when it has no such task."""
    import yaml

    with _told(dataset_id):
        api = _api()
        api.repo_info(dataset_id, repo_type="dataset")
        found = _read(api, dataset_id, "dataset", _EVAL_FILE)
    if found is None:
        return f"{dataset_id} has no {_EVAL_FILE}, so that the task id {task_id} could not be checked"
    try:
        content = yaml.safe_load(found)
        known = [str(task["id"]) for task in content["tasks"]]
    except (yaml.YAMLError, KeyError, TypeError, RecursionError):
        return f"the {_EVAL_FILE} of {dataset_id} cannot be read, so that the task id {task_id} could not be checked"
    if task_id not in known:
        raise UsageError(
            f"{dataset_id} has no task {task_id} (but {', '.join(map(one_line, known))}): name it with --task-id."
        )
    return ""


def _changes(api: Any, file: ExportFile, head: str) -> Iterator[tuple[str, str]]:
    """Yield path and text unless the repository says the same; raises UsageError where it says something else."""
    path = file.path if file.card is None else _CARD
    there = _read(api, file.repo, file.repo_type, path, head)
    if file.card is not None:
        text = merged(there, file.card, file.repo)
        if text != there:
            yield path, text
    elif there is None:
        yield path, file.text
    elif not _same(there, file):
        raise UsageError(
            f"{file.repo} has {path} already, and it says something else: compare the two (--out DIR writes ours), and "
            "replace it by hand where ours is right."
        )


def _same(there: str, file: ExportFile) -> bool:
    """Return whether a file says the same, comments and times of making aside."""
    import yaml

    if there == file.text or file.path.endswith(".jsonl"):
        return True  # answers lie under the name of their record, which is made of its content
    try:
        found, ours = yaml.safe_load(there), yaml.safe_load(file.text)  # JSON is YAML
    except (yaml.YAMLError, RecursionError):
        return False
    for content in (found, ours):
        for key in file.passing if isinstance(content, dict) else ():
            content.pop(key, None)
    return bool(found == ours)


def _waiting(api: Any, repo: str, repo_type: str) -> list[Any]:
    found = api.get_repo_discussions(
        repo, repo_type=repo_type, discussion_type="pull_request", discussion_status="open"
    )
    return [one for one in found if one.is_pull_request]


def _title(what: str, files: Sequence[ExportFile]) -> str:
    first = files[0]
    named = "model-index" if first.card is not None else first.path
    more = f" and {counted(len(files) - 1, 'more file')}" if len(files) > 1 else ""
    return f"{what} ({named}{more})"


def _read(api: Any, repo: str, repo_type: str, path: str, revision: str | None = None) -> str | None:
    """Return a file, None where there is none."""
    from huggingface_hub.errors import EntryNotFoundError

    with tempfile.TemporaryDirectory() as folder:  # a cache would answer for the hub
        try:
            file = api.hf_hub_download(repo, path, repo_type=repo_type, revision=revision, local_dir=folder)
            return Path(file).read_text(encoding="utf-8")
        except EntryNotFoundError:
            return None


def _api() -> Any:
    from huggingface_hub import HfApi

    return HfApi(endpoint=os.environ.get("HF_ENDPOINT") or None, token=token())


@contextmanager
def _told(repo: str) -> Iterator[None]:
    """Tell every way in which the hub can refuse in one sentence."""
    from huggingface_hub import errors

    where = os.environ.get("HF_ENDPOINT") or "the hub"
    # the library's HTTP client changed at 1.0 (requests, then httpx): its base error is found, not imported
    transport: Any = errors.HfHubHTTPError.__bases__[0]
    try:
        yield
    except UsageError:
        raise
    except errors.OfflineModeIsEnabled as error:
        raise UsageError(f"HF_HUB_OFFLINE forbids asking {where}: unset it.") from error
    except errors.RepositoryNotFoundError as error:
        raise UsageError(f"{where} has no {repo}, or you may not see it: check the name and HF_TOKEN.") from error
    except errors.HfHubHTTPError as error:
        raise UsageError(_refusal(where, repo, error)) from error
    except (OSError, ValueError, transport) as error:
        why = one_line(error)[:200] or type(error).__name__
        raise UsageError(f"cannot reach {where} ({why}): check the network and HF_ENDPOINT, and repeat.") from error


def _refusal(where: str, repo: str, error: Any) -> str:
    status = getattr(error.response, "status_code", 0)
    if status in _NOT_ALLOWED:
        return (
            f"{where} lets you open no pull request in {repo}: run `hf auth login`, or set HF_TOKEN to a token that "
            "may write."
        )
    if status in _MOVED:
        return f"{repo} was changed while it was read: nothing was sent; repeat the command."
    return f"{where} refuses ({one_line(error)[:200]}): repeat the command."
