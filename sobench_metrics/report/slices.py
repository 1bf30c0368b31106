"""In which groups a sample stands: by what it asks for, as far as its row, or else its log, says."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final, Literal

from sobench_metrics import json_schema
from sobench_metrics.data.plain_words import one_line
from sobench_metrics.report.presentations import presentation_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sobench_metrics.results.records import Sample

__all__ = ["Kind", "cluster_of", "kind_of", "ordered", "slices_of"]

Kind = Literal["sobench", "ifstruct", "other"]

_UNKNOWN: Final = "not told"
_DEPTHS: Final = ((4, "up to 4"), (5, "5"), (6, "6"))
_WIDTHS: Final = ((10, "up to 10"), (20, "11 to 20"), (40, "21 to 40"), (80, "41 to 80"))
_MOST_TOLD: Final = 5  # a number of items beyond it is "6 or more"
_RANKS: Final = {name: place for place, name in enumerate(("ui", "natural", "document", "chart"))}
_RANGES: Final = ("from ", "a range ")
_NUMBERS: Final = re.compile(r"\d+")
_SOBENCH: Final = ("schema_json", "target_json")
_IFSTRUCT: Final = ("json_schema", "output_format", "require_code_block")
_PRESENTATION: Final = ("presentation", "presentation_style", "style")
_NAMED: Final = {  # a group of IFStruct by the name that the log gives it
    "json": ("format", "json"), "yaml": ("format", "yaml"), "wrapper": ("wrapper", "wrapper key"),
    "bare": ("wrapper", "bare list"), "fenced": ("fence", "fence asked for"),
    "unfenced": ("fence", "no fence asked for"),
}  # fmt: skip


def kind_of(sample: Sample) -> Kind:
    """Return which benchmark a sample belongs to: by the columns of its row, by its figures where the row is absent."""
    row = sample.row
    if row:
        if all(name in row for name in _SOBENCH):
            return "sobench"
        return "ifstruct" if all(name in row for name in _IFSTRUCT) else "other"
    if "field_match" in sample.ratios:
        return "sobench"
    return "ifstruct" if "pass" in sample.means and "entity_type" in _told(sample) else "other"


def slices_of(sample: Sample) -> dict[str, str]:
    """Return for each dimension the group of this sample, one group in each; empty for a task that is not ours.

    A row that is not at hand is answered for by what the log says of it. Never raises: what neither says is the group
    "not told", so that the groups of a dimension sum to all.
    """
    kind, row = kind_of(sample), sample.row
    if kind == "other":
        return {}
    if kind == "sobench":
        told = {**_told(sample), **row}
        return {
            "domain": _text(told.get("domain")),
            "source": _text(told.get("source")),
            **_shape(row.get("schema_json"), told),
        }
    return _of_ifstruct(row) if row else _of_log(_told(sample))


def _of_ifstruct(row: Mapping[str, Any]) -> dict[str, str]:
    entity = _text(row.get("entity_type"))
    level = {"level": _text(row["level"])} if row.get("level") is not None else {}
    return {
        **level,
        "format": "yaml" if row.get("output_format") == "yaml" else "json",
        "wrapper": "wrapper key" if row.get("require_wrapper_key") else "bare list",
        "fence": "fence asked for" if row.get("require_code_block") else "no fence asked for",
        "commentary": "forbidden" if row.get("require_no_commentary") else "not forbidden",
        "presentation": _presentation(row),
        "items": _items(row.get("top_level_count")),
        **_shape(row.get("json_schema"), {}),
        "entity family": "escaping" if "__escaping__" in entity else "other",
        "entity": entity.rpartition("__")[2] or entity,
    }


def _of_log(told: Mapping[str, Any]) -> dict[str, str]:
    entity = _text(told.get("entity_type"))
    inside = told.get("in")
    named = [_NAMED[name] for name in (inside if isinstance(inside, list) else ()) if name in _NAMED]
    return {
        **{dimension: _UNKNOWN for dimension, _ in _NAMED.values()},
        **dict(named),
        "entity family": "escaping" if "__escaping__" in entity else "other",
        "entity": entity.rpartition("__")[2] or entity,
    }


def cluster_of(sample: Sample) -> str:
    """Return what a sample shares with others that may not be independent of it: its picture, or its kind of entity.

    Several answers to one row belong together, too. Empty for a sample that stands for itself.
    """
    told = {**_told(sample), **sample.row}
    shared = str(told.get("image_sha256") or told.get("entity_type") or "")
    return shared or (sample.row_id if sample.row_id != sample.doc_id else "")


def ordered(names: set[str]) -> list[str]:
    """Return the groups of a dimension in the order of a page: by their numbers, then by name, "not told" last."""
    return sorted(names, key=_rank)


def _rank(name: str) -> tuple[bool, int, bool, list[int], str]:
    numbers = [int(part[:9]) for part in _NUMBERS.findall(name)]
    return name == _UNKNOWN, _RANKS.get(name, len(_RANKS)), name.startswith(_RANGES), numbers, name


def _told(sample: Sample) -> Mapping[str, Any]:
    told = sample.diagnostics.get("slices")
    return told if isinstance(told, dict) else {}


def _text(value: Any) -> str:
    return one_line(value)[:80] if value not in (None, "") else _UNKNOWN


def _presentation(row: Mapping[str, Any]) -> str:
    named = next((row[name] for name in _PRESENTATION if row.get(name)), None)
    if named is not None:
        return _text(named).replace("_", " ")
    prompt = row.get("prompt")
    return presentation_of(prompt) if isinstance(prompt, str) and prompt else _UNKNOWN


def _shape(schema: Any, told: Mapping[str, Any]) -> dict[str, str]:
    depth, width = told.get("schema_depth"), told.get("schema_fields")
    if schema is not None:
        try:
            depth, width = json_schema.depth(schema), json_schema.field_count(schema)
        except Exception:  # noqa: BLE001 - a slice key is no reason to lose a sample
            depth = width = None
    return {
        "schema depth": _binned(depth, _DEPTHS, "7 or more"),
        "schema width (fields)": _binned(width, _WIDTHS, "81 or more"),
    }


def _binned(number: Any, bins: tuple[tuple[int, str], ...], beyond: str) -> str:
    if not isinstance(number, int):
        return _UNKNOWN
    return next((name for most, name in bins if number <= most), beyond)


def _items(count: Any) -> str:
    if isinstance(count, str):
        try:
            count = json.loads(count)
        except (ValueError, RecursionError):
            return _UNKNOWN
    ends = count if isinstance(count, list) else [count, count]
    if len(ends) != 2 or not all(isinstance(end, int) and not isinstance(end, bool) and end >= 0 for end in ends):
        return _UNKNOWN
    low, high = ends
    if low == high:
        return f"exactly {low}" if low <= _MOST_TOLD else f"exactly {_MOST_TOLD + 1} or more"
    return f"from {low} to {high}" if high <= _MOST_TOLD else f"a range up to {_MOST_TOLD + 1} or more"
