"""xxhash 4 takes bytes only; lighteval hashes text, and fails when all answers are there.

Upstream: #1330, PR #1332. UTF-8 is what xxhash below 4 encoded to, so the hashes stay the same.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

from lighteval_tasks.repairs.repair import Repair

__all__ = ["DETAIL_HASHES"]


def _needed() -> bool:
    import xxhash

    try:
        xxhash.xxh64("text")
    except TypeError:
        return not _logs()
    return False


def _logs() -> bool:
    """Return whether the harness can log one sample, which is where it hashes."""
    from lighteval.logging.info_loggers import DetailsLogger
    from lighteval.models.model_output import ModelResponse
    from lighteval.tasks.requests import Doc

    try:
        DetailsLogger().log("probe", Doc(query="", choices=[], gold_index=0), ModelResponse(), {})
    except TypeError:
        return False
    return True


def _apply() -> None:
    import xxhash
    from lighteval.logging import info_loggers

    def xxh64(data: str | bytes = b"", *args: Any) -> Any:
        return xxhash.xxh64(data.encode() if isinstance(data, str) else data, *args)

    stand_in = ModuleType("xxhash")
    stand_in.__dict__.update(vars(xxhash))
    stand_in.xxh64 = xxh64  # type: ignore[attr-defined]
    info_loggers.xxhash = stand_in  # here only: every other user of the library passes bytes


DETAIL_HASHES = Repair("hashes of details", "#1330, PR #1332", _needed, _apply)
