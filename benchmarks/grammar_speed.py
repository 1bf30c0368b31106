"""What a grammar engine costs: schemas accepted, compile and mask time, and whole runs against unconstrained ones.

    python -m benchmarks.grammar_speed [--model FOLDER] [--catalogue FOLDER] [--runs-only] [--tokens 48]

Needs llguidance and xgrammar. `--model` is a small real model (made with `python -m tests.engines.small_model`), the
tiny random one stands in without it; `--catalogue` adds schemas from any folder of JSON files. The runs of the three
kinds take turns, so their ratios mean something on a busy machine.
"""

from __future__ import annotations

import argparse
import json
import logging
import multiprocessing
import statistics
import tempfile
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lm_eval_tasks import grammar_engine, grammars
from tests.engines.schema_instance import instance_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

BATCH = 8
LONGEST_WAIT = 20.0
CATALOGUE = 100
_LAYOUTS = {"no blanks": "()", "bounded": grammar_engine.WHITE_SPACE, "any blanks": r"[\x20\x0A\x0D\x09]+"}


@dataclass
class Case:
    """A schema with the prompt that goes with it and an answer that follows it."""

    schema: str
    answer: str
    prompt: str = "Answer with JSON."


def main() -> None:
    """Print the figures of both engines."""
    options = _arguments()
    logging.disable(logging.WARNING)
    import transformers
    from lm_eval.models.huggingface import HFLM

    transformers.logging.set_verbosity_error()
    with tempfile.TemporaryDirectory() as folder:
        model = options.model or _tiny(Path(folder))
        lm = HFLM(pretrained=str(model), dtype=options.dtype, device="cpu", batch_size=BATCH)
        sets = {} if options.runs_only else {"sample": _sample()}
        if options.catalogue and not options.runs_only:
            sets["catalogue"] = _catalogue(options.catalogue)
        for name, cases in sets.items():
            for kind in (Guidance, XGrammar):
                print(f"{name:9} {_engine_figures(kind, lm, cases)}", flush=True)
        _runs(lm, _questions(lm), options.tokens, options.rounds)


# ------------------------------------------------------------------------------------------------------------- engines
class Guidance:
    """llguidance, as the tasks use it."""

    name = "llguidance"

    def __init__(self, lm: Any) -> None:
        self.engine = grammar_engine.engine(lm.tokenizer, lm.model.config.vocab_size, [lm.eot_token_id])

    def matcher(self, schema: str) -> Any:
        """Compile anew; raises ValueError."""
        matcher = self.engine._compile(schema)  # noqa: SLF001 - what is measured is the part behind the cache
        if isinstance(matcher, str):
            raise ValueError(matcher)  # noqa: TRY004
        return matcher

    def fill(self, wanted: list[tuple[Any, int]], words: Any) -> None:
        """Write the masks of these matchers into their rows."""
        self.engine.executor.unsafe_compute_mask_ptr(wanted, words.ctypes.data, words.shape[1] * 4, words.shape[0])

    def accept(self, matcher: Any, token: int) -> bool:
        """Take a token in."""
        return bool(matcher.consume_token(token))

    def processor(self, schemas: list[str]) -> Any:
        """Return the logits processor of a batch."""
        return self.engine.mask(schemas)


class XGrammar:
    """xgrammar, with its own logits processor."""

    name = "xgrammar"

    def __init__(self, lm: Any) -> None:
        import xgrammar

        info = xgrammar.TokenizerInfo.from_huggingface(lm.tokenizer, vocab_size=lm.model.config.vocab_size)
        self.compiler = xgrammar.GrammarCompiler(info, cache_enabled=False)

    def matcher(self, schema: str) -> Any:
        """Compile anew; raises RuntimeError."""
        import xgrammar

        return xgrammar.GrammarMatcher(self.compiler.compile_json_schema(schema, strict_mode=False))

    def fill(self, wanted: list[tuple[Any, int]], words: Any) -> None:
        """Write the masks of these matchers into their rows."""
        import torch

        bits = torch.from_numpy(words)
        for matcher, row in wanted:
            matcher.fill_next_token_bitmask(bits, row)

    def accept(self, matcher: Any, token: int) -> bool:
        """Take a token in."""
        return bool(matcher.accept_token(token))

    def processor(self, schemas: list[str]) -> Any:
        """Return the logits processor of a batch."""
        import xgrammar.contrib.hf

        return xgrammar.contrib.hf.LogitsProcessor(
            [self.compiler.compile_json_schema(schema, strict_mode=False) for schema in schemas]
        )


