"""A file to be published, and where it belongs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

__all__ = ["ExportFile", "as_yaml"]


@dataclass(frozen=True, slots=True)
class ExportFile:
    """`path` is relative: to --out, and in the repository `repo` of the hub ("" where no upload is meant).

    `card` is what a README.md's metadata takes in place of a file. `is_long` texts are shown by their beginning.
    """

    path: str
    text: str
    repo: str = ""
    repo_type: str = "model"
    card: Mapping[str, Any] | None = None
    is_long: bool = False


def as_yaml(content: Sequence[Any] | Mapping[str, Any], comments: Sequence[str] = ()) -> str:
    """Return content as YAML in its own order, under comments on one line each."""
    import yaml

    head = "".join(f"# {' '.join(comment.split())}\n" for comment in comments)
    return head + yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=120)
