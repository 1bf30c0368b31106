"""How many schemas from public catalogues each grammar engine takes: as they are, after conversion, or not at all.

    pip install xgrammar llguidance outlines_core cfn-lint kubernetes-validate check-jsonschema
    python benchmarks/schema_support.py [--each 120] [--seed 5] [--seconds 10] [--out report.json]

Reads the schemas that these packages bring, a seeded sample of each. Our tables' word stands beside the engine's own
(it compiles every schema, in a child process with a time limit); where the two differ, the schema is listed.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import random
import re
import sys
import sysconfig
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.grammar_engines import ENGINES, compiler, installed
from sobench_metrics.constrained import check, convert, is_supported, shape_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

CATALOGUES: Final = {
    "cloudformation": "cfnlint/data/schemas/resources/**/*.json",
    "kubernetes": "kubernetes_validate/kubernetes-json-schema/v*-local-strict/*.json",
    "schemastore": "check_jsonschema/builtin_schemas/**/*.json",
}
_UNSUPPORTED: Final = ("constrained.unsupported", "constrained.limit")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What our table and an engine say of one schema, before and after conversion."""

    name: str
    engine: str
    says: tuple[bool, bool]
    does: tuple[str, str]
    reasons: tuple[str, ...]
    ignored: tuple[str, ...]
    changes: tuple[str, ...]

    @property
    def kind(self) -> str:
        """Return how the schema fares by our table."""
        return "as it is" if self.says[0] else "converted" if self.says[1] else "unsupported"


