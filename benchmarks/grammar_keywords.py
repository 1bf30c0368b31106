"""What each grammar engine does with each keyword: the experiment behind the tables of `sobench_metrics.constrained`.

    python benchmarks/grammar_keywords.py [--engine xgrammar] [--json | --tables]

Needs jsonschema, xgrammar, llguidance, outlines_core, numpy and torch; no model, no network.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.grammar_cases import CASES, Case
from benchmarks.grammar_engines import ENGINES, compiler, installed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_SECONDS = 20.0


def misjudged(case: Case) -> list[Any]:
    """Return the values of a case that `jsonschema` judges otherwise: a case that is wrong itself proves nothing."""
    import jsonschema

    validator = jsonschema.validators.validator_for(case.schema, default=jsonschema.Draft202012Validator)(
        case.schema, format_checker=jsonschema.FormatChecker()
    )
    wrong: list[Any] = []
    for values, holds in ((case.good, True), (case.bad, False)):
        for value in values:
            try:
                judged: object = validator.is_valid(value)
            except Exception as error:  # noqa: BLE001  # a reference to nothing, a pattern that is not Python's
                judged = f"{type(error).__name__}: {error}"
            if judged is not holds:
                wrong.append((value, judged))
    return wrong


def _first_sentence(error: BaseException) -> str:
    """Return an engine's message without the time and the source line that some put before it."""
    text = re.sub(r"^\[[\d:]+\] \S+: (Check failed: .*? is false: )?", "", str(error).strip().split("\n")[0])
    return text.strip()[:100]


def tried(compile_schema: Callable[[Any], Callable[[str], bool]], case: Case) -> tuple[str, str]:
    """Return the verdict on one case and what shows it."""
    try:
        accepts = compile_schema(case.schema)
    except BaseException as error:  # noqa: BLE001  # engines written in Rust raise panics past Exception
        return "refused", _first_sentence(error)
    let_through = [value for value in case.bad if any(map(accepts, _written(value)))]
    let_through += [text for text in case.broken if accepts(text)]
    kept_out = [value for value in case.good if not any(map(accepts, _written(value)))]
    if let_through:
        more = f"; forbids {json.dumps(kept_out[0])[:70]}" if kept_out else ""
        return "ignored", f"allows {json.dumps(let_through[0])[:70]}{more}"
    if kept_out:
        return "narrowed", f"forbids {json.dumps(kept_out[0])[:70]}"
    return "enforced", ""


def _written(value: Any) -> tuple[str, ...]:
    """Return the texts of a value; engines differ in the white space that they allow inside constants."""
    separators = ((", ", ": "), (",", ":"), (",", ": "))
    return tuple(json.dumps(value, ensure_ascii=False, separators=pair) for pair in separators)


def _child(compile_schema: Any, name: str, results: Any) -> None:
    results.put(tried(compile_schema, CASES[name]))


def verdicts(engine: str) -> Iterator[tuple[str, str, str]]:
    """Yield (case, verdict, evidence); each case has a process of its own, since an engine may crash or never end."""
    compile_schema = compiler(engine)  # imported once: a fork is cheap, importing torch is not
    context = multiprocessing.get_context("fork")
    for name in CASES:
        results = context.SimpleQueue()
        child = context.Process(target=_child, args=(compile_schema, name, results))
        child.start()
        child.join(_SECONDS)
        if child.is_alive():
            child.kill()
            yield name, "refused", f"no grammar after {_SECONDS:.0f} s"
        elif results.empty():
            yield name, "refused", f"the process ended with status {child.exitcode}"
        else:
            yield name, *results.get()


_WORST: Final = ("refused", "ignored", "narrowed", "enforced")


def by_shape(verdicts_by_case: dict[str, tuple[str, str]]) -> dict[str, dict[str, str]]:
    """Return class -> shape -> evidence; a shape with several cases is in the worst class that one of them showed."""
    found: dict[str, tuple[str, str]] = {}
    for name, verdict in verdicts_by_case.items():
        shape, _, variant = name.partition("/")
        if shape == "note":
            continue
        known = found.get(shape)
        if known is None or _WORST.index(verdict[0]) < _WORST.index(known[0]):
            found[shape] = (verdict[0], f"{variant}: {verdict[1]}" if variant else verdict[1])
    return {
        support: {shape: text for shape, (given, text) in sorted(found.items()) if given == support}
        for support in _WORST[:3]
    }


def main() -> None:
    """Print one line a case and engine, or the tables as JSON, or as they stand in the package's files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--engine", choices=ENGINES, action="append")
    parser.add_argument("--json", action="store_true", help="print the verdicts for a program to read")
    parser.add_argument("--tables", action="store_true", help="print what stands in sobench_metrics/constrained/tables")
    arguments = parser.parse_args()
    for name, case in CASES.items():
        if wrong := misjudged(case):
            print(f"case {name}: jsonschema judges otherwise {wrong}", file=sys.stderr)
    tables: dict[str, Any] = {}
    for engine in arguments.engine or ENGINES:
        found: dict[str, tuple[str, str]] = {}
        for name, verdict, evidence in verdicts(engine):
            found[name] = (verdict, evidence)
            if not (arguments.json or arguments.tables):
                print(f"{engine:10} {name:32} {verdict:9} {evidence}", flush=True)
        tables[f"{engine} {installed(engine)}"] = found if arguments.json else by_shape(found)
    if arguments.json or arguments.tables:
        print(json.dumps(tables, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
