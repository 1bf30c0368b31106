"""A file to be published, and where it belongs."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sobench_metrics.data.plain_words import one_line

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["ExportFile", "as_json", "as_yaml"]


@dataclass(frozen=True, slots=True)
class ExportFile:
    """`path` is relative: to --out, and in the repository `repo` of the hub ("" where no upload is meant).

    `card` is what a README.md's metadata takes in place of a file. `is_long` texts are shown by their beginning.
    `passing` names what differs each time that the same results are exported.
    """

    path: str
    text: str
    repo: str = ""
    repo_type: str = "model"
    card: Mapping[str, Any] | None = None
    is_long: bool = False
    passing: tuple[str, ...] = ()


def as_yaml(content: Sequence[Any] | Mapping[str, Any], comments: Sequence[str] = ()) -> str:
    """Return content as YAML in its own order, under comments on one line each."""
    import yaml

    head = "".join(f"# {one_line(comment)}\n" for comment in comments)
    tree = json.loads(json.dumps(content))  # of one object that is there twice YAML would write a reference
    return head + yaml.safe_dump(tree, sort_keys=False, allow_unicode=True, width=120)


def as_json(content: Any) -> str:
    """Return content as JSON that every reader takes: a number that is none becomes lm-eval's text for it, N/A."""
    return json.dumps(_readable(content), indent=2, default=str, allow_nan=False) + "\n"


def _readable(content: Any) -> Any:
    if isinstance(content, dict):
        return {str(key): _readable(value) for key, value in content.items()}
    if isinstance(content, (list, tuple)):
        return [_readable(value) for value in content]
    return "N/A" if isinstance(content, float) and not math.isfinite(content) else content
