"""JSON Schemas as masks over a tokenizer's vocabulary, by llguidance.

llguidance refuses what it cannot enforce, where other engines ignore a part of such a schema without a word, and it
builds its masks as it goes, so that a schema which is used once costs nothing in advance.
"""

from __future__ import annotations

import contextlib
import re
import threading
from collections import OrderedDict
from dataclasses import dataclass, field
from importlib import metadata
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

__all__ = ["WHITE_SPACE", "Engine", "GrammarMask", "engine", "installed"]

# Between two tokens of JSON: nothing, a space, or a line break with its indentation. That is every usual layout, and
# none of the endless blanks in which a model can spend its whole limit.
WHITE_SPACE: Final = r"\x20|\x0D?\x0A[\x20\x09]{0,40}"
_OLDEST: Final = (1, 8)
_LONGEST: Final = 500_000  # characters; the longest of the 1,900 schemas in CloudFormation's catalogue has 235,000
_SECONDS: Final = 30.0
_STACK: Final = 256 << 20  # a chain of references is followed by recursion, and an overflow ends the process
_KEPT: Final = 128
_LONGEST_REASON: Final = 300


def installed() -> bool:
    """Return whether llguidance is there in a version that keeps the bound on blanks; older ones drop it silently."""
    try:
        found = metadata.version("llguidance").split(".")
    except metadata.PackageNotFoundError:
        return False
    return tuple(int(part) for part in found[:2]) >= _OLDEST


@dataclass(eq=False, slots=True)
class Engine:
    """One tokenizer's grammars; compiled ones are kept by the schema's text."""

    tokenizer: Any  # llguidance's view of the vocabulary
    ends: tuple[int, ...]  # tokens that end an answer
    executor: Any
    _compiled: OrderedDict[str, Any] = field(default_factory=OrderedDict)
    _faults: dict[str, str | None] = field(default_factory=dict)

    def fault(self, schema: str) -> str | None:
        """Return why the schema (JSON text) cannot constrain an answer, None when it can."""
        if schema not in self._faults:
            outcome = self._compile(schema)
            self._faults[schema] = outcome if isinstance(outcome, str) else None
        return self._faults[schema]

    def matcher(self, schema: str) -> Any:
        """Return a matcher at the beginning of an answer; raises ValueError with the reason of `fault`."""
        outcome = self._compiled.get(schema)
        if outcome is None:
            outcome = self._faults.get(schema) or self._compile(schema)
            if isinstance(outcome, str):
                raise ValueError(outcome)
        self._compiled.move_to_end(schema)
        return outcome.deep_copy()

    def mask(self, schemas: Sequence[str | None]) -> GrammarMask:
        """Return the logits processor of a batch, one schema or None (a free row) for each of its rows."""
        matchers = {row: self.matcher(schema) for row, schema in enumerate(schemas) if schema is not None}
        return GrammarMask(self, matchers)

    def _compile(self, schema: str) -> Any:
        """Return the matcher, which is then kept, or the reason why there is none."""
        if len(schema) > _LONGEST:
            return f"the schema has {len(schema)} characters, and {_LONGEST} is the limit"
        outcome = _in_room(lambda: _compiled(self.tokenizer, schema))
        if not isinstance(outcome, str):
            self._compiled[schema] = outcome
            while len(self._compiled) > _KEPT:
                self._compiled.popitem(last=False)
        return outcome


