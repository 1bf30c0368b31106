"""A plain twin of upstream's pipeline: every image of every source to files, every label's file to a JPEG, as told in
the notes on its scripts. It shares no line with the package, knows nothing lean, and keeps the order of their steps.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import math
import tarfile
import tempfile
import zipfile
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image, ImageOps

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tests.engines.upstream.content import Content

__all__ = ["jpegs", "pixel_hash", "pixel_hashes", "write_stage_one"]

_TOP = 95
_PAD = 20
_CELL = (800, 600)


def pixel_hashes(content: Content) -> dict[str, str]:
    """Return the pixel hash by doc id; a label whose file upstream could not make is left out."""
    return {doc_id: pixel_hash(jpeg) for doc_id, jpeg in jpegs(content).items()}


def jpegs(content: Content) -> Mapping[str, bytes]:
    """Return what upstream would send to a model, by doc id."""
    return _jpegs(_Same(content))


class _Same:
    """Lets content, which holds dicts, be a key: one twin run for each object."""

    def __init__(self, content: Content) -> None:
        self.content = content

    def __hash__(self) -> int:
        return id(self.content)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.content is other.content


@lru_cache(maxsize=4)
def _jpegs(same: _Same) -> Mapping[str, bytes]:
    with _any_size(), tempfile.TemporaryDirectory(prefix="twin-") as folder:
        root = Path(folder)
        write_stage_one(same.content, root / "data")
        return _stage_two(same.content, root)


@contextlib.contextmanager
def _any_size() -> Iterator[None]:
    before, Image.MAX_IMAGE_PIXELS = Image.MAX_IMAGE_PIXELS, None
    try:
        yield
    finally:
        Image.MAX_IMAGE_PIXELS = before


def pixel_hash(jpeg: bytes) -> str:
    """Return the hash of size and RGB samples."""
    with _any_size(), Image.open(io.BytesIO(jpeg)) as opened:
        rgb = opened.convert("RGB")
    return hashlib.sha256(f"{rgb.size[0]}x{rgb.size[1]}\n".encode() + rgb.tobytes()).hexdigest()


def write_stage_one(content: Content, root: Path) -> None:
    """Write all image folders below `root`, whole sources at a time."""
    from tests.engines.upstream import content as where

    _untar(content.sites[where.HIERTEXT_URL], root / "hiertext" / "images")
    _untar(content.sites[where.RICO_URL], root / "rico")
    (root / "rico" / "combined").rename(root / "rico" / "images")
    files = {source: content.repos[repo][-1].files for source, repo in where.REPOS.items()}
    for source in ("screenspotpro", "chartmuseum"):
        for name, one in files[source].items():
            if name.startswith("images/"):
                _put(root / source / name, one.data)
    parts = [files["webui"][name].data for name in sorted(files["webui"]) if ".zip." in name]
    zipfile.ZipFile(io.BytesIO(b"".join(parts))).extractall(root / "webui" / "extracted")
    _pages(content, root / "omnidocbench" / "images")
    for source, folder in (("docvqa", "DocVQA/"), ("infographicvqa", "InfographicVQA/")):
        _questions(
            [files[source][name].data for name in sorted(files[source]) if name.startswith(folder + "test-")],
            root / source / "images",
        )
    _charts(
        [files["chartqapro"][name].data for name in sorted(files["chartqapro"]) if "/test-" in name],
        root / "chartqapro" / "images",
    )
    _clusters(content, root / "vistext" / "images")


def _stage_two(content: Content, root: Path) -> dict[str, bytes]:
    made = {}
    for doc_id, label in content.labels.items():
        try:
            with Image.open(root / label["image_url"]) as opened:
                rgb = opened.convert("RGB")
        except OSError:
            continue
        made[doc_id] = _as_jpeg(rgb)
    return made


def _as_jpeg(image: Image.Image) -> bytes:
    held = io.BytesIO()
    image.save(held, format="JPEG", quality=_TOP)
    return held.getvalue()


def _put(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def _untar(archive: bytes, folder: Path) -> None:
    with tarfile.open(fileobj=io.BytesIO(archive), mode="r:gz") as opened:
        for entry in opened:
            if entry.isfile():
                _put(folder / entry.name, opened.extractfile(entry).read())


def _rgb(image: Image.Image) -> Image.Image:
    return image if image.mode == "RGB" else image.convert("RGB")


def _pages(content: Content, folder: Path) -> None:
    """Number the pages of the revision that the labels were made for."""
    files = _revision_of_labels(content)
    number = 0
    for entry in json.loads(files["OmniDocBench.json"].data):
        attribute = entry.get("page_info", {}).get("page_attribute", {})
        language = attribute.get("language", "").lower()
        if "chinese" in language or "en_ch_mixed" in language:
            continue
        name = entry.get("page_info", {}).get("image_path")
        if name is not None:
            try:
                page = _rgb(Image.open(io.BytesIO(files[f"images/{name}"].data)))
                _put(folder / f"{number:06}.jpg", _as_jpeg(page))
            except OSError:
                pass
        number += 1


def _revision_of_labels(content: Content):
    """The one state of the repository that upstream had; it is known here because we made the labels."""
    return next(one for one in content.repos["opendatalab/OmniDocBench"] if one.sha == content.pages_commit).files


def _questions(shards: list[bytes], folder: Path) -> None:
    """Name each picture after the first question about it."""
    import pyarrow.parquet as pq

    seen = set()
    for shard in shards:
        for row in pq.read_table(io.BytesIO(shard)).to_pylist():
            try:
                image = Image.open(io.BytesIO(row["image"]["bytes"]))
                image.load()
                data = _as_jpeg(_rgb(ImageOps.exif_transpose(image)))
            except OSError:
                continue
            if data not in seen:
                seen.add(data)
                _put(folder / f"{row['questionId']}.jpg", data)


def _charts(shards: list[bytes], folder: Path) -> None:
    """Name each picture after its row; a table with an Image feature is decoded upright, plain bytes are not."""
    import pyarrow.parquet as pq

    number = 0
    for shard in shards:
        table = pq.read_table(io.BytesIO(shard))
        features = json.loads(table.schema.metadata[b"huggingface"])["info"]["features"]
        for cell in table.column("image").to_pylist():
            try:
                if features["image"]["_type"] == "Image":
                    image = ImageOps.exif_transpose(Image.open(io.BytesIO(cell["bytes"])))
                else:
                    image = Image.open(io.BytesIO(cell))
                _put(folder / f"chart_{number:04}.jpg", _as_jpeg(_rgb(image)))
            except OSError:
                pass
            number += 1


def _clusters(content: Content, folder: Path) -> None:
    """Merge each cluster on a white sheet; a cluster with an unreadable member is left out.

    (Upstream would leave out the member and move the others, which is no picture that its labels can mean.)
    """
    from tests.engines.upstream.content import VISTEXT_URL

    archive = zipfile.ZipFile(io.BytesIO(content.sites[VISTEXT_URL]))
    for name, members in content.mapping.items():
        try:
            charts = [_rgb(Image.open(io.BytesIO(archive.read(f"images/{one}")))) for one in members]
        except (OSError, KeyError):
            continue
        held = io.BytesIO()
        _sheet([_shrunk(chart) for chart in charts]).save(held, "PNG")
        _put(folder / name, held.getvalue())


def _shrunk(chart: Image.Image) -> Image.Image:
    factor = min(_CELL[0] / chart.width, _CELL[1] / chart.height)
    if factor >= 1:
        return chart
    width, height = int(chart.width * factor), int(chart.height * factor)
    across = chart.resize((width, chart.height), Image.Resampling.LANCZOS)
    return across.resize((width, height), Image.Resampling.LANCZOS)


def _sheet(charts: list[Image.Image]) -> Image.Image:
    rows, columns = {1: (1, 1), 2: (1, 2), 3: (1, 3), 4: (2, 2), 5: (2, 3), 6: (2, 3)}.get(len(charts), (0, 0))
    if not rows:
        columns = math.ceil(math.sqrt(len(charts)))
        rows = math.ceil(len(charts) / columns)
    wide, high = max(chart.width for chart in charts), max(chart.height for chart in charts)
    sheet = Image.new("RGB", (columns * (wide + _PAD) + _PAD, rows * (high + _PAD) + _PAD), (255, 255, 255))
    for place, chart in enumerate(charts):
        row, column = divmod(place, columns)
        left = _PAD + column * (wide + _PAD) + (wide - chart.width) // 2
        top = _PAD + row * (high + _PAD) + (high - chart.height) // 2
        sheet.paste(chart, (left, top))
    return sheet
