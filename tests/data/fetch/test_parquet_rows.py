"""Cells of a parquet file that stays on its server: the footer, one column, the row groups that are needed."""

import io
import json
import random

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sobench_metrics.data.fetch.errors import FetchError, Refused
from sobench_metrics.data.fetch.http import Changed
from sobench_metrics.data.fetch.open_file import LocalFile
from sobench_metrics.data.fetch.parquet_rows import cells, column_of, features, footer
from tests.engines.hostile_server import Fault

ROWS, GROUP = 400, 40


def picture(row):
    return random.Random(row).randbytes(10_000)


def table(kind):
    pictures = [picture(row) for row in range(ROWS)]
    if kind == "struct":
        image = pa.array(
            [{"bytes": data, "path": f"{row}.png"} for row, data in enumerate(pictures)],
            pa.struct([("bytes", pa.binary()), ("path", pa.string())]),
        )
    else:
        image = pa.array(pictures, pa.large_binary() if kind == "large" else pa.binary())
    rest = {"questionId": [str(9000 + row) for row in range(ROWS)], "text": ["words " * 200] * ROWS}
    return pa.table({"image": image, **rest})


def written(data, **metadata):
    buffer = io.BytesIO()
    if metadata:
        data = data.replace_schema_metadata({name: json.dumps(value) for name, value in metadata.items()})
    pq.write_table(data, buffer, row_group_size=GROUP, compression="snappy", use_dictionary=False)
    return buffer.getvalue()


@pytest.fixture(scope="module", params=["struct", "binary", "large"])
def file_bytes(request):
    return written(table(request.param))


def test_the_column_of_ids_moves_a_few_percent(server, http, file_bytes):
    file = http.open(server.put("/t.parquet", file_bytes), block=4096)
    assert column_of(file, "questionId") == [str(9000 + row) for row in range(ROWS)]
    assert server.moved["/t.parquet"] < 0.04 * len(file_bytes)


def test_only_the_row_groups_of_the_wanted_rows_are_moved(server, http, file_bytes):
    file = http.open(server.put("/t.parquet", file_bytes), block=4096)
    footer(file)
    server.forget()
    got = list(cells(file, [399, 5, 3, 5]))
    assert got == [(3, picture(3)), (5, picture(5)), (399, picture(399))]
    group = GROUP * 10_000
    assert 2 * group <= server.moved["/t.parquet"] < 2.3 * group


def test_the_footer_is_read_once_for_all_openings_of_a_version(server, http, file_bytes):
    url = server.put("/t.parquet", file_bytes)
    footer(http.open(url, size=len(file_bytes), tag="hash-1"))
    server.forget()
    assert footer(http.open(url, size=len(file_bytes), tag="hash-1")).num_rows == ROWS
    assert server.asked == []


def test_the_features_of_datasets_are_read(tmp_path):
    (tmp_path / "with").write_bytes(
        written(table("struct"), huggingface={"info": {"features": {"image": {"_type": "Image"}}}})
    )
    (tmp_path / "without").write_bytes(written(table("struct")))
    (tmp_path / "odd").write_bytes(written(table("struct"), huggingface=[1]))
    assert features(LocalFile(tmp_path / "with")) == {"image": {"_type": "Image"}}
    assert features(LocalFile(tmp_path / "without")) == {}
    assert features(LocalFile(tmp_path / "odd")) == {}


@pytest.fixture
def local(tmp_path):
    (tmp_path / "t.parquet").write_bytes(written(table("struct")))
    return LocalFile(tmp_path / "t.parquet")


@pytest.mark.parametrize("rows", [[400], [-1], [0, 400]])
def test_a_row_that_is_not_there_is_told(local, rows):
    with pytest.raises(FetchError, match="has 400 rows, there is no row"):
        list(cells(local, rows))
    assert list(cells(local, [])) == []


def test_a_column_that_is_not_there_or_holds_no_bytes_is_told(local):
    with pytest.raises(FetchError, match="has no column picture"):
        column_of(local, "picture")
    for column in ("picture", "questionId"):
        with pytest.raises(FetchError, match=f"has no column {column} of bytes"):
            list(cells(local, [0], column=column))


def test_an_empty_cell_is_told_by_its_row(tmp_path):
    pq.write_table(pa.table({"image": pa.array([b"1", None], pa.binary())}), tmp_path / "t")
    with pytest.raises(FetchError, match=r"row 1 of .* has no bytes"):
        list(cells(LocalFile(tmp_path / "t"), [0, 1]))