@dataclass(eq=False, slots=True)
class GrammarMask:
    """The logits processor of one `generate` call: what a row's schema forbids next becomes -inf.

    Rows without a matcher pass unchanged, and so do their bits. A row that has ended may only end again, for a model
    whose configuration does not name the token that it ended with goes on until its batch is through.
    """

    engine: Engine
    matchers: dict[int, Any]  # by row; finished ones leave
    faults: dict[int, str] = field(default_factory=dict)  # rows whose grammar gave up, with the reason
    _words: Any = None  # one bit a token, 32 in a word
    _guided: Any = None  # whether a row has a schema

    def __call__(self, input_ids: Any, scores: Any) -> Any:
        """Return the scores with the forbidden tokens at -inf; takes and gives tensors of any device."""
        import numpy as np

        if self._words is None:
            self._words = self._all_allowed(scores.shape[0])
        else:
            self._accept(input_ids[:, -1].tolist())
        self._fill()
        forbidden = np.unpackbits(~self._words.view(np.uint8), axis=1, bitorder="little")[:, : scores.shape[1]]
        beyond = scores.shape[1] - forbidden.shape[1]
        if beyond > 0:  # logits without a token
            forbidden = np.hstack([forbidden, np.repeat(self._guided[:, None], beyond, axis=1)])
        return scores.masked_fill(scores.new_tensor(forbidden, dtype=bool), float("-inf"))

    def _all_allowed(self, rows: int) -> Any:
        import numpy as np

        self._guided = np.isin(np.arange(rows), list(self.matchers))
        words = np.full((rows, (self.engine.tokenizer.vocab_size + 31) // 32), -1, dtype=np.int32)
        words[self._guided] = 0
        return words

    def _accept(self, tokens: list[int]) -> None:
        for row, matcher in list(self.matchers.items()):
            if tokens[row] in self.engine.ends:
                self._close(row)
            elif not matcher.consume_token(tokens[row]):
                self._close(row, _reason(matcher))

    def _fill(self) -> None:
        if not self.matchers:
            return
        rows, width = self._words.shape
        wanted = [(matcher, row) for row, matcher in self.matchers.items()]
        self.engine.executor.unsafe_compute_mask_ptr(wanted, self._words.ctypes.data, width * 4, rows)
        for matcher, row in wanted:
            if matcher.is_stopped() and not matcher.is_accepting():
                self._close(row, _reason(matcher))

    def _close(self, row: int, fault: str = "") -> None:
        del self.matchers[row]
        self._words[row] = 0
        for token in self.engine.ends:
            self._words[row].view("uint8")[token // 8] |= 1 << token % 8
        if fault:
            self.faults[row] = fault


def engine(tokenizer: Any, width: int, ends: Iterable[int]) -> Engine:
    """Return the engine of a fast Hugging Face tokenizer whose model has `width` logits.

    Raises ValueError with a sentence when the tokenizer is not one that llguidance reads.
    """
    import llguidance
    import llguidance.hf

    kept = tuple(sorted(set(ends)))
    if not kept:
        raise ValueError("no token that ends an answer is known")
    try:
        words = llguidance.hf.from_tokenizer(tokenizer, n_vocab=max(width, len(tokenizer)), eos_token=list(kept))
    except Exception as error:  # a Rust error in one of several forms
        raise ValueError(f"llguidance cannot read the tokenizer ({_short(str(error))})") from error
    return Engine(words, kept, llguidance.LLExecutor())


def _compiled(tokenizer: Any, schema: str) -> Any:
    import llguidance

    # said again here, because a schema may carry settings of its own
    settings = {
        "whitespace_flexible": True,
        "whitespace_pattern": WHITE_SPACE,
        "item_separator": ",",
        "key_separator": ":",
        "coerce_one_of": False,
        "lenient": False,
    }
    try:
        grammar = llguidance.LLMatcher.grammar_from_json_schema(schema, overrides=settings)
    except ValueError as error:
        return _short(str(error))
    matcher = llguidance.LLMatcher(tokenizer, grammar, log_level=0)
    if matcher.is_error():
        return _reason(matcher)
    first = matcher.deep_copy()
    first.compute_bitmask()  # a schema that nothing satisfies can compile, and then allows the empty answer only
    return _reason(first) if first.is_stopped() and not first.is_accepting() else matcher


def _in_room(build: Callable[[], Any]) -> Any:
    """Return what `build` returns; the reason as a text when it fails or takes too long (it then runs on, unheard)."""
    outcome: list[Any] = []

    def run() -> None:
        try:
            outcome.append(build())
        except BaseException as error:  # noqa: BLE001 - a Rust panic is no Exception
            outcome.append(_short(f"{type(error).__name__}: {error}"))

    worker = threading.Thread(target=run, name="sobench-grammar", daemon=True)
    usual = threading.stack_size()
    with contextlib.suppress(ValueError, RuntimeError):  # not every platform has this much
        threading.stack_size(_STACK)
    try:
        worker.start()
    finally:
        threading.stack_size(usual)
    worker.join(_SECONDS)
    return outcome[0] if outcome else f"its grammar takes longer than {_SECONDS:.0f} seconds to compile"


def _reason(matcher: Any) -> str:
    return _short(matcher.get_error()) or f"the grammar allows no way on ({matcher.stop_reason()})"


def _short(text: str) -> str:
    told = re.split(r"<state>|<backtrace>|stack backtrace", text, maxsplit=1)[0]
    return " ".join(told.split())[:_LONGEST_REASON]
