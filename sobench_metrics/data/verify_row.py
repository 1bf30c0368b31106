"""What can be wrong with one sample of a prepared set, told as structured deviations.

A deviation that proves a damaged or mixed set is a failure. What upstream's labels themselves may hold (a target that
does not follow its schema, labels of another shape than the target, both of which the scorer has rules for) is a
warning: nobody can mend it on their side, and the row's hash proves that it came like this.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from sobench_metrics.data.pixels import PixelError, facts
from sobench_metrics.data.plain_words import counted
from sobench_metrics.data.set_layout import row_sha256
from sobench_metrics.findings import pointer
from sobench_metrics.sobench.labels import EXACT, FUZZY, IGNORE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["COLUMNS", "Deviation", "SeenRow", "label_deviations", "look_at_row"]

_TEXTS = (
    "doc_id", "domain", "source", "image_sha256", "pixel_sha256", "schema_json", "user_intent", "target_json",
    "evaluation_labels_json", "prep_id",
)  # fmt: skip
COLUMNS: Final = (*_TEXTS, "image", "width", "height")
_LEAVES = (EXACT, FUZZY, IGNORE)
_NO_JSON: Final = object()
_BROKEN_SCHEMA = ("schema.broken", "schema.unresolvable_reference")


@dataclass(frozen=True, slots=True)
class Deviation:
    """One thing that is not as it should be; `doc_id` is "" when it is about the set.

    `code` is stable (dotted, lower case); its first word names the check. A `warning` leaves the set usable.
    """

    code: str
    doc_id: str
    message: str
    warning: bool = False


@dataclass(frozen=True, slots=True)
class SeenRow:
    """What one row is, as its content shows; a hash is "" when the picture cannot be decoded, or a text is none."""

    doc_id: str
    domain: str
    source: str
    pixel_sha256: str
    row_sha256: str
    deviations: tuple[Deviation, ...]


def look_at_row(row: Mapping[str, Any], *, domain: str, prep_id: str, promised: Mapping[str, str] | None) -> SeenRow:
    """Return what a row holds and every deviation; `domain` is that of its folder, `promised` its manifest entry."""
    doc_id = row["doc_id"] if isinstance(row["doc_id"], str) else repr(row["doc_id"])
    source = row["source"] if isinstance(row["source"], str) else repr(row["source"])
    pixels, picture_faults = _picture(row)
    found = [*picture_faults]
    texts = ""
    wrong = next((name for name in _TEXTS if not isinstance(row[name], str)), None)
    if wrong is not None:
        found.append(("row.damaged", f"{wrong} is no text", False))
    else:
        texts = row_sha256(row)
        found += _place(row, domain, prep_id)
        found += _texts(row)
    if promised is not None:
        found += _against_manifest(row, promised, pixels, texts)
    return SeenRow(
        doc_id, domain, source, pixels, texts, tuple(Deviation(code, doc_id, text, soft) for code, text, soft in found)
    )


_Found = tuple[str, str, bool]


def _place(row: Mapping[str, Any], domain: str, prep_id: str) -> Iterator[_Found]:
    if row["domain"] != domain:
        yield "row.domain", f"says {row['domain']!r} but lies in data/{domain}", False
    if row["prep_id"] != prep_id:
        yield "row.prep_id", f"belongs to the set {row['prep_id']!r}", False


def _against_manifest(row: Mapping[str, Any], promised: Mapping[str, str], pixels: str, texts: str) -> Iterator[_Found]:
    if texts and promised.get("row_sha256") != texts:
        yield "row.sha256", "schema, intent, target or labels are not those that the manifest lists", False
    if promised.get("image_sha256") != row["image_sha256"]:
        yield "image.manifest", "the manifest lists another hash of the image's bytes", False
    if pixels and promised.get("pixel_sha256") != pixels:
        yield "image.manifest", "the manifest lists another hash of the image's pixels", False


def _picture(row: Mapping[str, Any]) -> tuple[str, list[_Found]]:
    image = row["image"]
    data = image.get("bytes") if isinstance(image, dict) else None
    if not isinstance(data, bytes):
        return "", [("image.undecodable", "has no bytes", False)]
    found: list[_Found] = []
    if hashlib.sha256(data).hexdigest() != row["image_sha256"]:
        found.append(("image.sha256", "its bytes do not have the hash of the row", False))
    try:
        shown = facts(data)
    except PixelError as error:
        return "", [*found, ("image.undecodable", f"cannot be decoded: {error}", False)]
    if (shown.width, shown.height) != (row["width"], row["height"]):
        text = f"is {shown.width}x{shown.height}, the row says {row['width']}x{row['height']}"
        found.append(("image.size", text, False))
    if shown.sha256 != row["pixel_sha256"]:
        found.append(("image.pixels", "its pixels do not have the hash of the row", False))
    return shown.sha256, found


def _texts(row: Mapping[str, Any]) -> Iterator[_Found]:
    schema, target, labels = (_json(row[name]) for name in ("schema_json", "target_json", "evaluation_labels_json"))
    for column, value in (("schema_json", schema), ("target_json", target), ("evaluation_labels_json", labels)):
        if value is _NO_JSON:
            yield "row.damaged", f"{column} is no JSON", False
    if schema is not _NO_JSON:
        yield from _schema(schema, target)
    if target is not _NO_JSON and labels is not _NO_JSON:
        yield from label_deviations(labels, target)


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return _NO_JSON


def _schema(schema: Any, target: Any) -> Iterator[_Found]:
    from sobench_metrics.json_schema import follows

    if not isinstance(schema, dict):
        yield "schema.broken", "the schema is no object", False
        return
    finding = follows(None if target is _NO_JSON else target, schema).finding
    if finding is None:
        return
    place = f"at {finding.path or '/'}: {finding.message}"
    if finding.code in _BROKEN_SCHEMA:
        yield finding.code, finding.message, False
    elif target is not _NO_JSON:
        yield "target.violation", place if finding.code == "schema.violation" else finding.message, True


def label_deviations(labels: Any, target: Any) -> Iterator[_Found]:
    """Yield what does not fit in a label tree: code, message, whether it is but a warning.

    All are warnings: upstream's labels are what they are, and the scorer has a rule for each: another leaf than exact,
    fuzzy and ignore counts as exact, B2.6 and B2.7 say what an unknown key or a list of another length means.
    """
    waiting: list[tuple[tuple[object, ...], Any, Any]] = [((), labels, target)]
    while waiting:
        path, label, value = waiting.pop()
        at = pointer(path) or "/"
        if isinstance(label, dict) and isinstance(value, dict):
            extra = [key for key in label if key not in value]
            if extra:
                yield "labels.shape", f"at {at}: labels {extra[0]!r}, which the target lacks", True
            waiting += [((*path, key), label[key], value[key]) for key in reversed(label) if key in value]
        elif isinstance(label, list) and isinstance(value, list):
            if len(label) == len(value):
                waiting += [
                    ((*path, index), *pair) for index, pair in reversed([*enumerate(zip(label, value, strict=True))])
                ]
            else:
                yield "labels.shape", f"at {at}: {counted(len(label), 'label')} for {counted(len(value), 'item')}", True
        elif isinstance(label, (dict, list)):
            yield "labels.shape", f"at {at}: a label {_kind(label)} where the target has {_kind(value)}", True
        elif label not in _LEAVES:
            shown = f"{json.dumps(label)[:60]} is none of {', '.join(_LEAVES)}"
            yield "labels.leaf", f"at {at}: {shown}; it counts as exact", True


def _kind(value: Any) -> str:
    return "an object" if isinstance(value, dict) else "a list" if isinstance(value, list) else "a plain value"
