"""A short, real GRPO run on IFStruct's own verdict: generated rows, TRL, a processor, some twenty minutes.

    pip install 'sobench[grpo]'
    python -m benchmarks.grpo --out out/grpo
    python -m benchmarks.grpo --out out/grpo --model MODEL --learning-rate 1e-6 --completion-tokens 512

Without --model a pupil of 0.6 million weights is taught first to read a list of fields and to write JSON, with bad
manners. Trained on is `ifstruct_shaped_reward`; `ifstruct_reward` is logged beside it. What is measured are rows of
entity types that stand in no lesson and in no step. Writes `curve.csv`, `curve.png` and the model into the folder.
"""

from __future__ import annotations

import argparse
import os
from dataclasses import fields
from pathlib import Path

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # before torch: spinning threads starve shared cores

from benchmarks.grpo.curve import draw, rise, write
from benchmarks.grpo.training import Settings, train


def main() -> None:
    """Run as the command line says."""
    defaults = {field.name: field.default for field in fields(Settings)}
    parser = argparse.ArgumentParser(
        "python -m benchmarks.grpo", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--model", help="a folder or a name on the hub; without it a pupil is taught")
    for name in ("steps", "completion_tokens", "held_out", "ask_every", "seed"):
        parser.add_argument(f"--{name.replace('_', '-')}", type=int, default=defaults[name])
    parser.add_argument("--learning-rate", type=float, default=defaults["learning_rate"])
    parser.add_argument("--lessons", type=int, nargs="+", default=defaults["lessons"], help="of each round")
    options = vars(parser.parse_args())
    settings = Settings(**{**options, "lessons": tuple(options["lessons"])})
    settings.out.mkdir(parents=True, exist_ok=True)
    curve = train(settings)
    write(curve, settings.out / "curve.csv")
    draw(curve, settings.out / "curve.png")
    for name, (value, (low, high)) in rise(curve).items():
        print(f"held out, after minus before: {name} {value:+.3f} [{low:+.3f}, {high:+.3f}]")


if __name__ == "__main__":
    main()
