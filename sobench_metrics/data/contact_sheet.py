"""One HTML page of a prepared set for human eyes: is this the picture that this target was read from?

No hash can answer that. The page is written row by row, holds everything in itself, and is for whoever prepared the
set: it shows pictures and labels that must not be published.
"""

from __future__ import annotations

import io
import warnings
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from sobench_metrics.data import contact_sheet_page as page
from sobench_metrics.data.plain_words import one_line
from sobench_metrics.data.prepared import DOMAINS
from sobench_metrics.data.prepared_sets import (
    SetManifest,
    data_files,
    file_rows,
    n_of_n,
    read_manifest,
    size_text,
)
from sobench_metrics.data.whole_file import whole_file
from sobench_metrics.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

__all__ = ["LONG_SIDE", "Sheet", "thumbnail", "write_sheet"]

LONG_SIDE: Final = 640
_QUALITY = 80
_FORMATS = ("JPEG", "PNG", "WEBP")  # not all that Pillow opens: EPS, for one, is run by another program
_COLUMNS = (
    "doc_id", "source", "image", "width", "height", "user_intent", "target_json", "evaluation_labels_json",
    "schema_json",
)  # fmt: skip
_NOTICE = (
    "Do not publish: pictures and labels stand under the terms of their sources, which do not allow it. "
    "For the eyes of whoever prepared this set."
)


@dataclass(frozen=True, slots=True)
class Sheet:
    """What was written: samples shown, and the doc ids whose picture cannot be decoded."""

    shown: int
    broken: tuple[str, ...]


def write_sheet(
    root: Path,
    out: Path,
    *,
    domains: Sequence[str] = DOMAINS,
    limit: int | None = None,
    seen: Callable[[int], None] = lambda _: None,
) -> Sheet:
    """Write the page, whole or not at all; at most `limit` samples of each source, one in memory at a time.

    `seen` is called with the number of samples written so far. Raises UsageError for a set that cannot be
    read or lacks a file that its manifest lists, one without the domains, or a place that cannot be written.
    """
    manifest = read_manifest(root)
    _all_there(root, manifest, domains)
    files = [file for domain in domains for file in data_files(root) if file.parent.name == domain]
    if not files:
        raise UsageError(f"{root} holds no data of {', '.join(domains)}: choose other --domains, or prepare them.")
    shown, broken = 0, []
    with whole_file(out) as sheet:
        sheet.write(_head(manifest, limit, list(dict.fromkeys(file.parent.name for file in files))))
        for domain in domains:
            of_domain = [file for file in files if file.parent.name == domain]
            places = _places(of_domain, limit)
            if not places:
                continue
            have, expected = n_of_n(manifest).get(domain, (0, 0))
            sheet.write(page.domain_head(domain, f"{have:,} of {expected:,} samples"))
            for source, groups in places.items():
                sheet.write(page.source_head(source, _share(manifest, source, sum(map(len, groups.values())))))
                for row in _rows(groups, source):
                    picture = thumbnail(row)
                    sheet.write(page.sample_html(_sample(row), picture))
                    shown += 1
                    seen(shown)
                    broken += [] if picture.jpeg else [str(row["doc_id"])]
        sheet.write(page.page_end(_NOTICE))
    return Sheet(shown, tuple(broken))


def _all_there(root: Path, manifest: SetManifest, domains: Sequence[str]) -> None:
    """Raise UsageError when a listed data file is gone: a page without its samples would look whole."""
    listed = sorted(name for name in manifest.files if name.startswith(tuple(f"data/{domain}/" for domain in domains)))
    gone = [name for name in listed if not (root / name).is_file()]
    if gone:
        raise UsageError(
            f"{root} lacks {gone[0]}{f' and {len(gone) - 1} more' if len(gone) > 1 else ''}, which its manifest lists: "
            "run `sobench prepare` again, or choose other --domains."
        )


