"""The bundled sample set: pictures, schemas, targets, and IFStruct-like rows (see `sobench_metrics.data.sample_maker`).

Laid out as prepared data is (data/<domain>/*.parquet, prompts.json, manifest.json), with `ifstruct.jsonl` beside it.
Its numbers are never comparable with those of SO-Bench or IFStruct.
"""

from pathlib import Path

__all__ = ["ifstruct_rows_file", "sample_home"]


def sample_home() -> Path:
    """Return the folder that holds the bundled set, in the layout of prepared data."""
    return Path(__file__).parent


def ifstruct_rows_file() -> Path:
    """Return the bundled IFStruct-like rows, one JSON object a line in the hub's columns."""
    return sample_home() / "ifstruct.jsonl"
