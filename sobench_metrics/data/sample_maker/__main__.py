"""Command line of the sample maker."""

import argparse
from pathlib import Path

from sobench_metrics.data.sample_maker.write import write_sample_set


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m sobench_metrics.data.sample_maker", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="folder to write the set into")
    parser.add_argument("--seed", type=int, default=0, help="another seed gives other documents (default: 0)")
    parser.add_argument("--per-kind", type=int, default=2, help="documents of each of the 28 kinds (default: 2)")
    options = parser.parse_args()
    manifest = write_sample_set(options.out, options.seed, options.per_kind)
    size = sum(entry["bytes"] for entry in manifest["files"].values())
    print(
        f"{manifest['expected_total']} documents, {manifest['ifstruct']['expected_total']} IFStruct-like rows,", end=" "
    )
    print(f"{size / 1e6:.2f} MB in {options.out} ({manifest['prep_id']}, seed {manifest['seed']})")


if __name__ == "__main__":
    main()
