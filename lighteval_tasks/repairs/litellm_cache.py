"""litellm 1.109 has no disk cache any more, and lighteval asks for it when any backend is imported.

litellm merely installed stops every command. The cache in memory, litellm's own default, takes its place; for
`endpoint litellm` this means that an answer is not kept beyond the run.

Upstream: none found (issue #806 and PR #1390 want another folder for the same cache).
"""

from __future__ import annotations

from importlib.util import find_spec

from lighteval_tasks.repairs.repair import Repair
from lighteval_tasks.repairs.source import attributes

__all__ = ["LITELLM_CACHE"]


def _needed() -> bool:
    if find_spec("litellm") is None:
        return False
    if "DISK" not in attributes("lighteval.models.endpoints.litellm_model", "LiteLLMCacheType"):
        return False
    from litellm.caching.caching import LiteLLMCacheType  # seconds; lighteval imports it in any case

    return not hasattr(LiteLLMCacheType, "DISK")


def _apply() -> None:
    from litellm.caching.caching import LiteLLMCacheType

    LiteLLMCacheType.DISK = LiteLLMCacheType.LOCAL  # an enumeration refuses new members, not new names for old ones


LITELLM_CACHE = Repair("import beside litellm", "none found", _needed, _apply)