@dataclass
class _Figures:
    compiled: list[float] = field(default_factory=list)
    masked: list[float] = field(default_factory=list)  # per row
    refused: int = 0
    too_slow: int = 0
    wrong: int = 0  # an answer that follows the schema, turned away

    def text(self, name: str) -> str:
        every = len(self.compiled) + self.refused + self.too_slow
        return (
            f"{name:10} accepted {len(self.compiled)}/{every} (refused {self.refused}, too slow {self.too_slow}); "
            f"compile {_spread(self.compiled, 1e3)} ms; mask {_spread(self.masked, 1e6)} us a row; "
            f"right answers turned away {self.wrong}"
        )


def _spread(values: list[float], scale: float) -> str:
    if not values:
        return "-"
    ordered = sorted(value * scale for value in values)
    late = ordered[int(len(ordered) * 0.95)]
    return f"mean {statistics.mean(ordered):.2f} median {statistics.median(ordered):.2f} 95% {late:.2f}"


def _engine_figures(kind: Any, lm: Any, cases: list[Case]) -> str:
    """Measure in a process of its own, which a schema may hang or kill."""
    figures, start = _Figures(), 0
    context = multiprocessing.get_context("fork")
    while start < len(cases):
        ours, theirs = context.Pipe()
        child = context.Process(target=_child, args=(kind, lm, cases[start:], theirs))
        child.start()
        theirs.close()
        while start < len(cases):
            told = _next(ours)
            if told is None:
                figures.too_slow += 1
                start += 1
                break
            compiled, masked, wrong = told
            figures.refused += compiled is None
            figures.compiled += [] if compiled is None else [compiled]
            figures.masked += masked
            figures.wrong += wrong
            start += 1
        child.kill()
        child.join()
    return figures.text(kind.name)


def _next(pipe: Any) -> Any:
    try:
        return pipe.recv() if pipe.poll(LONGEST_WAIT) else None
    except EOFError:  # the process died
        return None


def _child(kind: Any, lm: Any, cases: list[Case], pipe: Any) -> None:
    engine = kind(lm)
    for case in cases:
        began = time.perf_counter()
        try:
            matcher = engine.matcher(case.schema)
        except Exception:  # noqa: BLE001 - each library has its own
            pipe.send((None, [], 0))
            continue
        compiled = time.perf_counter() - began
        times, wrong = _walk(engine, matcher, lm, case)
        pipe.send((compiled, times, wrong if _is_valid((case.answer, case)) else 0))