def test_a_chunk_too_large_to_be_true_is_refused(local, monkeypatch):
    from sobench_metrics.data.fetch import parquet_rows

    monkeypatch.setattr(parquet_rows, "_LARGEST_CHUNK", 100_000)
    with pytest.raises(Refused, match="has a chunk of"):
        list(cells(local, [0]))


@pytest.fixture
def pool():
    """What the library allocates from now on, and its peak."""
    before = pa.default_memory_pool()
    own = pa.proxy_memory_pool(before)
    pa.set_memory_pool(own)
    yield own
    pa.set_memory_pool(before)


def test_one_large_value_for_many_rows_is_not_inflated_for_all_of_them(tmp_path, pool):
    """16 MB are promised and 50 rows have them, in a file of some kilobytes."""
    size = 16 << 20
    rows = pa.DictionaryArray.from_arrays(pa.array([0] * 50, pa.int32()), pa.array([bytes(size)], pa.binary()))
    options = {"compression": "zstd", "dictionary_pagesize_limit": 1 << 30, "store_schema": False}
    pq.write_table(pa.table({"image": rows}), tmp_path / "t", **options)
    assert (tmp_path / "t").stat().st_size < 20_000
    made = pool.max_memory()
    assert [(row, len(data)) for row, data in cells(LocalFile(tmp_path / "t"), [0, 49])] == [(0, size), (49, size)]
    with pytest.raises(Refused, match=r"the column image of .* has over 268435456 bytes"):
        column_of(LocalFile(tmp_path / "t"), "image")
    assert pool.max_memory() < max(made, 6 * size)


def test_ids_in_a_dictionary_are_read(tmp_path):
    ids = pa.array(["7", "8", "7"] * 50).dictionary_encode()
    pq.write_table(pa.table({"questionId": ids}), tmp_path / "t")
    assert column_of(LocalFile(tmp_path / "t"), "questionId") == ["7", "8", "7"] * 50


@pytest.mark.parametrize(
    ("bound", "value", "told"),
    [
        ("_MOST_ROWS", 399, "has 400 rows: it is not used"),
        ("_LARGEST_FOOTER", 1_000, r"has a footer of \d+ bytes"),
        ("_LARGEST_CELL", 9_999, r"row 0 of .* has 100\d\d bytes in its column image"),
    ],
)
def test_what_is_too_much_to_be_true_is_refused(local, monkeypatch, bound, value, told):
    from sobench_metrics.data.fetch import parquet_rows

    monkeypatch.setattr(parquet_rows, bound, value)
    with pytest.raises(Refused, match=told):
        list(cells(local, [0]))


def test_a_column_of_ids_has_a_bound(local, monkeypatch):
    from sobench_metrics.data.fetch import parquet_rows

    monkeypatch.setattr(parquet_rows, "_LARGEST_COLUMN", 3_000)
    with pytest.raises(Refused, match=r"the column questionId of .* has over 3000 bytes"):
        column_of(local, "questionId")


@pytest.mark.parametrize("data", [b"", b"PAR1", b"<html>no</html>" * 99, b"PAR1" + bytes(500) + b"\xff\xff\0\0PAR1"])
def test_what_is_no_parquet_is_told(tmp_path, data):
    (tmp_path / "t").write_bytes(data)
    with pytest.raises(FetchError, match="is no readable parquet file"):
        column_of(LocalFile(tmp_path / "t"), "questionId")


def test_a_damaged_page_is_told_when_the_file_has_checksums(tmp_path):
    pq.write_table(table("binary"), tmp_path / "t", write_page_checksum=True, compression="none", use_dictionary=False)
    data = bytearray((tmp_path / "t").read_bytes())
    data[data.index(picture(7)) + 5_000] ^= 1
    (tmp_path / "t").write_bytes(data)
    with pytest.raises(FetchError, match="is no readable parquet file"):
        list(cells(LocalFile(tmp_path / "t"), [7]))


def test_faults_of_the_network_come_through_the_reader_as_they_are(server, http, file_bytes):
    url = server.put("/t.parquet", file_bytes)
    file = http.open(url, block=4096)
    server.then("/t.parquet", Fault(cut=10), Fault(status=503))
    assert next(cells(file, [100])) == (100, picture(100))

    server.put("/t.parquet", file_bytes[::-1])
    with pytest.raises(Changed):
        list(cells(file, [300]))
    server.put("/t.parquet", file_bytes)
    server.always("/t.parquet", Fault(status=404))
    with pytest.raises(FetchError, match="404"):
        list(cells(http.open(url, size=len(file_bytes), tag="t"), [300]))
