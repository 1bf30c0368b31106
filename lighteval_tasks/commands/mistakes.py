"""Tell a user's mistake from a fault: lighteval raises plain exceptions for both."""

from __future__ import annotations

import difflib
import re
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from sobench_metrics.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pydantic import ValidationError

__all__ = ["as_mistake", "look_ahead"]

# what a user can act on, by words of the harness and of what it calls, with what to do
_REMEDIES = {
    "correct format is task|few_shot": "for example `ifstruct|0`",
    "conflict with built-in tasks": "",
    "is not supported by inspect_ai yet": "use another command than `eval`",
    "not correctly parametrized": "name it behind the task, as in `task@k=1@n=4|0`",
    "reasoning_tags must be": "for example \"[('<think>', '</think>')]\"",
    "requested the use of": "",
    "is not a local folder and is not a valid model identifier": "check the model name or the path",
    "Repo id must be in the form": "check the model name or the path",
    "on the Hub (": "the data are not on this disk and the hub cannot be reached",
    "offline mode is enabled": "fetch it once with the network, or unset HF_HUB_OFFLINE",
    "couldn't connect to": "fetch it once with the network, or name a local folder",
    "No class inheriting from LightevalModel": "`server` stands for the file of sobench",
    "should be in the format of <api_name>/<model_name>": "for a server of your own, openai-api/local/MODEL",
    "You need to select which org to push to": "add --results-org NAME",
    "Could not load file": "the model definition is a Python file; `server` stands for the one of sobench",
}
_UNKNOWN_TASK = re.compile(r"Cannot find task (.*) in task list or in custom task registry")
_OTHER_KIND = "Unrecognized configuration class"
_NO_DTYPE = "module 'torch' has no attribute"
_READS_ARGUMENTS = "_parse_args"
_OWN_TITLES = ("ModelConfig", "GenerationParameters", "GenerateConfig")


def look_ahead(words: list[str]) -> None:
    """Raise UsageError for a model file in the words that is missing, unreadable or not of lighteval's form."""
    if words and words[0] == "baseline":
        raise UsageError("`lighteval baseline` fails for every task of 0.13: use `sobench baseline`.")
    if words and words[0] == "sglang" and find_spec("sglang") is None:
        raise UsageError("sglang is not installed: ask its server by `custom MODEL server`, or install it.")
    if not words or words[0] in ("eval", "tasks", "nanotron", "bundle"):  # these take none of this form
        return
    for word in words[1:]:
        if word.startswith("-") or not word.endswith((".yaml", ".yml")):
            continue
        _check_model_file(Path(word))


def as_mistake(error: BaseException, words: list[str], known: Iterable[str]) -> UsageError | None:
    """Return the sentence for a user's mistake, or None when the fault is the harness's or ours.

    `words` are the user's own, `known` the task names to suggest from.
    """
    if isinstance(error, UsageError):
        return error
    told = _of_a_library(error) or _of_a_name(error, words, known) or _by_words(error)
    return None if told is None else UsageError(told)


def _of_a_library(error: BaseException) -> str | None:
    if _kind(error, "ClickException"):
        return f"{_one_line(error.format_message())}: see --help."  # type: ignore[attr-defined]
    if _kind(error, "PrerequisiteError"):
        return f"{_one_line(_plain(str(error)))}."
    return _invalid(error) if _kind(error, "ValidationError") else None  # type: ignore[arg-type]


def _of_a_name(error: BaseException, words: list[str], known: Iterable[str]) -> str | None:
    if isinstance(error, FileNotFoundError) and error.filename is not None and str(error.filename) in words:
        return f"no such file: {error.filename}."
    unknown = _UNKNOWN_TASK.search(str(error))
    return None if unknown is None else _unknown_task(unknown.group(1), known)


def _by_words(error: BaseException) -> str | None:
    text = _one_line(str(error))
    if text.startswith(_OTHER_KIND):  # hundreds of names follow
        return f"{text.partition(' for this kind')[0]} is no model of the kind asked for: see --vision-model."
    if isinstance(error, AttributeError) and text.startswith(_NO_DTYPE):
        return f"the model's settings name a dtype that torch does not have ({text})."
    if _raised_in(error, _READS_ARGUMENTS):
        return f"cannot read the model arguments ({text}): write key=value,key=value or name a .yaml file."
    remedy = next((remedy for part, remedy in _REMEDIES.items() if part.lower() in text.lower()), None)
    return None if remedy is None else f"{text}{remedy and f': {remedy}'}."


def _check_model_file(path: Path) -> None:
    import yaml

    if path.suffix == ".yml" and path.is_file():
        raise UsageError(f"lighteval takes only a name that ends in .yaml for a model file: rename {path}.")
    try:
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise UsageError(f"no such file: {path}.") from error
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise UsageError(f"cannot read the model file {path}: {_one_line(str(error))}.") from error
    if not isinstance(content, dict) or not isinstance(content.get("model_parameters"), dict):
        raise UsageError(f"the model file {path} has no `model_parameters:` with keys under it, such as `model_name`.")


def _unknown_task(name: str, known: Iterable[str]) -> str:
    if "/" in name or name.endswith(".txt"):
        return f"no task and no file {name!r}: `sobench lighteval tasks list` names all tasks."
    near = difflib.get_close_matches(name, list(known), n=1)
    hint = f"did you mean `{near[0]}`? " if near else ""
    return f"no task {name!r}: {hint}`sobench lighteval tasks list` names all tasks."


def _invalid(error: ValidationError) -> str | None:
    faults = error.errors()
    # an unknown field of inspect's own configuration is never the user's: they are given by name
    if not error.title.endswith(_OWN_TITLES) or any("Unknown GenerateConfig" in fault["msg"] for fault in faults):
        return None
    told = "; ".join(f"{'.'.join(str(part) for part in fault['loc'])}: {fault['msg']}" for fault in faults)
    return f"the model's settings are wrong ({error.title}): {told}."


def _kind(error: BaseException, name: str) -> bool:
    """Return whether the error is of a class with that name: several libraries have their own copy of it."""
    return any(kind.__name__ == name for kind in type(error).__mro__)


def _raised_in(error: BaseException, function: str) -> bool:
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_name == function:
            return True
        trace = trace.tb_next
    return False


def _plain(text: str) -> str:
    return re.sub(r"\[/?(?:bold|blue|green|red)[^\]]*\]", "", text).removeprefix("ERROR: ").strip()


def _one_line(text: str) -> str:
    return " ".join(text.split()).rstrip(".:")
