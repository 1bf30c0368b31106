"""`sobench export-hashes`: the hashes of a set, to be compared elsewhere with `sobench verify --reference`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from sobench_metrics.cli.command import Command
from sobench_metrics.cli.verify import set_argument
from sobench_metrics.data.hashes import hashes_of
from sobench_metrics.data.plain_words import counted
from sobench_metrics.data.prepared_sets import chosen_set, read_manifest
from sobench_metrics.data.whole_file import whole_file

if TYPE_CHECKING:
    import argparse

__all__ = ["EXPORT_HASHES"]


def _run(args: argparse.Namespace) -> int:
    hashes = hashes_of(read_manifest(chosen_set(args.chosen)))
    text = json.dumps(hashes.as_json(), indent=2) + "\n"
    if args.out is None:
        print(text, end="")
        return 0
    with whole_file(Path(args.out)) as file:
        file.write(text)
    print(f"hashes of {counted(len(hashes.documents), 'sample')} of the set {hashes.prep_id} written to {args.out}")
    return 0


def _arguments(parser: argparse.ArgumentParser) -> None:
    set_argument(parser)
    parser.add_argument("--out", metavar="FILE", help="default: standard output")


EXPORT_HASHES = Command("write the hashes of prompts, texts and pictures, and none of themselves", _run, _arguments)
