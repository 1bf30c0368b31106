"""How a result is called outside: model, revisions, date, and the notes that a run out of the ordinary needs."""

from __future__ import annotations

import datetime as dt
import re
from typing import TYPE_CHECKING, Final

from sobench_metrics.data.plain_words import one_line

if TYPE_CHECKING:
    from sobench_metrics.export.profiles import Profile
    from sobench_metrics.export.result import Result, Wishes

__all__ = [
    "data_revision",
    "day",
    "hub_revision",
    "is_repository",
    "metric",
    "model_id",
    "model_revision",
    "moment",
    "notes",
    "slug",
    "title",
]

_REPOSITORY: Final = re.compile(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*", re.ASCII)
_ALIKE: Final = {"max_tokens": "max_gen_toks"}  # lighteval's word and lm-eval's
_UNTOLD: Final = ("None", "none", "")
_PRECISIONS: Final = ("", "auto", "bfloat16", "float16")
_TELLING: Final = (
    "quantization",
    "load_in_4bit",
    "load_in_8bit",
    "peft",
    "delta",
    "adapter_weights",
    "delta_weights",
    "lora_local_path",
    "gguf_file",
    "autogptq",
    "gptqmodel",
    "enable_thinking",
)
"""Settings of a model that make it another one than its repository's."""


def model_id(result: Result, wishes: Wishes) -> str:
    """Return ORG/NAME as wished, or as the run was told where a commit of that repository was loaded; else "".

    A folder may be called ORG/NAME as well: only a commit tells them apart, wherever the export is made.
    """
    name = wishes.model_id or (result.model.name if result.model.revision else "")
    return name if is_repository(name) else ""


def is_repository(name: str) -> bool:
    """Return whether a name has the form of a repository of the hub."""
    return _REPOSITORY.fullmatch(name) is not None


def model_revision(result: Result, wishes: Wishes) -> str:
    """Return the revision that was loaded, or the one that the user vouches for; "" for neither."""
    return result.model.revision or wishes.revision


def hub_revision(data: str) -> str:
    """Return the commit, or its beginning, of `hub:COMMIT`; "" for other data."""
    return data.removeprefix("hub:").partition("+")[0] if data.startswith("hub:") else ""


def data_revision(result: Result, wishes: Wishes) -> str:
    """Return the commit of the data set, all of it where known; of a prepared set its id."""
    return wishes.dataset_revision or hub_revision(result.data) or result.data


def metric(profile: Profile, wishes: Wishes) -> str:
    """Return the figure that stands for the result."""
    return wishes.metric or profile.metric


def day(result: Result) -> str:
    """Return the date of the run (UTC), "" where it is not told."""
    return moment(result)[:10]


def moment(result: Result) -> str:
    """Return date and time of the run (UTC, ISO 8601), "" where it is not told."""
    seconds = result.seconds_since_1970
    if seconds is None:
        return ""
    return dt.datetime.fromtimestamp(seconds, tz=dt.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def notes(result: Result, profile: Profile) -> list[str]:
    """Return what is out of the ordinary, in a fixed order: settings that differ from the profile's, precision, ..."""
    signature = {_ALIKE.get(key, key): text for key, text in result.signature.items()}
    found = [
        f"{key}={one_line(signature[key])}"
        for key, usual in profile.defaults.items()
        if key in signature and signature[key] != usual and not (key == "shots" and signature[key] in _UNTOLD)
    ]
    if signature.get("system", "none") not in _UNTOLD:
        found.append(f"system prompt {one_line(signature['system'])}")
    if result.constrained:
        found.append(f"constrained decoding ({one_line(result.constrained)})")
    if result.model.dtype not in _PRECISIONS:
        found.append(f"precision {one_line(result.model.dtype)}")
    found += [
        f"{key}={one_line(result.model.settings[key])}"
        for key in _TELLING
        if result.model.settings.get(key) not in (None, False, "")
    ]
    if result.data.startswith("file:"):
        found.append(f"rows from {one_line(result.data)}")
    return found


def title(result: Result, profile: Profile) -> str:
    """Return the benchmark's name, with the part in brackets, and whether answers were held to their schemas."""
    what = ", ".join(filter(None, [result.part, "constrained" if result.constrained else ""]))
    return f"{profile.name} ({what})" if what else profile.name


def slug(text: str) -> str:
    """Return a text as a file name may hold it."""
    return re.sub(r"[^A-Za-z0-9._-]+", "_", text).strip("._") or "unnamed"
