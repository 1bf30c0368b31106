"""The prepared sets of a home folder: which there are, which one is meant, what its manifest says, its rows one by one.

A manifest is read as any file from elsewhere: what it lacks is empty, what has a wrong shape is told in one sentence.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sobench_metrics.data.plain_words import counted, one_line, reason
from sobench_metrics.data.prepared import prepared_root, sobench_home
from sobench_metrics.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

__all__ = [
    "LISTED",
    "SetManifest",
    "all_sets",
    "chosen_set",
    "data_files",
    "file_rows",
    "home_folder",
    "n_of_n",
    "read_manifest",
    "size_text",
]

LISTED = 5
"""So many names are printed of a longer list."""

_AGAIN = "run `sobench prepare` again"
_UNITS = ("bytes", "kB", "MB", "GB", "TB")


@dataclass(frozen=True, slots=True)
class SetManifest:
    """What the manifest of a prepared set says; empty where it says nothing (the bundled sample knows no sources)."""

    prep_id: str
    tool: str
    commit: str
    upstream: Mapping[str, Any]
    sources: Mapping[str, Mapping[str, Any]]
    encoder: Mapping[str, str]
    prompts_sha256: str
    expected_total: int
    expected: Mapping[str, Mapping[str, int]]
    counts: Mapping[str, Mapping[str, int]]
    partial: Mapping[str, Any] | None
    files: Mapping[str, Mapping[str, Any]]
    documents: Mapping[str, Mapping[str, str]]

    @property
    def total(self) -> int:
        """How many samples the set has."""
        return sum(self.counts.get("domain", {}).values())

    @property
    def revisions(self) -> dict[str, str]:
        """The revision of each source."""
        return {name: str(source.get("revision", "")) for name, source in self.sources.items()}

    @property
    def missing(self) -> dict[str, str]:
        """The reason for each sample that could not be had, by doc id."""
        found: dict[str, str] = {}
        for source in self.sources.values():
            found |= source.get("missing", {})
        return found


def home_folder() -> Path:
    """Return the folder of prepared data, which need not exist; raises UsageError when it is a file."""
    home = sobench_home()
    if home.exists() and not home.is_dir():
        raise UsageError(f"SOBENCH_HOME ({home}) is a file: set it to a folder.")
    return home


def all_sets(home: Path) -> list[Path]:
    """Return the folders of the prepared sets in `home`, or `home` itself when it is one."""
    if (home / "manifest.json").is_file():
        return [home]
    return sorted(path.parent for path in home.glob("prepared/[!.]*/manifest.json"))


def chosen_set(choice: str | None) -> Path:
    """Return the folder of a set named by its id, the beginning of it, or its folder; None is the current set.

    Sets are looked for in `SOBENCH_HOME`. Raises UsageError when there is no such set, or more than one.
    """
    from pathlib import Path

    home = home_folder()
    known = {root.name: root for root in all_sets(home)}
    names = ", ".join(known) or "none"
    if choice is None:
        if len(known) > 1 and not (home / "prepared" / "current").is_file():
            raise UsageError(f"{home} holds several sets ({names}) and none is the current one: say which by --set ID.")
        return prepared_root(home)
    folder = Path(choice).expanduser()
    if choice in known:
        return known[choice]
    if (folder / "manifest.json").is_file():
        return folder
    meant = [name for name in known if choice and name.startswith(choice)]
    if len(meant) == 1:
        return known[meant[0]]
    if meant:
        raise UsageError(f"--set {choice} is the beginning of {', '.join(meant)}: give more of it.")
    raise UsageError(f"{choice!a} is neither a prepared set of {home} ({names}) nor a folder with a manifest.json.")


def read_manifest(root: Path) -> SetManifest:
    """Return what the manifest of a set says; raises UsageError when it cannot be read or has a wrong shape."""
    file = root / "manifest.json"
    try:
        raw = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise UsageError(f"cannot read {file} ({reason(error)}): {_AGAIN}.") from error
    try:
        return _manifest(raw)
    except (AttributeError, TypeError, ValueError) as error:
        raise UsageError(f"{file} is damaged ({one_line(error)}): {_AGAIN}.") from error


def data_files(root: Path) -> list[Path]:
    """Return the data files that lie in a set, by domain and name: those that a harness would read."""
    return sorted(path for path in root.glob("data/*/test-*.parquet") if path.is_file())


def file_rows(
    file: Path, columns: tuple[str, ...], *, groups: Sequence[int] | None = None
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the rows of a data file with the number of their row group, one group in memory at a time.

    `groups` reads these only. Raises UsageError when the file is no parquet, is damaged, or lacks a column.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(file, pre_buffer=False) as parquet:
            lacking = [name for name in columns if name not in parquet.schema_arrow.names]
            if lacking:
                raise UsageError(f"{file} lacks the column {lacking[0]!r}: {_AGAIN}.")
            for group in range(parquet.num_row_groups) if groups is None else groups:
                table = parquet.read_row_group(group, columns=list(columns), use_threads=False)
                yield from ((group, row) for row in table.to_pylist())
    except (OSError, KeyError, IndexError, pa.ArrowException, UnicodeDecodeError) as error:
        # pyarrow's own errors have no number and speak of buffers, footers and codecs
        why = reason(error) if isinstance(error, OSError) and error.errno else "it is no parquet file, or a damaged one"
        raise UsageError(f"cannot read {file} ({why}): {_AGAIN}.") from error


def n_of_n(manifest: SetManifest) -> dict[str, tuple[int, int]]:
    """Return by domain how many samples there are, of how many in the whole benchmark."""
    have, expected = manifest.counts.get("domain", {}), manifest.expected.get("domain", {})
    return {name: (have.get(name, 0), expected.get(name, have.get(name, 0))) for name in sorted({*expected, *have})}


def size_text(size: int) -> str:
    """Return a number of bytes for people: `812 bytes`, `2.9 MB`."""
    amount, unit = float(size), 0
    while amount >= 999.5 and unit < len(_UNITS) - 1:
        amount, unit = amount / 1000, unit + 1
    return counted(size, "byte") if unit == 0 else f"{amount:.3g} {_UNITS[unit]}"


def _manifest(raw: Any) -> SetManifest:
    if not isinstance(raw, dict):
        raise TypeError("it holds no object")
    upstream = _mapping(raw, "upstream")
    sources = {name: _checked_source(name, source) for name, source in _mapping(raw, "sources").items()}
    partial = raw.get("partial")
    if partial is not None and not isinstance(partial, dict):
        raise TypeError("'partial' is neither null nor an object")
    return SetManifest(
        prep_id=_text(raw, "prep_id"),
        tool=_text(raw, "tool"),
        commit=_text(upstream, "commit"),
        upstream=upstream,
        sources=sources,
        encoder={name: str(value) for name, value in _mapping(raw, "encoder").items()},
        prompts_sha256=_text(raw, "prompts_sha256"),
        expected_total=_number(raw.get("expected_total", 0), "expected_total"),
        expected=_numbers(raw, "expected"),
        counts=_numbers(raw, "counts"),
        partial=partial,
        files=_mappings(raw, "files"),
        documents=_mappings(raw, "documents"),
    )


def _checked_source(name: str, source: Any) -> dict[str, Any]:
    if not isinstance(source, dict):
        raise TypeError(f"source {name!r} is no object")
    return {**source, "missing": {doc: str(why) for doc, why in _mapping(source, "missing").items()}}


def _text(raw: dict[str, Any], key: str) -> str:
    value = raw.get(key, "")
    if not isinstance(value, str):
        raise TypeError(f"{key!r} is no text")
    return value


def _mapping(raw: dict[str, Any], key: str) -> dict[str, Any]:
    value = raw.get(key, {})
    if not isinstance(value, dict):
        raise TypeError(f"{key!r} is no object")
    return value


def _mappings(raw: dict[str, Any], key: str) -> dict[str, dict[str, Any]]:
    found = _mapping(raw, key)
    for name, value in found.items():
        if not isinstance(value, dict):
            raise TypeError(f"{name!r} in {key!r} is no object")
    return found


def _numbers(raw: dict[str, Any], key: str) -> dict[str, dict[str, int]]:
    return {
        kind: {name: _number(value, f"{key}.{kind}.{name}") for name, value in numbers.items()}
        for kind, numbers in _mappings(raw, key).items()
    }


def _number(value: Any, place: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ValueError(f"{place} is no count")
    return value
