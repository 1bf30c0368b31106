"""Do scores on the hard set fall level by level, and dial by dial? For writers that we simulate, and saved answers.

    python -m benchmarks.hard_levels [--rows 100] [--seed 20260630] [--dials] [--answers FILE.jsonl ...]

A simulated writer begins with the right answer and slips at each value, object and list with a fixed chance: a text
loses or gains a sign, a number becomes a text or its neighbour, keys change places or one is lost, a list lacks its
last item. So its figures tell how much there is to go wrong, not how hard it is for a model. Another writer does what
the official rules ask and knows no others. `--dials` turns one dial at a time, all others as they stand. FILE.jsonl
holds answers of a real model, one `{"doc_id": ..., "text": ...}` a line; rows without an answer are left out and
counted.

`held` is finer than pass or fail: of the official checks that a whole answer has, the share that this one passed, less
one check for each strict finding; 0 where no data could be read.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from sobench_metrics import ifstruct
from sobench_metrics.data.oracle import ifstruct_answer
from sobench_metrics.ifstruct.generate.chance import random_for
from sobench_metrics.ifstruct.hard import DEFAULT_SEED, hard_set
from sobench_metrics.ifstruct.hard.answer import written
from sobench_metrics.ifstruct.hard.levels import LEVELS, Level
from sobench_metrics.ifstruct.hard.rows import row_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from random import Random

PER_MILLE: Final = (1, 5, 20)
_SCALE: Final = 1000
_FREE: Final = replace(LEVELS[2], conditions=0, links=(0, 0), ordered=0, texts=0)
_FLAT: Final = Level(1, (2, 2), plain=12, choices=0, keywords=0)

DIALS: Final = {
    "width: plain fields of each of 2 items": {
        str(number): replace(_FLAT, plain=number) for number in (2, 6, 10, 14, 18)
    },
    "length: number of items": {str(number): replace(_FLAT, items=(number, number)) for number in (1, 2, 4, 8, 16)},
    "depth: objects and lists below an item, one at each depth": {
        str(depth): replace(_FLAT, plain=2, nested=(1,) * depth, links=(0,) * depth) for depth in range(5)
    },
    "traps among 12 fields of each of 2 items": {
        "none": _FLAT,
        "4 choices": replace(_FLAT, plain=8, choices=4),
        "and 4 keywords": replace(_FLAT, plain=4, choices=4, keywords=4, window=5),
        "and 2 texts, 2 unique lists": replace(
            _FLAT, plain=0, choices=4, keywords=4, window=5, texts=2, lines=13, unique=2
        ),
    },
    "rules beside the fields of level 3": {
        "none": _FREE,
        "3 conditions": replace(_FREE, conditions=3),
        "and 4 links of the list": replace(_FREE, conditions=3, links=(4, 0)),
        "and 2 orders of keys": replace(_FREE, conditions=3, links=(4, 0), ordered=2),
        "and 3 texts": replace(_FREE, conditions=3, links=(4, 0), ordered=2, texts=3, lines=13, window=5),
    },
}
"""Dials of rows by step, all others alike; a slip at a plain text without a rule is no fault."""


@dataclass(slots=True)
class Tally:
    """Sums of `pass`, `pass_strict` and `held`, the answers, and in how many of them each code stands."""

    answers: int = 0
    sums: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
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


def held(verdict: ifstruct.Verdict) -> float:
    """Return the share of a whole answer's checks that this one holds, from 0 to 1."""
    total = verdict.details.get("schema_fields_total", 0)
    return max(0, verdict.details["schema_fields_passed"] - len(verdict.strict)) / total if total else 0.0


def tally(answers: Iterable[tuple[Mapping[str, Any], str]]) -> Tally:
    """Return the figures of (row, answer) pairs, `pass` and `pass_strict` as the tasks have them."""
    found = Tally()
    for row, text in answers:
        verdict = ifstruct.validate(text, ifstruct.Spec.from_row(row))
        found.answers += 1
        found.sums["pass"] += verdict.passed
        found.sums["pass_strict"] += verdict.passed and not verdict.strict
        found.sums["held"] += held(verdict)
        found.codes.update({finding.code for finding in (*verdict.errors, *verdict.strict)})
    return found


def tallies(answers: Iterable[tuple[Mapping[str, Any], str]]) -> dict[int, Tally]:
    """Return the figures of (row, answer) pairs by level."""
    by_level: dict[int, list[tuple[Mapping[str, Any], str]]] = defaultdict(list)
    for row, text in answers:
        by_level[row["level"]].append((row, text))
    return {level: tally(pairs) for level, pairs in sorted(by_level.items())}


def simulated(rows: Iterable[Mapping[str, Any]], per_mille: int) -> dict[int, Tally]:
    """Return the figures of a simulated writer by level."""
    return tallies(_slips(rows, per_mille))


def turned(dial: str, rows: int, seed: int, per_mille: int) -> dict[str, Tally]:
    """Return the figures of a simulated writer step by step of one of DIALS."""
    return {
        step: tally(_slips((row_of(level, number, seed) for number in range(rows)), per_mille))
        for step, level in DIALS[dial].items()
    }


def _slips(rows: Iterable[Mapping[str, Any]], per_mille: int) -> Iterator[tuple[Mapping[str, Any], str]]:
    for row in rows:
        yield row, slipped_answer(row, per_mille, random_for("slips", per_mille, row["doc_id"]))


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


def _table(title: str, found: Mapping[Any, Tally], what: str = "level") -> None:
    print(f"\n{title}\n| {what} | answers | pass | pass_strict | held |\n| --- | --- | --- | --- | --- |")
    for step, figures in found.items():
        values = " | ".join(f"{figures.percent(metric):.1f}" for metric in ("pass", "pass_strict", "held"))
        print(f"| {step} | {figures.answers} | {values} |", flush=True)


def main() -> None:
    """Print a table for each writer and file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=100, help="of each level (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=DEFAULT_SEED)
    parser.add_argument("--answers", nargs="*", type=Path, default=[], help="answers of real models")
    parser.add_argument("--dials", action="store_true", help="turn one dial at a time")
    options = parser.parse_args()
    if options.dials:
        for dial in DIALS:
            title = f"{dial}; slips at {PER_MILLE[-1]} of 1000 places"
            _table(title, turned(dial, options.rows, options.seed, PER_MILLE[-1]), "step")
        return
    made = hard_set(options.seed, options.rows)
    print(made.revision)
    if not options.answers:
        _table("the official rules alone", official_only(made.rows))
    for per_mille in PER_MILLE if not options.answers else ():
        _table(f"slips at {per_mille} of 1000 places", simulated(made.rows, per_mille))
    for file in options.answers:
        _of_model(file, made.rows)


def _of_model(file: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    said = {line["doc_id"]: line["text"] for line in map(json.loads, file.read_text(encoding="utf-8").split("\n")[:-1])}
    asked = [row for row in rows if row["doc_id"] in said]
    found = tallies((row, said[row["doc_id"]]) for row in asked)
    _table(f"{file.stem}: {len(asked)} rows answered", found)
    for level, figures in found.items():
        print(f"level {level}: {', '.join(f'{code} {count}' for code, count in figures.codes.most_common(6))}")


if __name__ == "__main__":
    main()
