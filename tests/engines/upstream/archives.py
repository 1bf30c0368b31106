"""Archives in memory: tar.gz, zip, a zip cut into byte parts; reproducible to the byte."""

from __future__ import annotations

import gzip
import io
import tarfile
import zipfile
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["parts_through", "tar_gz", "zipped"]

_DAY = (2023, 4, 1, 0, 0, 0)
_IMAGE_NAMES = (".jpg", ".png", ".webp")


def tar_gz(members: Mapping[str, bytes]) -> bytes:
    """Return a tar.gz with the folder entries that `tar` itself would write."""
    plain, seen = io.BytesIO(), set()
    with tarfile.open(fileobj=plain, mode="w") as archive:
        for name, data in members.items():
            folder = name.rpartition("/")[0]
            if folder and folder not in seen:
                seen.add(folder)
                entry = tarfile.TarInfo(folder)
                entry.type, entry.mode = tarfile.DIRTYPE, 0o755
                archive.addfile(entry)
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return gzip.compress(plain.getvalue(), compresslevel=1, mtime=0)


def zipped(members: Mapping[str, bytes]) -> bytes:
    """Return a zip: pictures stored, the rest deflated."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        for name, data in members.items():
            entry = zipfile.ZipInfo(name, _DAY)
            entry.compress_type = zipfile.ZIP_STORED if name.endswith(_IMAGE_NAMES) else zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    return held.getvalue()


def parts_through(archive: bytes, member: str, count: int) -> list[bytes]:
    """Cut a zip into `count` parts, the last one tiny, so that one boundary runs through the data of `member`."""
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        entry = opened.getinfo(member)
    middle = entry.header_offset + 30 + len(entry.filename) + entry.compress_size // 2
    rest = len(archive) - 60  # the end record is 22 bytes: the last part holds it and a piece of the directory
    between = [middle + (rest - middle) * step // (count - 2) for step in range(1, count - 2)]
    cuts = [0, middle, *between, rest, len(archive)]
    return [archive[start:end] for start, end in pairwise(cuts)]