def sampled(folder: Path, each: int, seed: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield (name, schema) of up to `each` schemas a catalogue, the same ones for the same seed."""
    for catalogue, pattern in CATALOGUES.items():
        files = sorted(folder.glob(pattern))
        random.Random(seed).shuffle(files)  # noqa: S311  # a sample, no secret
        taken = 0
        for file in files:
            try:
                schema = _whole(json.loads(file.read_text(encoding="utf-8")), file.parent)
            except ValueError:
                continue
            if taken < each and isinstance(schema, dict) and _is_schema(schema):
                taken += 1
                yield f"{catalogue}/{file.stem}", schema


_NEXT_DOOR: Final = re.compile(r'"[^"]*_definitions\.json#/(?:\$defs|definitions)/([^"]+)"')


def _whole(schema: Any, folder: Path) -> Any:
    """Return the schema with what it names in its folder's `_definitions.json` in `$defs` of its own."""
    text = json.dumps(schema)
    if not _NEXT_DOOR.search(text):
        return schema
    held = json.loads((folder / "_definitions.json").read_text(encoding="utf-8"))
    held = held.get("$defs") or held.get("definitions")
    needed: dict[str, Any] = {}
    pending = _NEXT_DOOR.findall(text)
    while pending:
        name = pending.pop()
        if name not in needed and name in held:
            needed[name] = held[name]
            pending += _NEXT_DOOR.findall(json.dumps(held[name]))
            pending += re.findall(r'"#/(?:\$defs|definitions)/([^"]+)"', json.dumps(held[name]))
    joined = json.dumps({**schema, "$defs": needed})
    return json.loads(re.sub(r'"#/definitions/', '"#/$defs/', _NEXT_DOOR.sub(r'"#/$defs/\1"', joined)))


def _is_schema(value: dict[str, Any]) -> bool:
    return any(word in value for word in ("type", "properties", "$ref", "anyOf", "oneOf", "allOf", "enum"))


def _child(compile_schema: Callable[[Any], Any], schema: Any, answer: Any) -> None:
    try:
        compile_schema(schema)
    except BaseException as error:  # noqa: BLE001  # engines written in Rust raise panics past Exception
        answer.put(f"refused: {' '.join(str(error).split())[-300:]}")
    else:
        answer.put("taken")


def compiled(compile_schema: Callable[[Any], Any], schema: Any, seconds: float) -> str:
    """Return "taken", "refused: why", "slow" past the limit, or "crashed"."""
    context = multiprocessing.get_context("fork")
    answer = context.SimpleQueue()
    child = context.Process(target=_child, args=(compile_schema, schema, answer))
    child.start()
    child.join(seconds)
    if child.is_alive():
        child.kill()
        child.join()
        return "slow"
    return "crashed" if answer.empty() else answer.get()


def judged(name: str, schema: Any, engine: str, compile_schema: Callable[[Any], Any], seconds: float) -> Outcome:
    """Return what is said and done about one schema."""
    before, converted = check(schema, engine), convert(schema, engine)
    after = check(converted.schema, engine)
    first = compiled(compile_schema, schema, seconds)
    return Outcome(
        name,
        engine,
        (is_supported(before), is_supported(after)),
        (first, compiled(compile_schema, converted.schema, seconds) if converted.changes else first),
        tuple(sorted({shape_of(finding) for finding in after if finding.code in _UNSUPPORTED})),
        tuple(sorted({shape_of(finding) for finding in after if finding.code == "constrained.ignored"})),
        tuple(sorted({change.code for change in converted.changes})),
    )


def print_engine(engine: str, outcomes: list[Outcome]) -> None:
    """Print the figures of one engine."""
    print(f"\n{engine} {installed(engine)}: {len(outcomes)} schemas")
    by_kind = Counter(outcome.kind for outcome in outcomes)
    print(
        "  by our table:  " + ", ".join(f"{kind} {by_kind[kind]}" for kind in ("as it is", "converted", "unsupported"))
    )
    for stage, index in (("as it is", 0), ("converted", 1)):
        done = Counter(outcome.does[index].partition(":")[0] for outcome in outcomes)
        print(f"  by the engine, {stage}: " + ", ".join(f"{what} {count}" for what, count in done.most_common()))
    silent = [outcome for outcome in outcomes if outcome.says[1] and outcome.ignored]
    print(f"  taken, but something in it is silently ignored: {len(silent)}")
    _print_counts("  unsupported for:", Counter(reason for outcome in outcomes for reason in outcome.reasons))
    _print_counts("  ignored:", Counter(shape for outcome in outcomes for shape in outcome.ignored))
    _print_counts("  changes:", Counter(code for outcome in outcomes for code in outcome.changes))
    _print_differences(outcomes)


def _print_counts(title: str, counts: Counter[str]) -> None:
    print(title, ", ".join(f"{name} {count}" for name, count in counts.most_common(12)) or "none")


def _print_differences(outcomes: list[Outcome]) -> None:
    for stage, index in (("as it is", 0), ("converted", 1)):
        kinds: dict[str, list[str]] = defaultdict(list)
        for outcome in outcomes:
            word = outcome.does[index]
            if word != "slow" and outcome.says[index] != (word == "taken"):
                kinds["we say taken" if outcome.says[index] else "we say refused"].append(f"{outcome.name}: {word}")
        total = sum(map(len, kinds.values()))
        print(f"  our table and the engine differ, {stage}: {total}")
        for kind, names in kinds.items():
            print(f"    {kind}: {len(names)}")
            for name in names[:8]:
                print(f"      {name[:230]}")


def main() -> None:
    """Print the report, one block an engine."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--packages", type=Path, default=Path(sysconfig.get_path("purelib")))
    parser.add_argument("--each", type=int, default=120, help="schemas a catalogue")
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=10.0, help="time limit for one compilation")
    parser.add_argument("--engine", choices=ENGINES, action="append")
    parser.add_argument("--out", type=Path, help="write every outcome here, as JSON")
    arguments = parser.parse_args()
    schemas = list(sampled(arguments.packages, arguments.each, arguments.seed))
    print(
        "sampled: " + ", ".join(f"{name} {n}" for name, n in Counter(name.split("/")[0] for name, _ in schemas).items())
    )
    everything: list[dict[str, Any]] = []
    for engine in arguments.engine or ENGINES:
        compile_schema = compiler(engine)
        outcomes = [judged(name, schema, engine, compile_schema, arguments.seconds) for name, schema in schemas]
        print_engine(engine, outcomes)
        everything += [{field: getattr(outcome, field) for field in Outcome.__slots__} for outcome in outcomes]
    for_openai = Counter(_openai_kind(schema) for _, schema in schemas)
    print(
        "\nopenai strict, by its documented rules: " + ", ".join(f"{kind} {n}" for kind, n in for_openai.most_common())
    )
    if arguments.out:
        arguments.out.write_text(json.dumps(everything, indent=1), encoding="utf-8")


def _openai_kind(schema: Any) -> str:
    if is_supported(check(schema, "openai")):
        return "as it is"
    return "converted" if is_supported(check(convert(schema, "openai").schema, "openai")) else "unsupported"


if __name__ == "__main__":
    main()
