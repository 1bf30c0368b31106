"""The dataset card of a folder of generated rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sobench_metrics.data.whole_file import whole_file

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

__all__ = ["write_card"]

_TEXT = """\
# Generated IFStruct rows

Made by `sobench generate ifstruct`; no row of the public test set is among them. Each row asks for items in JSON or
YAML under a schema and rules of form, in the columns of the public data set, so that every scorer of that set scores
these. `NAME.notes.jsonl` says of each row how its prompt was made; `manifest.json` holds seed, versions, counts and
hashes. Same seed and version, same rows: the JSONL files are equal byte by byte, parquet with equal pyarrow.

{splits}

What is proven of every row: an answer exists that the official scorer passes; raw schemas, annotated examples, path
lists and tables parse back to the very schema; in prose the last word on every field is the right one, and so it is on
every rule of form in all styles.

What to know before training on it:
- `train` and `eval` share no entity type, and neither shares one with the public test set. A score on held-out rows of
  the same entity types would measure recall of field names.
- Structure alone can be learnt by rote: a model can pass by writing placeholders into a right skeleton. Watch the
  values too, and reward them if you train with these rows.
- The proportions are those of the test set as far as they are public, else our estimates; `manifest.json` has both.
- The scorer refuses YAML mappings in braces and extra fields in every row, also where a prompt does not mention it.
"""


def write_card(folder: Path, splits: Mapping[str, Any]) -> None:
    """Write the card whole; `datasets.load_dataset(FOLDER)` finds the splits by its head."""
    head = ["---", "license: apache-2.0", "language:", "- en", "tags:", "- structured-output", "- synthetic",
            "configs:", "- config_name: default", "  data_files:"]  # fmt: skip
    for name, split in sorted(splits.items()):
        names = list(split["sha256"])
        best = f"{name}.parquet" if f"{name}.parquet" in names else f"{name}.jsonl"
        head += [f"  - split: {'test' if name == 'eval' else name}", f"    path: {best}"]
    lines = [
        f"- `{name}`: {split['rows']:,} rows, {len(split['entity_types'])} entity types, seed {split['seed']}, "
        f"generator {split['generator_version']}"
        for name, split in sorted(splits.items())
    ]
    with whole_file(folder / "README.md") as file:
        file.write("\n".join([*head, "---", "", _TEXT.format(splits="\n".join(lines))]))
