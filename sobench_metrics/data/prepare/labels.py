"""Upstream's labels: one JSON file a sample, read from labels.zip or from the unzipped folder.

What is read becomes texts at once, as upstream's conversion writes them; only the order is our own: by doc id, which
is the stem of the file, where upstream takes whatever order the disk gives.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from sobench_metrics.data.prepare.label_files import label_files
from sobench_metrics.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

__all__ = ["Label", "read_label", "read_labels"]

_FIELDS = ("image_url", "schema_json", "user_intent", "structured_output", "evaluation_labels")
_IGNORE = "ignore"  # what upstream's metric makes of a null label


class _Fault(ValueError):  # noqa: N818 - becomes a UsageError that names the file
    pass


@dataclass(frozen=True, slots=True)
class Label:
    """One sample without its picture: `image` is the path after `data/<source>/`, `target` the decoded target."""

    doc_id: str
    domain: str
    source: str
    image: str
    image_url: str
    schema_json: str
    user_intent: str
    target_json: str
    labels_json: str
    target: Any

    def row(self) -> dict[str, str]:
        """Return the text columns of a prepared row, but for `prep_id`."""
        return {
            "doc_id": self.doc_id,
            "domain": self.domain,
            "source": self.source,
            "schema_json": self.schema_json,
            "user_intent": self.user_intent,
            "target_json": self.target_json,
            "evaluation_labels_json": self.labels_json,
            "upstream_image_url": self.image_url,
        }


def read_labels(where: bytes | Path, sources: Mapping[str, str]) -> tuple[Label, ...]:
    """Return all labels of a zip file's bytes or of a folder, by doc id; `sources` gives the domain by source.

    Raises UsageError that names the file and its fault: a label left out would change every number.
    """
    found: dict[str, Label] = {}
    for name, data in label_files(where):
        label = read_label(name, data, sources)
        if label.doc_id in found:
            raise UsageError(f"two label files are called {label.doc_id}.json: give a clean copy with --upstream-dir.")
        found[label.doc_id] = label
    if not found:
        raise UsageError("upstream's labels hold no label file: give a clean copy with --upstream-dir.")
    return tuple(found[doc_id] for doc_id in sorted(found))


def read_label(name: str, data: bytes, sources: Mapping[str, str]) -> Label:
    """Return the label of one file; raises UsageError as read_labels does."""
    try:
        return _label(PurePosixPath(name).stem, _decoded(data), sources)
    except _Fault as error:
        raise UsageError(
            f"the label file {name} cannot be used ({error}): give a clean copy with --upstream-dir."
        ) from error


def _decoded(data: bytes) -> dict[str, Any]:
    try:
        value = json.loads(data.decode("utf-8"))
    except UnicodeDecodeError:
        raise _Fault("it is not UTF-8") from None
    except RecursionError:
        raise _Fault("it is nested too deeply") from None
    except ValueError as error:
        raise _Fault(f"it is no JSON: {error}") from None
    if not isinstance(value, dict):
        raise _Fault("it holds no JSON object")
    missing = [field for field in _FIELDS if field not in value]
    if missing:
        raise _Fault(f"it lacks {', '.join(missing)}")
    return value


def _label(doc_id: str, value: dict[str, Any], sources: Mapping[str, str]) -> Label:
    image_url, schema, intent = value["image_url"], value["schema_json"], value["user_intent"]
    target, labels = value["structured_output"], value["evaluation_labels"]
    if not doc_id or not doc_id.isprintable():
        raise _Fault("its name is no doc id")
    if not isinstance(image_url, str) or not isinstance(intent, str):
        raise _Fault("image_url and user_intent must be texts")
    if not isinstance(schema, dict):
        raise _Fault("schema_json is no object")
    source, image = _place(image_url, sources)
    try:
        texts = (
            json.dumps(schema),
            json.dumps(target, ensure_ascii=False),
            json.dumps(_without_nulls(labels)),
        )
    except RecursionError:
        raise _Fault("it is nested too deeply") from None
    try:
        "".join((doc_id, image_url, intent, *texts)).encode()
    except UnicodeEncodeError:
        raise _Fault("it holds half a character (a lone surrogate)") from None
    return Label(doc_id, sources[source], source, image, image_url, texts[0], intent, texts[1], texts[2], target)


def _place(image_url: str, sources: Mapping[str, str]) -> tuple[str, str]:
    """Return source and image; what stands before `data/<source>/` tells where upstream was started, no more."""
    parts = image_url.removeprefix("./").split("/")
    if "\\" in image_url or not image_url.isprintable() or any(part in {"", ".", ".."} for part in parts):
        raise _Fault(f"image_url {image_url!r} is no plain relative path")
    for number, part in enumerate(parts[:-2]):
        if part == "data" and parts[number + 1] in sources:
            return parts[number + 1], "/".join(parts[number + 2 :])
    raise _Fault(f"image_url {image_url!r} names no known source: data/<{'|'.join(sources)}>/...")


def _without_nulls(label: Any) -> Any:
    """Return the labels with each null made "ignore"; all else stays, since the metric has a reading for any value."""
    if isinstance(label, dict):
        return {key: _without_nulls(child) for key, child in label.items()}
    if isinstance(label, list):
        return [_without_nulls(child) for child in label]
    return _IGNORE if label is None else label
