"""The three local grammar engines behind one shape: compile a schema once, then ask which texts the grammar accepts.

Bytes serve as tokens, so no model's vocabulary is needed. Importing this module loads no engine; needs numpy, torch
(xgrammar) and the engine itself.
"""

from __future__ import annotations

import json
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["ENGINES", "compiler", "installed"]

_END: Final = 256  # the token behind the 256 bytes
_PACKAGES: Final = {"xgrammar": "xgrammar", "guidance": "llguidance", "outlines": "outlines_core"}
ENGINES: Final = tuple(_PACKAGES)


def installed(engine: str) -> str:
    """Return the version of the engine's package; raises PackageNotFoundError where it is not installed."""
    return version(_PACKAGES[engine])


def compiler(engine: str) -> Callable[[Any], Callable[[str], bool]]:
    """Return a function from a schema to the test of a whole answer; it raises where the engine refuses."""
    return {"xgrammar": _xgrammar, "guidance": _guidance, "outlines": _outlines}[engine]()


def _xgrammar() -> Callable[[Any], Callable[[str], bool]]:
    import xgrammar

    vocabulary = [bytes([number]) for number in range(256)] + [b"</s>"]
    info = xgrammar.TokenizerInfo(vocabulary, xgrammar.VocabType.RAW, stop_token_ids=[_END])
    grammars = xgrammar.GrammarCompiler(info, cache_enabled=False)

    def compiled(schema: Any) -> Callable[[str], bool]:
        grammar = grammars.compile_json_schema(json.dumps(schema))

        def accepts(text: str) -> bool:
            matcher = xgrammar.GrammarMatcher(grammar)
            return all(matcher.accept_token(byte) for byte in text.encode()) and matcher.accept_token(_END)

        return accepts

    return compiled


def _guidance() -> Callable[[Any], Callable[[str], bool]]:
    import llguidance

    tokenizer = llguidance.LLTokenizer("byte")

    def compiled(schema: Any) -> Callable[[str], bool]:
        # The first call raises for what the schema's form forbids, the second reports what the grammar cannot say.
        grammar = llguidance.LLMatcher.grammar_from_json_schema(json.dumps(schema))
        if fault := llguidance.LLMatcher.validate_grammar(grammar, tokenizer):
            raise ValueError(fault)

        def accepts(text: str) -> bool:
            matcher = llguidance.LLMatcher(tokenizer, grammar, log_level=0)
            tokens = tokenizer.tokenize_bytes(text.encode())
            return bool(matcher.try_consume_tokens(tokens) == len(tokens) and matcher.is_accepting())

        return accepts

    return compiled


def _outlines() -> Callable[[Any], Callable[[str], bool]]:
    import outlines_core

    vocabulary = outlines_core.Vocabulary(_END, {bytes([number]): [number] for number in range(256)})

    def compiled(schema: Any) -> Callable[[str], bool]:
        pattern = outlines_core.json_schema.build_regex_from_schema(json.dumps(schema))
        index = outlines_core.Index(pattern, vocabulary)

        def accepts(text: str) -> bool:
            state = index.get_initial_state()
            for byte in text.encode():
                state = index.get_next_state(state, byte)
                if state is None:
                    return False
            return bool(index.is_final_state(state))

        return accepts

    return compiled
