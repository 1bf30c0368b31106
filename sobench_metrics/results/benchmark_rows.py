"""The rows behind a log that names them only: the benchmark's on this disk, the bundled sample, or a file."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from sobench_metrics.data import ifstruct_rows, prepared
from sobench_metrics.data.hard_rows import load_hard_rows
from sobench_metrics.data.plain_words import one_line
from sobench_metrics.data.sample import sample_home, sample_pictures
from sobench_metrics.errors import UsageError
from sobench_metrics.results.row_columns import Benchmark, benchmark_of, check, row_of
from sobench_metrics.results.text_lines import numbered_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from sobench_metrics.results.records import RowSource

__all__ = ["Rows", "load"]

_DOMAINS: Final = "|".join(prepared.DOMAINS)
_TASK: Final = re.compile(  # lm-eval's `sobench_ui_sample`, and lighteval's `sobench_sample:ui`
    rf"ifstruct(?:_(?P<format>json|yaml|hard))?(?P<rows>_sample)?|sobench(?:(?P<set>_sample)?:(?P<part>{_DOMAINS})"
    rf"|(?:_(?P<domain>{_DOMAINS}))?(?P<sample>_sample)?)"
)
_NAMES: Final = ("doc_id", "id", "seed")  # ours, SO-Bench's and IFStruct's own
_PARQUET: Final = b"PAR1"
_PICTURE: Final = "image"  # the one column that no score needs, and by far the heaviest


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows of one benchmark by their names; `revision` names their content, `place` where they were read."""

    benchmark: Benchmark
    by_id: Mapping[str, Mapping[str, Any]]
    revision: str
    place: str


def load(source: RowSource) -> Rows:
    """Return the rows of a source; raises UsageError when they are not there, or are not those that were asked."""
    found = _of_file(source.file.expanduser()) if source.file else _of_task(source.task)
    asked = source.revision.partition("+")[0]
    if asked and source.file is None and asked != found.revision:
        raise UsageError(
            f"the run asked the data {one_line(asked)}, and {found.place} holds {found.revision}: name the rows that "
            "were asked with --rows, SOBENCH_HOME or SOBENCH_IFSTRUCT."
        )
    return found


def _of_task(task: str) -> Rows:
    named = _TASK.fullmatch(task)
    if named is None:
        raise UsageError(
            f"no task {one_line(task)}: name ifstruct, ifstruct_json, sobench, sobench_ui and so on, each with _sample "
            "for the bundled rows."
        )
    sample = named["rows"] or named["set"] or named["sample"]
    if named["format"] == "hard":
        made = load_hard_rows(sample=bool(sample))
        return _rows("ifstruct", made.rows, made.revision, f"the data of {task}")
    if task.startswith("ifstruct"):
        loaded = ifstruct_rows.load_rows(sample_home() / "ifstruct.jsonl" if sample else None)
        rows = [row for row in loaded.rows if named["format"] in (None, row["output_format"])]
        return _rows("ifstruct", rows, loaded.revision, f"the data of {task}")
    root = sample_pictures() if sample else prepared.prepared_root(prepared.sobench_home())
    return _of_prepared(root, (domain,) if (domain := named["domain"] or named["part"]) else prepared.DOMAINS)


def _of_prepared(root: Path, domains: Iterable[str]) -> Rows:
    sets = [prepared.load(root, domain) for domain in domains]
    return _rows("sobench", (doc for one in sets for doc in one.docs), sets[0].prep_id, str(root))


def _of_file(file: Path) -> Rows:
    if file.is_dir():
        root = prepared.prepared_root(file)
        return _of_prepared(root, [domain for domain in prepared.DOMAINS if (root / "data" / domain).is_dir()])
    if not file.is_file():
        raise UsageError(f"there is no {file}: name a JSONL or parquet file of rows, or a prepared folder, as --rows.")
    raw = _parquet(file) if _is_parquet(file) else _lines(file)
    found: list[tuple[Benchmark, dict[str, Any]]] = []
    for number, columns in raw:
        benchmark = benchmark_of(columns)
        if benchmark is None:
            raise UsageError(
                f"{file}, row {number} has neither the columns of IFStruct nor those of SO-Bench: name a file of rows."
            )
        if benchmark != (found or [(benchmark, {})])[0][0]:
            raise UsageError(f"{file}, row {number} is of {benchmark}, others are not: give each benchmark its own.")
        try:
            row = row_of(columns)
            check(row)
        except ValueError as error:
            raise UsageError(f"{file}, row {number} cannot be scored: {error}") from error
        found.append((benchmark, row if any(name in row for name in _NAMES) else {"doc_id": number - 1, **row}))
    if not found:
        raise UsageError(f"{file} holds no rows: name a JSONL or parquet file of rows as --rows.")
    return _rows(found[0][0], (row for _, row in found), "", str(file))


def _rows(benchmark: Benchmark, rows: Iterable[Mapping[str, Any]], revision: str, place: str) -> Rows:
    by_id: dict[str, Mapping[str, Any]] = {}
    for row in rows:
        name = str(next(row[key] for key in _NAMES if key in row))
        if name in by_id:
            raise UsageError(f"{place} holds two rows named {one_line(name)}: give every row a doc_id of its own.")
        by_id[name] = row
    return Rows(benchmark, by_id, revision, place)


def _is_parquet(file: Path) -> bool:
    with file.open("rb") as raw:
        return raw.read(len(_PARQUET)) == _PARQUET


def _parquet(file: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(file) as table:
            names = [name for name in table.schema_arrow.names if name != _PICTURE]
            rows = table.read(columns=names).to_pylist()
    except (OSError, pa.ArrowException) as error:
        raise UsageError(f"cannot read {file} ({one_line(error)}): name a whole parquet file as --rows.") from error
    yield from enumerate(rows, 1)


def _lines(file: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, line in numbered_lines(file, remedy="name a JSONL or parquet file of rows as --rows"):
        try:
            columns = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise UsageError(f"{file}, line {number} is no JSON: need one row a line.") from error
        if not isinstance(columns, dict):
            raise UsageError(f"{file}, line {number} is no object: need one row a line.")
        yield number, columns
