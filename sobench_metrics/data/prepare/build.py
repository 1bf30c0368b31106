"""Write a prepared set beside the others and make it the current one, in steps that a kill cannot leave half done."""

from __future__ import annotations

import hashlib
import json
import shutil
from typing import TYPE_CHECKING, Any

from sobench_metrics.data.fetch.store import write_whole
from sobench_metrics.data.prepare.licences import card
from sobench_metrics.data.set_layout import counts, pretty, row_sha256, write_parquet
from sobench_metrics.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from sobench_metrics.data.prepare.finished import Finished
    from sobench_metrics.data.prepare.upstream import Upstream

__all__ = ["BUILDING", "build_set", "is_whole", "make_current", "prep_id_of"]

BUILDING = ".building-"
"""Folders below `prepared/` with this prefix are leftovers of a killed run."""

_SHARD_BYTES = 400_000_000  # what a hub and a slow disk take in one piece


def prep_id_of(prompts_sha256: str, expected: Mapping[str, int], finished: Sequence[Finished]) -> str:
    """Return the name of a set: 12 hex digits over prompts, counts to be reached, and every row's texts and pixels.

    Two people with the same id ask the same of the same pixels, wherever they had them from and whatever their
    encoders wrote.
    """
    rows = sorted((image.label.doc_id, row_sha256(image.label.row()), image.pixel_sha256) for image in finished)
    hashed = json.dumps([prompts_sha256, dict(sorted(expected.items())), rows])
    return hashlib.sha256(hashed.encode()).hexdigest()[:12]


def build_set(
    home: Path, upstream: Upstream, finished: Sequence[Finished], head: Mapping[str, Any], domains: Sequence[str]
) -> Path:
    """Write the set of these images and make it the current one; return its folder.

    `head` is the manifest but for what only the files tell; its `prep_id` names the folder. At every moment the pointer
    names a whole set: the earlier one until this one stands. Raises UsageError when the disk is full or cannot be
    written: the set that was current then still is.
    """
    prep_id = str(head["prep_id"])
    sets = home / "prepared"
    draft = sets / f"{BUILDING}{prep_id}"
    try:
        shutil.rmtree(draft, ignore_errors=True)
        draft.mkdir(parents=True)
        documents: dict[str, dict[str, str]] = {}
        for domain in domains:
            images = sorted((image for image in finished if image.label.domain == domain), key=_by_id)
            _write_domain(draft, domain, images, prep_id, documents)
        _write(draft, "prompts.json", pretty(upstream.prompts))
        _write(draft, "README.md", card(head, domains).encode())
        for name, text in upstream.licences.items():
            _write(draft, f"LICENSES/{name}", text.encode())
        rows = [image.label.row() for image in finished]
        manifest = {
            **head,
            "counts": {"domain": counts(rows, "domain"), "source": counts(rows, "source")},
            "files": {name: _facts(draft / name) for name in _files(draft)},
            "documents": dict(sorted(documents.items())),
        }
        _write(draft, "manifest.json", pretty(manifest))
        return _activate(sets, draft, prep_id)
    except OSError as error:
        shutil.rmtree(draft, ignore_errors=True)
        raise UsageError(
            f"cannot write the prepared set to {sets} ({error.strerror or error}): free space or set SOBENCH_HOME to "
            "another disk, and repeat the command; what was fetched is kept."
        ) from error


def _by_id(image: Finished) -> str:
    return image.label.doc_id


def _write_domain(
    draft: Path, domain: str, images: Sequence[Finished], prep_id: str, documents: dict[str, dict[str, str]]
) -> None:
    shards = list(_shards(images))
    folder = draft / "data" / domain
    folder.mkdir(parents=True)
    for number, shard in enumerate(shards):
        name = f"test-{number:05}-of-{len(shards):05}.parquet"
        write_parquet(folder / name, (_row(image, prep_id, documents) for image in shard))


def _shards(images: Sequence[Finished]) -> Iterator[Sequence[Finished]]:
    start = size = 0
    for number, image in enumerate(images):
        if size and size + image.length > _SHARD_BYTES:
            yield images[start:number]
            start, size = number, 0
        size += image.length
    yield images[start:]


def _row(image: Finished, prep_id: str, documents: dict[str, dict[str, str]]) -> dict[str, Any]:
    row = image.label.row()
    documents[image.label.doc_id] = {
        "image_sha256": image.image_sha256,
        "pixel_sha256": image.pixel_sha256,
        "row_sha256": row_sha256(row),
        "image_url": image.label.image_url,
        "made_of": image.made_of,
    }
    return {
        **row,
        "image": {"bytes": image.image(), "path": f"{image.label.doc_id}.jpg"},
        "image_sha256": image.image_sha256,
        "pixel_sha256": image.pixel_sha256,
        "width": image.width,
        "height": image.height,
        "prep_id": prep_id,
    }


def _write(draft: Path, name: str, content: bytes) -> None:
    file = draft / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)


def _files(draft: Path) -> list[str]:
    return sorted(file.relative_to(draft).as_posix() for file in draft.rglob("*") if file.is_file())


def _facts(file: Path) -> dict[str, Any]:
    digest = hashlib.sha256()
    with file.open("rb") as stream:
        while piece := stream.read(1 << 20):
            digest.update(piece)
    return {"sha256": digest.hexdigest(), "bytes": file.stat().st_size}


def is_whole(root: Path) -> bool:
    """Tell whether a set has every file of its manifest, with the right bytes."""
    try:
        files = json.loads((root / "manifest.json").read_text(encoding="utf-8"))["files"]
        return bool(files) and all(_facts(root / name) == promised for name, promised in files.items())
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return False


def make_current(sets: Path, root: Path) -> None:
    """Let the pointer name the set `root`, in one step."""
    pointer = sets / f"{BUILDING}current"
    pointer.write_text(root.name + "\n", encoding="utf-8")
    pointer.replace(sets / "current")


def _activate(sets: Path, draft: Path, prep_id: str) -> Path:
    """Put the draft beside what is there, let the pointer name it, and only then remove what it replaces.

    A whole set with equal files stays, with the draft's manifest: somebody may be reading it.
    """
    same_id = [root for root in sorted(sets.glob(f"{prep_id}*")) if root.is_dir()]
    files = json.loads((draft / "manifest.json").read_text(encoding="utf-8"))["files"]
    for root in same_id:
        if is_whole(root) and json.loads((root / "manifest.json").read_text(encoding="utf-8"))["files"] == files:
            write_whole(root / "manifest.json", (draft / "manifest.json").read_bytes())
            make_current(sets, root)
            shutil.rmtree(draft, ignore_errors=True)
            return root
    taken = {root.name for root in same_id}
    name = next(name for name in (prep_id, *(f"{prep_id}-{n}" for n in range(2, 100))) if name not in taken)
    draft.rename(sets / name)
    make_current(sets, sets / name)
    for root in same_id:
        if not root.is_symlink():
            shutil.rmtree(root, ignore_errors=True)
    return sets / name
