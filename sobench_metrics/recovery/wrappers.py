"""Keys around the data: missing, of another name, unasked for, one inside the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Collection

    from sobench_metrics.ifstruct.spec import Spec

__all__ = ["list_below", "object_below"]

_MAX_LEVELS: Final = 3


def list_below(value: Any, spec: Spec) -> tuple[Any, tuple[str, ...]]:
    """Return the list under at most three keys that stand alone, and the steps; the value itself if there is none."""
    keys: list[Any] = []
    inner = value
    while isinstance(inner, dict) and len(inner) == 1 and len(keys) < _MAX_LEVELS:
        ((key, inner),) = inner.items()
        keys.append(key)
    if not isinstance(inner, list):
        return value, ()
    if not keys:
        return inner, ("wrapper.missing",) if spec.require_wrapper_key else ()
    nested = ("wrapper.nested",) if len(keys) > 1 else ()
    if not spec.require_wrapper_key:
        return inner, ("wrapper.unexpected", *nested)
    renamed = spec.top_level_key is not None and keys[-1] != spec.top_level_key
    return inner, (("wrapper.renamed",) if renamed else ()) + nested


def object_below(value: Any, kind: type, known: Collection[str]) -> tuple[Any, tuple[str, ...]]:
    """Return the mapping or list under one key that stands alone and is no field of the data; else the value."""
    if kind in (dict, list) and isinstance(value, dict) and len(value) == 1:
        ((key, inner),) = value.items()
        if key not in known and isinstance(inner, kind):
            return inner, ("wrapper.unexpected",)
    return value, ()
