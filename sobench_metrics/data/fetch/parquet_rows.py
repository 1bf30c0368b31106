"""Columns and single cells of a parquet file that stays where it is: its footer, then only the chunks needed."""

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

__all__ = ["cells", "column_of", "features", "footer"]

_LARGEST_CHUNK = 2 << 30
_FOOTERS: dict[tuple[str, str, int], Any] = {}
_LOCK = threading.Lock()


def footer(file: OpenFile) -> Any:
    """Return the file's metadata (pyarrow's FileMetaData), read once a process for each version. Raises FetchError."""
    import pyarrow.parquet as pq

    key = (file.name, file.tag, file.size)
    with _LOCK:
        found = _FOOTERS.get(key) if file.tag else None
    if found is None:
        with _told(file):
            found = pq.read_metadata(file)
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


def column_of(file: OpenFile, column: str) -> list[Any]:
    """Return all values of a column, by row. Raises FetchError."""
    with _told(file), _opened(file) as table:
        if column not in table.schema_arrow.names:
            raise FetchError(f"{file.name} has no column {column}.")
        values: list[Any] = table.read(columns=[column], use_threads=False).column(column).to_pylist()
        return values


def cells(file: OpenFile, row_numbers: Sequence[int], column: str = "image") -> Iterator[tuple[int, bytes]]:
    """Yield row number and bytes for each wanted row, in the order of the file.

    The column is one of bytes, or a struct with `bytes`. Raises FetchError for a row or column that is not there and
    a cell without bytes, Refused for a chunk too large to be true.
    """
    metadata = footer(file)
    ends = list(accumulate(metadata.row_group(number).num_rows for number in range(metadata.num_row_groups)))
    rows = sorted(set(row_numbers))
    if rows and not 0 <= rows[0] <= rows[-1] < metadata.num_rows:
        raise FetchError(f"{file.name} has {metadata.num_rows} rows, there is no row {rows[-1]}.")
    with _told(file), _opened(file) as table:
        leaf = _leaf(table, column, file.name)
        for group, members in groupby(rows, key=lambda row: bisect_right(ends, row)):
            _check_size(metadata.row_group(group), leaf, file.name)
            chunk = table.read_row_group(group, columns=[leaf], use_threads=False).column(column)
            for row in members:
                cell = chunk[row - (ends[group - 1] if group else 0)].as_py()
                data = cell.get("bytes") if isinstance(cell, dict) else cell
                if not isinstance(data, bytes):
                    raise FetchError(f"row {row} of {file.name} has no bytes in its column {column}.")
                yield row, data


def _leaf(table: Any, column: str, name: str) -> str:
    import pyarrow.types as kinds

    if column in table.schema_arrow.names:
        kind = table.schema_arrow.field(column).type
        if kinds.is_struct(kind) and kind.get_field_index("bytes") >= 0:
            return f"{column}.bytes"
        if kinds.is_binary(kind) or kinds.is_large_binary(kind):
            return column
    raise FetchError(f"{name} has no column {column} of bytes.")


def _check_size(group: Any, leaf: str, name: str) -> None:
    for place in range(group.num_columns):
        chunk = group.column(place)
        if chunk.path_in_schema == leaf and chunk.total_uncompressed_size > _LARGEST_CHUNK:
            raise Refused(f"{name} has a chunk of {chunk.total_uncompressed_size} bytes: it is not used.")


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
