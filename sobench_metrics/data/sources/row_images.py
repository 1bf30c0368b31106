"""Images in the cells of parquet files of a dataset repository: first which rows, then only their row groups."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sobench_metrics.data.sources.source import Unit

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sobench_metrics.data.sources.hub_repo import Repository
    from sobench_metrics.data.sources.source import Deposit

__all__ = ["IMAGE", "Cell", "Shard", "cell_units", "read_shards", "recipe_of", "weight"]

IMAGE = "image"

# one file alone, or one of a series, with the hash that older versions of `datasets` put behind
_SHARD = re.compile(r"(?P<folder>(?:.*/)?)test(?:-(?P<number>\d+)-of-(?P<count>\d+)(?:-[0-9a-f]+)?)?\.parquet")


@dataclass(frozen=True, slots=True)
class Shard:
    """One parquet file: the first row after each row group, and what the images of that group weigh on the way."""

    name: str
    ends: tuple[int, ...]
    weights: tuple[int, ...]

    @property
    def rows(self) -> int:
        """How many rows the file has."""
        return self.ends[-1] if self.ends else 0

    def group(self, row: int) -> int:
        """Return the row group that holds `row`."""
        return next(number for number, end in enumerate(self.ends) if row < end)


@dataclass(frozen=True, slots=True)
class Cell:
    """The place of one image: its shard by number, its row within."""

    shard: int
    row: int


def read_shards(repository: Repository, folder: str) -> tuple[Shard, ...]:
    """Return the files of the test split in `folder`, in order, from their footers alone.

    Raises FetchError unless the series is whole and readable: rows are counted over all of it.
    """
    from sobench_metrics.data.fetch.errors import FetchError

    found = {name: part for name in repository.sizes if (part := _SHARD.fullmatch(name)) and part["folder"] == folder}
    counts = {int(part["count"] or 1) for part in found.values()}
    places = {name: int(part["number"] or 0) for name, part in found.items()}
    numbers = sorted(places.values())
    if counts != {len(numbers)} or numbers != list(range(len(numbers))):
        raise FetchError(
            f"{repository.where} at {repository.revision} does not hold one whole series {folder}test*.parquet, each "
            f"once (it holds {', '.join(sorted(found)) or 'none'}); another --revision may."
        )
    return tuple(_read_footer(repository, name) for name in sorted(places, key=places.__getitem__))


def _read_footer(repository: Repository, name: str) -> Shard:
    from sobench_metrics.data.fetch.parquet_rows import footer

    metadata = footer(repository.origin.open(name))
    ends, weights, end = [], [], 0
    for number in range(metadata.num_row_groups):
        group = metadata.row_group(number)
        columns = [group.column(place) for place in range(group.num_columns)]
        end += group.num_rows
        ends.append(end)
        images = (each for each in columns if each.path_in_schema.split(".")[0] == IMAGE)
        weights.append(sum(each.total_compressed_size for each in images))
    return Shard(name, tuple(ends), tuple(weights))


def recipe_of(features: Mapping[str, Any], kind: str, where: str) -> tuple[str, str]:
    """Return the pixel recipe of a parquet file's images, and by what it was decided, for the manifest.

    `datasets` decodes a column of its type Image and turns it upright by EXIF; a column of plain bytes it hands on,
    and upstream opens them with Pillow, which turns nothing. The `huggingface` metadata say which it is; without them,
    `datasets` itself goes by the column's arrow type, `kind` of `kind_of`: a struct with bytes is what its Image is
    stored as. Raises FetchError when neither says it.
    """
    from sobench_metrics.data.fetch.errors import FetchError

    feature = features.get(IMAGE)
    if feature is None and kind:
        return ("upright_rgb_jpeg" if kind == "struct" else "rgb_jpeg"), f"the arrow type of {IMAGE}: {kind}"
    told = feature if isinstance(feature, dict) else {}
    by = f"the huggingface metadata of {IMAGE}: {told.get('_type')}"
    if told.get("_type") == "Image":
        return "upright_rgb_jpeg", by
    if told.get("_type") == "Value" and told.get("dtype") in {"binary", "large_binary"}:
        return "rgb_jpeg", by
    raise FetchError(
        f"{where} should say whether its column {IMAGE} holds images or bytes, it says {feature!r}: choose another "
        "--revision."
    )


def weight(shards: Sequence[Shard], cells: Mapping[str, Cell]) -> int:
    """Return the bytes of the row groups' images that hold `cells`."""
    groups = {(cell.shard, shards[cell.shard].group(cell.row)) for cell in cells.values()}
    return sum(shards[shard].weights[group] for shard, group in groups)


def cell_units(repository: Repository, shards: Sequence[Shard], cells: Mapping[str, Cell]) -> tuple[Unit, ...]:
    """Return one unit for each row group that holds some of `cells` (original name -> place)."""
    groups: dict[tuple[int, int], dict[str, int]] = {}
    for name, cell in cells.items():
        groups.setdefault((cell.shard, shards[cell.shard].group(cell.row)), {})[name] = cell.row
    return tuple(_unit(repository, shards[shard].name, rows) for (shard, _), rows in sorted(groups.items()))


def _unit(repository: Repository, shard: str, rows: Mapping[str, int]) -> Unit:
    def fetch(missing: frozenset[str], deposit: Deposit) -> None:
        from sobench_metrics.data.fetch.parquet_rows import cells

        names: dict[int, list[str]] = {}
        for name in missing:
            names.setdefault(rows[name], []).append(name)
        for row, data in cells(repository.origin.open(shard), sorted(names), column=IMAGE):
            for name in names[row]:
                deposit(name, data)

    return Unit(tuple(rows), fetch)
