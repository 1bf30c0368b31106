"""What a folder of generated rows says about itself: settings, counts and hashes of each split."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from sobench_metrics import __version__
from sobench_metrics.data.plain_words import reason
from sobench_metrics.data.whole_file import whole_file
from sobench_metrics.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from sobench_metrics.ifstruct.generate.tally import Tally

__all__ = ["entry", "is_whole", "read_manifest", "write_manifest"]

_NAME = "manifest.json"
_SLICE = 1 << 20


def read_manifest(folder: Path) -> dict[str, Any]:
    """Return the entries by split, empty where no manifest stands; UsageError for one that cannot be read."""
    file = folder / _NAME
    if not file.exists():
        return {}
    try:
        splits = json.loads(file.read_text(encoding="utf-8"))["splits"]
        return dict(splits)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UsageError(f"cannot read {file} ({reason(error)}): name another folder as --out.") from error


def entry(record: Mapping[str, Any], tally: Tally, files: Mapping[str, Path]) -> dict[str, Any]:
    """Return a split's entry; `files` are the finished ones by the names that they will have."""
    return {
        **record,
        "sobench_version": __version__,
        "rows": tally.rows,
        "entity_types": dict(sorted(tally.entity_types.items())),
        "shares": [
            {"rule": share.rule, "value": share.value, "rows": share.rows, "percent": round(share.share, 2),
             "target_percent": None if share.target is None else round(share.target, 2)}
            for share in tally.shares()
        ],
        "draws_replaced": dict(sorted(tally.replaced.items())),
        "thinking_worded_by": dict(sorted(tally.worded_by.items())),
        "overlap": {"rows_with_shared_runs": tally.rows_sharing_runs, "most_shared": tally.most_shared,
                    "nearest_jaccard": tally.nearest},
        "sha256": {name: _sha256(file) for name, file in sorted(files.items())},
    }  # fmt: skip


def is_whole(folder: Path, split: Mapping[str, Any]) -> bool:
    """Return whether the files of a split are there with the hashes of its entry."""
    return all(
        (folder / name).is_file() and _sha256(folder / name) == wanted for name, wanted in split["sha256"].items()
    )


def write_manifest(folder: Path, splits: Mapping[str, Any]) -> None:
    """Write the manifest whole."""
    with whole_file(folder / _NAME) as file:
        file.write(json.dumps({"splits": dict(sorted(splits.items()))}, indent=2, ensure_ascii=False) + "\n")


def _sha256(file: Path) -> str:
    digest = hashlib.sha256()
    with file.open("rb") as content:
        while part := content.read(_SLICE):
            digest.update(part)
    return digest.hexdigest()
