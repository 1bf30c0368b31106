"""Do scores on the hard set fall level by level? For careless writers that we simulate, and for saved answers.

    python -m benchmarks.hard_levels [--rows 100] [--seed 20260630] [--answers FILE.jsonl ...]

A simulated writer begins with the right answer and slips at each value, object and list with a fixed chance: a text
loses or gains a sign, a number becomes a text or its neighbour, keys change places or one is lost, a list lacks its
last item. So its figures tell how much there is to go wrong, not how hard it is for a model. Another writer does what
the official rules ask and knows no others. FILE.jsonl holds answers of a real model, one `{"doc_id": ..., "text": ...}`
a line; rows without an answer are left out and counted.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from sobench_metrics.data.oracle import ifstruct_answer
from sobench_metrics.ifstruct.generate.chance import random_for
from sobench_metrics.ifstruct.hard import DEFAULT_SEED, hard_set
from sobench_metrics.ifstruct.hard.answer import written
from sobench_metrics.ifstruct.hard.figures import hard_figures

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from random import Random

PER_MILLE: Final = (1, 3, 10, 30)
_SCALE: Final = 1000


@dataclass(slots=True)
class Tally:
    """Figures of one level: sums of `pass` and `pass_strict`, answers, and in how many of them each code stands."""

    answers: int = 0
    sums: Counter[str] = field(default_factory=Counter)
    codes: Counter[str] = field(default_factory=Counter)

    def percent(self, metric: str) -> float:
        """Return the mean of a metric in percent."""
        return 100 * self.sums[metric] / self.answers


def slipped_answer(row: Mapping[str, Any], per_mille: int, rng: Random) -> str:
    """Return the answer of a writer who slips with this chance at each place."""
    import yaml

    fence = f"```{row['output_format']}\n"
    text = row["oracle_answer"].removeprefix(fence).removesuffix("\n```")
    data = _slipped(json.loads(text) if row["output_format"] == "json" else yaml.safe_load(text), per_mille, rng)
    body = written(data, row["output_format"])
    return f"{fence}{body}\n```" if row["require_code_block"] else body


def _slipped(value: Any, per_mille: int, rng: Random) -> Any:
    slips = rng.randrange(_SCALE) < per_mille
    if isinstance(value, dict):
        items = [(name, _slipped(below, per_mille, rng)) for name, below in value.items()]
        if slips:
            place = rng.randrange(len(items))
            items = items[:place] + items[place + 1 :] if rng.randrange(2) else [*items[1:], items[0]]
        return dict(items)
    if isinstance(value, list):
        items_kept = value[:-1] if slips else value
        return [_slipped(below, per_mille, rng) for below in items_kept]
    if not slips:
        return value
    if isinstance(value, str):
        return rng.choice((value[:-1], f"{value} ", value.replace("\n", " "), value.lower()))
    return rng.choice((str(value), not value if isinstance(value, bool) else value + 1))


def tallies(answers: Iterable[tuple[Mapping[str, Any], str]]) -> dict[int, Tally]:
    """Return the figures of (row, answer) pairs by level."""
    found: dict[int, Tally] = defaultdict(Tally)
    for row, text in answers:
        figures = hard_figures(row, text)
        tally = found[row["level"]]
        tally.answers += 1
        tally.sums.update(figures.values)
        tally.codes.update({*figures.diagnostics["codes"], *figures.diagnostics["strict"]})
    return dict(sorted(found.items()))


def simulated(rows: Iterable[Mapping[str, Any]], per_mille: int) -> dict[int, Tally]:
    """Return the figures of a simulated writer."""
    return tallies((row, slipped_answer(row, per_mille, random_for("slips", per_mille, row["doc_id"]))) for row in rows)


def official_only(rows: Iterable[Mapping[str, Any]]) -> dict[int, Tally]:
    """Return the figures of a writer who fills the schema as the official walk reads it, and its rules of form."""
    return tallies((row, ifstruct_answer({**row, "oracle_answer": None, "json_schema": _walked(row)})) for row in rows)


def _walked(row: Mapping[str, Any]) -> Any:
    pending = [schema := json.loads(row["json_schema"])]
    while pending:
        node = pending.pop()
        for keyword in ("pattern", "format", "minLength", "maxLength", "multipleOf", "uniqueItems", "allOf"):
            node.pop(keyword, None)
        pending += [*node.get("properties", {}).values(), *([node["items"]] if "items" in node else [])]
    return schema


def _table(title: str, found: Mapping[int, Tally]) -> None:
    print(f"\n{title}\n| level | answers | pass | pass_strict |\n| --- | --- | --- | --- |")
    for level, tally in found.items():
        print(f"| {level} | {tally.answers} | {tally.percent('pass'):.1f} | {tally.percent('pass_strict'):.1f} |")


def main() -> None:
    """Print a table for each writer and file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=100, help="of each level (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=DEFAULT_SEED)
    parser.add_argument("--answers", nargs="*", type=Path, default=[], help="answers of real models")
    options = parser.parse_args()
    made = hard_set(options.seed, options.rows)
    print(made.revision)
    if not options.answers:
        _table("the official rules alone", official_only(made.rows))
    for per_mille in PER_MILLE if not options.answers else ():
        _table(f"slips at {per_mille} of 1000 places", simulated(made.rows, per_mille))
    for file in options.answers:
        said = {line["doc_id"]: line["text"] for line in map(json.loads, file.read_text(encoding="utf-8").splitlines())}
        found = tallies((row, said[row["doc_id"]]) for row in made.rows if row["doc_id"] in said)
        _table(f"{file.stem}, {len(made.rows) - len(said)} of {len(made.rows)} rows without an answer", found)
        for level, tally in found.items():
            print(f"level {level}: {', '.join(f'{code} {count}' for code, count in tally.codes.most_common(6))}")


if __name__ == "__main__":
    main()
