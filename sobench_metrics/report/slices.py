"""In which groups a sample stands: by what it asks for, as far as its row says."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, Literal

from sobench_metrics import json_schema
from sobench_metrics.data.plain_words import one_line

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Kind", "cluster_of", "kind_of_row", "ordered", "slices_of"]

Kind = Literal["sobench", "ifstruct", "other"]

_UNKNOWN: Final = "not told"
_DEPTHS: Final = ((4, "up to 4"), (5, "5"), (6, "6"))
_WIDTHS: Final = ((10, "up to 10"), (20, "11 to 20"), (40, "21 to 40"), (80, "41 to 80"))
_ITEMS: Final = ((2, "1 or 2"), (5, "3 to 5"), (10, "6 to 10"))
_RANKS: Final = {
    text: place
    for place, text in enumerate(
        (
            "up to 4", "5", "6", "7 or more", "up to 10", "11 to 20", "21 to 40", "41 to 80", "81 or more",
            "1 or 2", "3 to 5", "6 to 10", "11 or more", "a range", "ui", "natural", "document", "chart",
        )
    )
}  # fmt: skip
_SOBENCH: Final = ("schema_json", "target_json")
_IFSTRUCT: Final = ("json_schema", "output_format", "require_code_block")
_PRESENTATION: Final = ("presentation", "presentation_style", "style")


def kind_of_row(row: Mapping[str, Any]) -> Kind:
    """Return which benchmark a row belongs to, by its columns."""
    if all(name in row for name in _SOBENCH):
        return "sobench"
    return "ifstruct" if all(name in row for name in _IFSTRUCT) else "other"


def slices_of(row: Mapping[str, Any]) -> dict[str, str]:
    """Return for each dimension the group of this sample, one group in each; empty for a task that is not ours.

    Never raises: what a row does not say is the group "not told", so that the groups of a dimension sum to all.
    """
    kind = kind_of_row(row)
    if kind == "sobench":
        return {
            "domain": _text(row.get("domain")),
            "source": _text(row.get("source")),
            "schema depth": _binned(_measured(json_schema.depth, row), _DEPTHS, "7 or more"),
            "schema width (fields)": _binned(_measured(json_schema.field_count, row), _WIDTHS, "81 or more"),
        }
    if kind == "ifstruct":
        entity = _text(row.get("entity_type"))
        told = {
            "format": "yaml" if row.get("output_format") == "yaml" else "json",
            "wrapper": "wrapper key" if row.get("require_wrapper_key") else "bare list",
            "fence": "fence asked for" if row.get("require_code_block") else "no fence asked for",
            "commentary": "forbidden" if row.get("require_no_commentary") else "not forbidden",
            "items": _items(row.get("top_level_count")),
            "entity family": "escaping" if "__escaping__" in entity else "other",
            "entity": entity.rpartition("__")[2] or entity,
        }
        style = next((row[name] for name in _PRESENTATION if row.get(name)), None)
        return told if style is None else {**told, "presentation": _text(style)}
    return {}


def cluster_of(row: Mapping[str, Any]) -> str:
    """Return what a sample shares with others that may not be independent of it: its picture, or its kind of entity.

    Empty for a sample that stands for itself.
    """
    return str(row.get("image_sha256") or row.get("entity_type") or "")


def ordered(names: set[str]) -> list[str]:
    """Return the groups of a dimension in the order of a page: bins by size, others by name, "not told" last."""
    return sorted(names, key=lambda name: (name == _UNKNOWN, _RANKS.get(name, len(_RANKS)), name))


def _text(value: Any) -> str:
    return one_line(value)[:80] if value not in (None, "") else _UNKNOWN


def _measured(measure: Any, row: Mapping[str, Any]) -> int | None:
    try:
        return int(measure(row["schema_json"]))
    except Exception:  # noqa: BLE001 - a slice key is no reason to lose a sample
        return None


def _binned(number: int | None, bins: tuple[tuple[int, str], ...], beyond: str) -> str:
    if number is None:
        return _UNKNOWN
    return next((name for most, name in bins if number <= most), beyond)


def _items(count: Any) -> str:
    if isinstance(count, str):
        try:
            count = json.loads(count)
        except (ValueError, RecursionError):
            return _UNKNOWN
    if isinstance(count, list):
        return "a range"
    if isinstance(count, int) and not isinstance(count, bool):
        return _binned(count, _ITEMS, "11 or more")
    return _UNKNOWN
