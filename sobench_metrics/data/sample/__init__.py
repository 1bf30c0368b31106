"""The bundled sample set: pictures, schemas, targets, and IFStruct-like rows (see `sobench_metrics.data.sample_maker`).

Laid out as prepared data is (data/<domain>/*.parquet, prompts.json, manifest.json), with `ifstruct.jsonl` beside it.
Its numbers are never comparable with those of SO-Bench or IFStruct.
"""

import json
import os
from pathlib import Path

from sobench_metrics.errors import UsageError

__all__ = ["ifstruct_rows_file", "sample_home", "sample_pictures"]

_OURS = ("sample-", "generated-")


def sample_home() -> Path:
    """Return the folder that holds the bundled set, in the layout of prepared data."""
    return Path(__file__).parent


def sample_pictures() -> Path:
    """Return the set that the `sobench_*_sample` tasks ask: the folder named by `SOBENCH_SAMPLE`, else the bundled one.

    Raises UsageError when that folder holds no set drawn by this package: numbers on real SO-Bench under the name of
    a sample would mislead as much as the reverse.
    """
    named = os.environ.get("SOBENCH_SAMPLE")
    if not named:
        return sample_home()
    folder = Path(named).expanduser()
    try:
        prep_id = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))["prep_id"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UsageError(
            f"SOBENCH_SAMPLE ({folder}) holds no set: make one by `sobench generate sobench-sample`, or unset it."
        ) from error
    if not str(prep_id).startswith(_OURS):
        raise UsageError(f"SOBENCH_SAMPLE ({folder}) is the set {prep_id}, which is no sample: set SOBENCH_HOME to it.")
    return folder


def ifstruct_rows_file() -> Path:
    """Return the bundled IFStruct-like rows, one JSON object a line in the hub's columns."""
    return sample_home() / "ifstruct.jsonl"
