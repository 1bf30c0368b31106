"""Answers of a model on this disk are kept under the content of its files, and not inside its folder.

lighteval keeps answers under the model's name. For a local model that is its path, which stays the same when training
writes a new checkpoint over the old one: the old one's answers would be scored as the new one's (upstream issues 1364
and 1040 are related). And an absolute path swallows the folder of the cache: the answers land among the weights.
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


def install() -> None:
    """Give the cache of answers a name for local models that changes with their content."""
    SampleCache.__init__ = _named_by_content(SampleCache.__init__)


def cache_name(model_name: str) -> str:
    """Return the name for the cache: that of a hub model as it is, a local folder's with a hash of its files.

    Sizes and times of change stand for the content: hashing the weights themselves would take minutes.
    """
    folder = Path(model_name).expanduser()
    if not folder.is_dir():
        return model_name
    files = sorted(file for file in folder.iterdir() if file.is_file())
    listing = [f"{file.name}\0{file.stat().st_size}\0{file.stat().st_mtime_ns}" for file in files]
    return f"local/{folder.resolve().name}-{hashlib.sha256(chr(0).join(listing).encode()).hexdigest()[:16]}"


def _named_by_content(original: Callable[..., None]) -> Callable[..., None]:
    @wraps(original)
    def init(self: SampleCache, model_config: Any) -> None:
        name = cache_name(str(model_config.model_name))
        original(self, model_config.model_copy(update={"model_name": name}))

    return init
