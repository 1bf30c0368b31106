"""Propose an export to a repository of the hub: one pull request, never a commit to its main branch.

Before anything is sent the repository is asked whether the same is there already, merged or waiting.
"""

from __future__ import annotations

import os
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sobench_metrics.data.plain_words import one_line
from sobench_metrics.data.push import token
from sobench_metrics.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sobench_metrics.export.files import ExportFile

__all__ = ["check_task_id", "propose"]

_CARD = "README.md"
_EVAL_FILE = "eval.yaml"


def propose(file: ExportFile, title: str, description: str) -> str:
    """Open a pull request with the file and return its address. Honours HF_ENDPOINT, HF_TOKEN and a stored login.

    Raises UsageError when the same content or an open pull request of that title is there, and for all that the hub
    refuses; nothing was sent then.
    """
    with _told(file.repo):
        api = _api()
        there = _read(api, file.repo, file.repo_type, _CARD if file.card else file.path)
        text = _merged(there, file.card) if file.card else file.text
        if there is not None and _same(there, text):
            raise UsageError(f"{file.repo} holds these results already: nothing was sent.")
        waiting = api.get_repo_discussions(
            file.repo, repo_type=file.repo_type, discussion_type="pull_request", discussion_status="open"
        )
        twin = next((one for one in waiting if one.is_pull_request and one.title == title), None)
        if twin is not None:
            raise UsageError(f"{file.repo} has that pull request already ({twin.url}): nothing was sent.")
        done = api.upload_file(
            path_or_fileobj=text.encode(),
            path_in_repo=_CARD if file.card else file.path,
            repo_id=file.repo,
            repo_type=file.repo_type,
            commit_message=title,
            commit_description=description,
            create_pr=True,
        )
    return str(done.pr_url)


def check_task_id(dataset_id: str, task_id: str) -> str:
    """Return a remark where the benchmark's `eval.yaml` cannot tell; raises UsageError when it has no such task."""
    import yaml

    with _told(dataset_id):
        found = _read(_api(), dataset_id, "dataset", _EVAL_FILE)
    if found is None:
        return f"{dataset_id} has no {_EVAL_FILE}, so that the task id {task_id} could not be checked"
    try:
        content = yaml.safe_load(found)
        known = [str(task["id"]) for task in content["tasks"]]
    except (yaml.YAMLError, KeyError, TypeError):
        return f"the {_EVAL_FILE} of {dataset_id} cannot be read, so that the task id {task_id} could not be checked"
    if task_id not in known:
        raise UsageError(
            f"{dataset_id} has no task {task_id} (but {', '.join(map(one_line, known))}): name it with --task-id."
        )
    return ""


def _merged(there: str | None, card: Mapping[str, Any]) -> str:
    """Return the README with the results among its own; a metric that it has with another value is refused."""
    from huggingface_hub import ModelCard
    from huggingface_hub.repocard_data import model_index_to_eval_results

    name, results = model_index_to_eval_results(card["model-index"])
    readme: Any = ModelCard(there if there is not None else "---\n{}\n---\n", ignore_metadata_errors=False)
    known = readme.data.eval_results or []
    for result in results:
        same = [one for one in known if result.is_equal_except_value(one)]
        if any(one.metric_value != result.metric_value for one in same):
            raise UsageError(
                f"the card has another value for {result.metric_name} of {result.dataset_name} by the same settings: "
                "look into it before it is replaced by hand."
            )
    readme.data.eval_results = [*known, *(one for one in results if one not in known)]
    readme.data.model_name = readme.data.model_name or name
    return str(readme)


def _same(there: str, text: str) -> bool:
    """Return whether two files say the same, comments and times of making aside."""
    import yaml

    try:
        return bool(yaml.safe_load(there) == yaml.safe_load(text)) if not there.startswith("---") else there == text
    except yaml.YAMLError:
        return there == text


def _read(api: Any, repo: str, repo_type: str, path: str) -> str | None:
    """Return a file of the main branch, None where there is none."""
    from huggingface_hub.errors import EntryNotFoundError

    api.repo_info(repo, repo_type=repo_type)  # tells at once what a download would try for a minute
    with tempfile.TemporaryDirectory() as folder:  # a cache would answer for the hub
        try:
            file = api.hf_hub_download(repo, path, repo_type=repo_type, local_dir=folder)
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
        if getattr(error.response, "status_code", 0) in {401, 403}:
            raise UsageError(
                f"{where} lets you open no pull request in {repo}: run `hf auth login`, or set HF_TOKEN to a token "
                "that may write."
            ) from error
        raise UsageError(f"{where} refuses ({one_line(error)[:200]}): repeat the command.") from error
    except (OSError, ValueError, transport) as error:
        why = one_line(error)[:200] or type(error).__name__
        raise UsageError(f"cannot reach {where} ({why}): check the network and HF_ENDPOINT, and repeat.") from error