def _walk(engine: Any, matcher: Any, lm: Any, case: Case) -> tuple[list[float], int]:
    import numpy as np

    words = np.zeros((1, (lm.model.config.vocab_size + 31) // 32), dtype=np.int32)
    times = []
    for token in lm.tokenizer(case.answer, add_special_tokens=False).input_ids[:200]:
        began = time.perf_counter()
        engine.fill([(matcher, 0)], words)
        times.append(time.perf_counter() - began)
        if not engine.accept(matcher, token):
            return times, 1
    return times, 0


# ---------------------------------------------------------------------------------------------------------------- runs
def _runs(lm: Any, cases: list[Case], tokens: int, rounds: int) -> None:
    steps: dict[str, list[float]] = {"free": [], "llguidance": [], "xgrammar": []}
    fresh = {"llguidance": Guidance, "xgrammar": XGrammar}
    for _ in range(rounds):
        for name, seconds in steps.items():
            kind = fresh[name](lm) if name in fresh else None
            count, spent = _answer(lm, cases, tokens, kind and kind.processor)
            seconds.append(spent / count)
    free = statistics.median(steps["free"])
    for name, seconds in steps.items():
        ratios = [alone / each for alone, each in zip(steps["free"], seconds, strict=True)]
        middle = statistics.median(seconds)
        rounds_told = ", ".join(f"{ratio:.3f}" for ratio in ratios)
        print(f"run {name:10} {1e3 * middle:6.1f} ms a step of {BATCH} rows, throughput {free / middle:.3f} of free "
              f"(by rounds {rounds_told})", flush=True)  # fmt: skip
    for name, pattern in _LAYOUTS.items():
        print(f"blanks {name:10} {_quality(lm, cases, 4 * tokens, pattern)}", flush=True)


def _answer(lm: Any, cases: list[Case], tokens: int, processor: Callable[[list[str]], Any] | None) -> tuple[int, float]:
    """Return the number of decoding steps and the seconds that `generate_until` took, compiling included."""
    from lm_eval.api.instance import Instance

    settings = {"until": [], "do_sample": False, "temperature": 0.0, "max_gen_toks": tokens}
    prompts = [grammars.ConstrainedPrompt(case.prompt, case.schema) for case in cases]
    requests = [Instance("generate_until", {}, (prompt, settings), n) for n, prompt in enumerate(prompts)]
    batches: list[Any] = []
    with _watched(lm, batches, processor):
        began = time.perf_counter()
        lm.generate_until(requests, disable_tqdm=True)
        spent = time.perf_counter() - began
    return sum(batches), spent


@contextmanager
def _watched(lm: Any, steps: list[int], processor: Callable[[list[str]], Any] | None) -> Iterator[None]:
    encode, generate = lm.tok_batch_encode, lm._model_generate  # noqa: SLF001 - the seam that the tasks use too
    schemas: list[str] = []

    def encoding(strings: Any, **kwargs: Any) -> Any:
        schemas[:] = [prompt.schema for prompt in strings]
        return encode(strings, **kwargs)

    def generating(context: Any, **kwargs: Any) -> Any:
        if processor:
            kwargs["logits_processor"] = [processor(list(schemas))]
        output = generate(context=context, **kwargs)
        steps.append(output.shape[1] - context.shape[1])
        return output

    lm.tok_batch_encode, lm._model_generate = encoding, generating  # noqa: SLF001
    try:
        yield
    finally:
        del lm.tok_batch_encode, lm._model_generate  # noqa: SLF001


def _quality(lm: Any, cases: list[Case], tokens: int, pattern: str) -> str:
    from lm_eval.api.instance import Instance

    usual, grammar_engine.WHITE_SPACE = grammar_engine.WHITE_SPACE, pattern
    grammars._engines.clear()  # noqa: SLF001 - else the compiled schemas of the last pattern serve
    settings = {"until": [], "do_sample": False, "temperature": 0.0, "max_gen_toks": tokens}
    prompts = [grammars.ConstrainedPrompt(case.prompt, case.schema) for case in cases]
    requests = [Instance("generate_until", {}, (prompt, settings), n) for n, prompt in enumerate(prompts)]
    try:
        with grammars.constraining(lm) as measures:
            texts = lm.generate_until(requests, disable_tqdm=True)
    finally:
        grammar_engine.WHITE_SPACE = usual
        grammars._engines.clear()  # noqa: SLF001
    took = measures.take(requests)
    ended = [(text, case) for text, case, one in zip(texts, cases, took, strict=True) if not one.at_limit]
    blank = statistics.mean(sum(c.isspace() for c in text) / max(1, len(text)) for text in texts)
    return (
        f"ended {len(ended)}/{len(cases)} within {tokens} tokens, valid {sum(map(_is_valid, ended))}/{len(ended)}, "
        f"tokens {statistics.mean(one.tokens for one in took):.0f}, blanks {blank:.2f} of the text"
    )


def _is_valid(pair: tuple[str, Case]) -> bool:
    import jsonschema

    text, case = pair
    try:
        jsonschema.validate(json.loads(text), json.loads(case.schema))
    except Exception:  # noqa: BLE001 - a catalogue's schema may itself be at fault, in many ways
        return False
    return True


# ------------------------------------------------------------------------------------------------------------- schemas
def _sample() -> list[Case]:
    import pyarrow.parquet

    from sobench_metrics.data.sample import sample_home

    cases = _rows()
    for file in sorted(sample_home().glob("data/*/*.parquet")):
        for doc in pyarrow.parquet.read_table(file, columns=["schema_json", "target_json"]).to_pylist():
            cases.append(Case(doc["schema_json"], json.dumps(json.loads(doc["target_json"]))))
    return cases


def _rows() -> list[Case]:
    from sobench_metrics.data.sample import sample_home

    rows = map(json.loads, (sample_home() / "ifstruct.jsonl").read_text(encoding="utf-8").splitlines())
    schemas = ((row["json_schema"], row["prompt"]) for row in rows if row["output_format"] == "json")
    return [Case(schema, json.dumps(instance_of(json.loads(schema))), prompt) for schema, prompt in schemas]


def _questions(lm: Any) -> list[Case]:
    """Return one batch of rows, in the chat form of the model."""
    cases = _rows()[:BATCH]
    return [
        Case(case.schema, case.answer, lm.apply_chat_template([{"role": "user", "content": case.prompt}]))
        for case in cases
    ]


def _catalogue(folder: Path) -> list[Case]:
    """Return every n-th schema of the folder's JSON files, a hundred of them."""
    found = []
    for file in sorted(folder.rglob("*.json")):
        try:
            schema = json.loads(file.read_text(encoding="utf-8"))
        except ValueError:
            continue
        if isinstance(schema, dict) and isinstance(schema.get("properties"), dict):
            found.append(schema)
    step = max(1, len(found) // CATALOGUE)
    return [Case(json.dumps(schema), json.dumps(instance_of(schema))) for schema in found[::step][:CATALOGUE]]


def _tiny(folder: Path) -> Path:
    from tests.engines import tiny_text

    return tiny_text.build(folder / "tiny")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Compare the grammar engines with each other and with none.")
    parser.add_argument("--model", type=Path)
    parser.add_argument("--dtype", default="float32")
    parser.add_argument("--catalogue", type=Path)
    parser.add_argument("--runs-only", action="store_true")
    parser.add_argument("--tokens", type=int, default=48)
    parser.add_argument("--rounds", type=int, default=3)
    return parser.parse_args()


if __name__ == "__main__":
    main()
