"""Answers of a model are kept under the content of its files, and not inside its folder.

lighteval keeps answers under the model's name. A local model's is its path, which stays the same when training writes a
new checkpoint over the old one, and a hub model's stays the same when its branch moves on: the old one's answers would
be scored as the new one's (upstream issues 1364 and 1040 are related). And an absolute path swallows the folder of the
cache: the answers land among the weights.
"""

from __future__ import annotations

import hashlib
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lighteval.utils.cache_management import SampleCache

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["cache_name", "install"]

_PARTS = ("tokenizer", "processor", "base_model")
"""Settings that can name another model, which takes part in every answer."""


def install() -> None:
    """Give the cache of answers a name for models that changes with their content."""
    SampleCache.__init__ = _named_by_content(SampleCache.__init__)


def cache_name(config: Any) -> str:
    """Return the name for the cache: the model's own, and for what lies on this disk a hash that names the content.

    A local folder counts with sizes and times of its files, since hashing the weights themselves would take minutes; a
    hub model with the commit that was loaded.
    """
    name = str(config.model_name)
    revision = str(getattr(config, "revision", None) or "main")
    contents = [
        _content(str(part), revision) for part in (name, *(getattr(config, part, None) for part in _PARTS)) if part
    ]
    if not any(contents):
        return name
    digest = hashlib.sha256("\0\0".join(contents).encode()).hexdigest()[:16]
    return f"local/{Path(name).expanduser().resolve().name}-{digest}" if _is_folder(name) else f"{name}-{digest}"


def _content(name: str, revision: str) -> str:
    """Return what tells this content from the next under the same name, or "" when nothing here does."""
    if _is_folder(name):
        files = sorted(file for file in Path(name).expanduser().iterdir() if file.is_file())
        return "\0".join(f"{file.name}\0{file.stat().st_size}\0{file.stat().st_mtime_ns}" for file in files)
    return _commit(name, revision)


def _commit(name: str, revision: str) -> str:
    from huggingface_hub import try_to_load_from_cache
    from huggingface_hub.errors import HFValidationError

    for file in ("config.json", "adapter_config.json"):
        try:  # the model is loaded by now: the branch points at what was loaded
            found = try_to_load_from_cache(name, file, revision=revision)
        except HFValidationError:  # the name of a server's model
            return ""
        if isinstance(found, str):
            return Path(found).parent.name
    return ""


def _is_folder(name: str) -> bool:
    return Path(name).expanduser().is_dir()


def _named_by_content(original: Callable[..., None]) -> Callable[..., None]:
    @wraps(original)
    def init(self: SampleCache, model_config: Any) -> None:
        original(self, model_config.model_copy(update={"model_name": cache_name(model_config)}))

    return init