def thumbnail(row: dict[str, Any]) -> page.Picture:
    """Return the picture of a row with a long side of at most LONG_SIDE; one without bytes when it is no picture."""
    from PIL import Image

    image = row["image"]
    data = image.get("bytes") if isinstance(image, dict) else None
    if not isinstance(data, bytes):
        return page.Picture(b"", 0, 0, "no picture in this row")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)  # the largest pages have 145 megapixels
            with Image.open(io.BytesIO(data), formats=_FORMATS) as opened:
                width, height = opened.size
                opened.draft("RGB", (LONG_SIDE, LONG_SIDE))  # a large JPEG is decoded small at once
                small = opened.convert("RGB")
        small.thumbnail((LONG_SIDE, LONG_SIDE))
        stored = io.BytesIO()
        small.save(stored, "JPEG", quality=_QUALITY)
    except Exception as error:  # noqa: BLE001 - Pillow's decoders raise what they like; the page says so and goes on
        return page.Picture(b"", 0, 0, f"this picture cannot be decoded: {one_line(error)}")
    caption = f"{width:,} x {height:,} pixels, {size_text(len(data))}"
    if small.size != (width, height):
        caption += f", shown at {small.width} x {small.height}"
    return page.Picture(stored.getvalue(), small.width, small.height, caption)


_Groups = dict["Path", list[int]]


def _places(files: list[Path], limit: int | None) -> dict[str, _Groups]:
    """Return by source, file by file, the row groups to read: first the ids alone, so that no picture is loaded."""
    taken: Counter[str] = Counter()
    places: dict[str, _Groups] = {}
    for file in files:
        for group, row in file_rows(file, ("source",)):
            source = str(row["source"])
            if limit is None or taken[source] < limit:
                taken[source] += 1
                groups = places.setdefault(source, {}).setdefault(file, [])
                groups.append(group)
    return dict(sorted(places.items()))


def _rows(groups: _Groups, source: str) -> Iterator[dict[str, Any]]:
    for file, numbers in groups.items():
        left = Counter(numbers)
        for group, row in file_rows(file, _COLUMNS, groups=tuple(left)):
            if str(row["source"]) == source and left[group] > 0:
                left[group] -= 1
                yield row


def _sample(row: dict[str, Any]) -> page.Sample:
    texts = {name: str(row[name]) for name in _COLUMNS if name != "image"}
    return page.Sample(
        doc_id=texts["doc_id"],
        source=texts["source"],
        intent=texts["user_intent"],
        target_json=texts["target_json"],
        labels_json=texts["evaluation_labels_json"],
        schema_json=texts["schema_json"],
    )


def _share(manifest: SetManifest, source: str, shown: int) -> str:
    have = manifest.counts.get("source", {}).get(source, shown)
    whole = manifest.expected.get("source", {}).get(source, have)
    return f"{have:,} of {whole:,} samples" + (f", {shown:,} shown" if shown != have else "")


def _head(manifest: SetManifest, limit: int | None, domains: Sequence[str]) -> str:
    facts = {
        "Set": manifest.prep_id,
        "Samples": f"{manifest.total:,} of {manifest.expected_total:,} ("
        + ", ".join(f"{name} {have:,} of {whole:,}" for name, (have, whole) in n_of_n(manifest).items())
        + ")",
        "Labels and prompts": f"upstream commit {manifest.commit}" if manifest.commit else "",
        "Prepared by": manifest.tool,
        "Encoder": ", ".join(f"{name} {version}" for name, version in manifest.encoder.items()),
        "Shown": f"the first {limit:,} of each source" if limit is not None else "",
    }
    told = [_NOTICE]
    if manifest.partial is not None:
        told.append(f"A partial set, by {manifest.partial.get('allowed_by', 'an unknown flag')}.")
    table = [["source", "samples", "revision", "licence"]] if manifest.sources else []
    table += [
        [
            name,
            _share(manifest, name, entry.get("found", 0)).replace(" samples", ""),
            str(entry.get("revision") or ""),
            str(entry.get("licence", "")),
        ]
        for name, entry in manifest.sources.items()
    ]
    return page.page_head(
        "SO-Bench contact sheet", {name: text for name, text in facts.items() if text}, told, table, domains
    )
