"""Columns and single cells of a parquet file that stays where it is: its footer, then only the chunks needed.

A dictionary lets one value of megabytes stand for millions of rows, so values are decoded one by one: no more than
one page and one value are held inflated, whatever the file promises.
"""

from __future__ import annotations

import json
import threading
from bisect import bisect_right
from contextlib import contextmanager
from itertools import accumulate, groupby
from typing import TYPE_CHECKING, Any

from sobench_metrics.data.fetch.errors import FetchError, Refused

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sobench_metrics.data.fetch.open_file import OpenFile

__all__ = ["cells", "column_of", "features", "footer", "kind_of"]

_LARGEST_CHUNK = 2 << 30
_LARGEST_FOOTER = 64 << 20
_LARGEST_COLUMN = 256 << 20  # of a column of ids, in memory
_LARGEST_CELL = 256 << 20
_MOST_ROWS = 1_000_000  # of one file; those of the sources have some thousands
_END = 1 << 16  # what the library reads first
_FOOTERS: dict[tuple[str, str, int], Any] = {}
_LOCK = threading.Lock()


def footer(file: OpenFile) -> Any:
    """Return the file's metadata (pyarrow's FileMetaData), read once a process for each version.

    Raises FetchError for what is no parquet file, Refused for one whose footer or rows are too many to be true.
    """
    import pyarrow.parquet as pq

    key = (file.name, file.tag, file.size)
    with _LOCK:
        found = _FOOTERS.get(key) if file.tag else None
    if found is None:
        with _told(file):
            _check_footer(file)
            found = pq.read_metadata(file)
        if found.num_rows > _MOST_ROWS:
            raise Refused(f"{file.name} has {found.num_rows} rows: it is not used.")
        if file.tag:
            with _LOCK:
                _FOOTERS[key] = found
    return found


def features(file: OpenFile) -> dict[str, Any]:
    """Return the features that the `datasets` library wrote into the file, {} when it did not."""
    metadata = footer(file).metadata or {}
    try:
        found = json.loads(metadata[b"huggingface"])["info"]["features"]
    except (KeyError, ValueError, TypeError):
        return {}
    return found if isinstance(found, dict) else {}


def kind_of(file: OpenFile, column: str) -> str:
    """Return "struct" for a column of structs with `bytes`, "binary" for one of plain bytes, "" for any other or none.

    Raises FetchError.
    """
    import pyarrow.types as kinds

    with _told(file):
        schema = footer(file).schema.to_arrow_schema()
    place = schema.get_field_index(column)
    kind = schema.field(place).type if place >= 0 else None
    if kind is None:
        return ""
    if kinds.is_struct(kind) and kind.get_field_index("bytes") >= 0:
        return "struct"
    return "binary" if kinds.is_binary(kind) or kinds.is_large_binary(kind) else ""


def column_of(file: OpenFile, column: str) -> list[Any]:
    """Return all values of a column, by row. Raises FetchError, and Refused for more than ids can be."""
    import pyarrow.types as kinds

    metadata = footer(file)
    with _told(file), _opened(file) as table:
        if column not in table.schema_arrow.names:
            raise FetchError(f"{file.name} has no column {column}.")
        for group in range(metadata.num_row_groups):
            _check_size(metadata.row_group(group), column, file.name, _LARGEST_COLUMN)
        values: list[Any] = []
        size = 0
        for value in _one_by_one(table, range(metadata.num_row_groups), column):
            array = value.column(column)
            array = array.dictionary_decode() if kinds.is_dictionary(array.type) else array
            size += array.nbytes
            if size > _LARGEST_COLUMN:
                raise Refused(f"the column {column} of {file.name} has over {_LARGEST_COLUMN} bytes: it is not used.")
            values.append(array[0].as_py())
        return values


def cells(file: OpenFile, row_numbers: Sequence[int], column: str = "image") -> Iterator[tuple[int, bytes]]:
    """Yield row number and bytes for each wanted row, in the order of the file.

    The column is one of bytes, or a struct with `bytes`. Raises FetchError for a row or column that is not there and
    a cell without bytes, Refused for a chunk or a cell too large to be true.
    """
    metadata = footer(file)
    ends = list(accumulate(metadata.row_group(number).num_rows for number in range(metadata.num_row_groups)))
    rows = sorted(set(row_numbers))
    if rows and not 0 <= rows[0] <= rows[-1] < metadata.num_rows:
        raise FetchError(f"{file.name} has {metadata.num_rows} rows, there is no row {rows[-1]}.")
    leaf = {"struct": f"{column}.bytes", "binary": column}.get(kind_of(file, column))
    if leaf is None:
        raise FetchError(f"{file.name} has no column {column} of bytes.")
    with _told(file), _opened(file) as table:
        for group, members in groupby(rows, key=lambda row: bisect_right(ends, row)):
            _check_size(metadata.row_group(group), leaf, file.name, _LARGEST_CHUNK)
            values = enumerate(_one_by_one(table, [group], leaf), start=ends[group - 1] if group else 0)
            for row in members:
                value = next((value for place, value in values if place == row), None)
                yield row, _bytes_of(value, column, f"row {row} of {file.name}")


def _one_by_one(table: Any, groups: Sequence[int], leaf: str) -> Iterator[Any]:
    """Yield each value of some row groups as a batch of one row."""
    for batch in table.iter_batches(batch_size=1, row_groups=groups, columns=[leaf], use_threads=False):
        yield from (batch.slice(place, 1) for place in range(batch.num_rows))


def _bytes_of(value: Any, column: str, what: str) -> bytes:
    if value is not None and value.nbytes > _LARGEST_CELL:
        raise Refused(f"{what} has {value.nbytes} bytes in its column {column}: they are not used.")
    cell = None if value is None else value.column(column)[0].as_py()
    data = cell.get("bytes") if isinstance(cell, dict) else cell
    if not isinstance(data, bytes):
        raise FetchError(f"{what} has no bytes in its column {column}.")
    return data


def _check_footer(file: OpenFile) -> None:
    end = file.read_at(max(0, file.size - _END), _END)
    if end.endswith(b"PAR1") and (size := int.from_bytes(end[-8:-4], "little")) > _LARGEST_FOOTER:
        raise Refused(f"{file.name} has a footer of {size} bytes: it is not used.")


def _check_size(group: Any, leaf: str, name: str, most: int) -> None:
    for place in range(group.num_columns):
        chunk = group.column(place)
        size = max(chunk.total_uncompressed_size, chunk.total_compressed_size)
        if chunk.path_in_schema == leaf and size > most:
            raise Refused(f"{name} has a chunk of {size} bytes: it is not used.")


@contextmanager
def _opened(file: OpenFile) -> Iterator[Any]:
    import pyarrow.parquet as pq

    with pq.ParquetFile(file, metadata=footer(file), page_checksum_verification=True) as table:
        yield table


@contextmanager
def _told(file: OpenFile) -> Iterator[None]:
    import pyarrow as pa

    try:
        yield
    except (pa.ArrowException, OSError) as error:
        reason = (str(error).splitlines() or [""])[0][:200]
        raise FetchError(f"{file.name} is no readable parquet file ({reason}): repeat the command.") from error
