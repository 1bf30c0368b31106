"""Each request with its own JSON Schema on lm-eval's `hf` and `hf-multimodal`, whole batches at a time.

Arguments that differ would part a batch into single requests, so the schema travels with the prompt, which the
harness hands on as it is. Two calls of the backend are watched for the time of a run, on the instance: the one that
encodes a batch's prompts tells what the batch is, the one that generates gets the logits processor.
"""

from __future__ import annotations

import inspect
from collections import deque
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final
from weakref import WeakKeyDictionary

from lm_eval_tasks import grammar_engine
from sobench_metrics.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from lm_eval.api.instance import Instance

__all__ = ["ConstrainedPrompt", "Measured", "Measures", "compile_fault", "constraining", "ready"]

_WATCHED: Final = (
    ("tok_batch_encode", "_model_generate"),
    ("tok_batch_multimodal_encode", "_model_multimodal_generate"),
)
_SEVERAL_AT_ONCE: Final = ("assistant_model", "prompt_lookup_num_tokens", "assistant_early_exit")
_engines: WeakKeyDictionary[Any, grammar_engine.Engine] = WeakKeyDictionary()


class ConstrainedPrompt(str):  # noqa: SLOT000 - carries its schema through pickling
    """A prompt with the JSON Schema (as text) that its answer must follow, or None for a free answer."""

    schema: str | None

    def __new__(cls, text: str = "", schema: str | None = None) -> ConstrainedPrompt:  # noqa: PYI034 - Python 3.10
        self = super().__new__(cls, text)
        self.schema = schema
        return self


@dataclass(frozen=True, slots=True)
class Measured:
    """What one answer took.

    `tokens` counts new tokens up to the end token (which is not counted) or up to the first stop string; `at_limit`
    says that neither came before the limit; `fault` says why a grammar gave an answer up, and is empty otherwise.
    """

    tokens: int
    at_limit: bool
    fault: str = ""


@dataclass(slots=True)
class Measures:
    """The measures of all answers so far, found again by the prompt object that was asked."""

    _of: dict[int, deque[Measured]] = field(default_factory=dict)
    _alive: list[Any] = field(default_factory=list)  # a number names an object only while that lives

    def add(self, prompt: Any, measured: Measured) -> None:
        """Remember one answer of a prompt."""
        self._of.setdefault(id(prompt), deque()).append(measured)
        self._alive.append(prompt)

    def take(self, requests: Iterable[Instance]) -> list[Measured]:
        """Return the measures in the order of the requests, each once; raises LookupError for one never asked."""
        taken = []
        for request in requests:
            waiting = self._of.get(id(request.args[0]))
            if not waiting:
                raise LookupError("a request has no measure: it was not asked, or its prompt was rebuilt on the way")
            taken.append(waiting.popleft())
        return taken


def ready(lm: Any) -> str | None:
    """Return a sentence with the remedy when this LM cannot be constrained here, None when it can."""
    fault = _unsuited(lm)
    if fault is None and not grammar_engine.installed():
        fault = "constrained decoding needs llguidance 1.8 or newer: pip install 'sobench[grammar]'."
    if fault is None:
        try:
            _engine(lm)
        except ValueError as error:
            fault = f"constrained decoding is not possible with this model: {error}; use another --model backend."
    return fault


def compile_fault(lm: Any, schema: str) -> str | None:
    """Return why the schema (JSON text) cannot constrain an answer of this LM, None when it can.

    Size and time are bounded, the verdict is kept. Raises UsageError with the sentence of `ready`.
    """
    return _ready_engine(lm).fault(schema)


@contextmanager
def constraining(lm: Any) -> Iterator[Measures]:
    """For the time of the block, let prompts that carry a schema be answered under it; yield the measures of all.

    The requests' prompts must reach the LM as the same objects. A batch is stopped before its generation with a
    UsageError when a schema in it does not compile, or when the generation does not go token by token.
    """
    measures = Measures()
    instance = vars(lm)
    before: dict[str, Any] = {}
    try:
        for encode, generate in _WATCHED:
            if hasattr(lm, encode) and hasattr(lm, generate):
                before.update({name: instance[name] for name in (encode, generate) if name in instance})
                watch = _Watch(lm, measures)
                setattr(lm, encode, watch.encoding(getattr(lm, encode)))
                setattr(lm, generate, watch.generating(getattr(lm, generate)))
        yield measures
    finally:
        for name in (name for pair in _WATCHED for name in pair):
            instance.pop(name, None)
        instance.update(before)


@dataclass(slots=True)
class _Watch:
    """Knows the prompts between the two calls of one batch."""

    lm: Any
    measures: Measures
    prompts: Sequence[Any] = ()

    def encoding(self, encode: Callable[..., Any]) -> Callable[..., Any]:
        def watched(strings: Sequence[Any], *args: Any, **kwargs: Any) -> Any:
            self.prompts = tuple(strings)
            for schema in map(_schema, strings):
                fault = None if schema is None else compile_fault(self.lm, schema)
                if fault:
                    raise UsageError(f"a schema cannot constrain its answer ({fault}): ask its sample without it.")
            return encode(strings, *args, **kwargs)

        return watched

    def generating(self, generate: Callable[..., Any]) -> Callable[..., Any]:
        signature = inspect.signature(generate)
        first = next(iter(signature.parameters))

        def watched(*args: Any, **kwargs: Any) -> Any:
            prompts, self.prompts = self.prompts, ()
            given = {**signature.bind(*args, **kwargs).arguments, **kwargs}
            inputs = given[first]
            ids = inputs["input_ids"] if hasattr(inputs, "keys") else inputs
            schemas = [_schema(prompt) for prompt in prompts]
            if len(prompts) != ids.shape[0]:  # not the batch that was encoded just before
                if any(schema is not None for schema in schemas):
                    raise UsageError(
                        f"{type(self.lm).__name__} generates {ids.shape[0]} rows for {len(prompts)} prompts here, "
                        "so no schema can be given to its own answer: use another --model backend."
                    )
                return generate(*args, **kwargs)
            mask = None
            if any(schema is not None for schema in schemas):
                _refuse_several_at_once(kwargs)
                mask = _ready_engine(self.lm).mask(schemas)
                kwargs["logits_processor"] = [*(kwargs.get("logits_processor") or ()), mask]
            output = generate(*args, **kwargs)
            start = ids.shape[1] if self.lm.backend == "causal" else 1
            room = given["max_length"] - start
            for row, (prompt, tokens) in enumerate(zip(prompts, output.tolist(), strict=True)):
                fault = mask.faults.get(row, "") if mask else ""
                self.measures.add(prompt, _measured(self.lm, tokens[start:], room, given.get("stop") or (), fault))
            return output

        return watched


def _measured(lm: Any, tokens: list[int], room: int, stops: Iterable[str], fault: str) -> Measured:
    ends = _ends(lm)
    length = next((place for place, token in enumerate(tokens) if token in ends), len(tokens))
    stopped = _stopped(lm, tokens[:length], [stop for stop in stops if stop])
    if stopped is not None:
        return Measured(stopped, at_limit=False, fault=fault)
    return Measured(length, at_limit=length == len(tokens) >= room, fault=fault)


def _stopped(lm: Any, tokens: list[int], stops: list[str]) -> int | None:
    """Return how many tokens it took to say the first stop string; the harness cuts the text, not the row."""

    def said(count: int) -> bool:
        text = lm.tok_decode(tokens[:count])
        return any(stop in text for stop in stops)

    if not stops or not said(len(tokens)):
        return None
    low, high = 0, len(tokens)
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if said(middle) else (middle + 1, high)
    return low


def _schema(prompt: Any) -> str | None:
    return getattr(prompt, "schema", None)


def _unsuited(lm: Any) -> str | None:
    """Return what about the backend or its model is in the way of any grammar."""
    kind = type(lm).__name__
    if not any(base.__name__ == "HFLM" for base in type(lm).__mro__):
        return f"{kind} is none of the models that a grammar can guide here: use --model hf or hf-multimodal."
    if not all(_takes_options(getattr(type(lm), name, None)) for _, name in _WATCHED):
        return f"{kind} passes no logits processor on: use --model hf or hf-multimodal."
    if lm.backend != "causal":
        return f"{kind} has an encoder-decoder model, which no grammar guides here: use a decoder-only model."
    if not getattr(lm.tokenizer, "is_fast", False):
        return f"constrained decoding needs a fast tokenizer, and {kind} has a slow one: set use_fast_tokenizer=True."
    if (getattr(lm.model.generation_config, "num_beams", None) or 1) > 1:
        return "the model's generation_config asks for beam search, which grammars do not follow: set num_beams to 1."
    return None


def _takes_options(call: Any) -> bool:
    """Return whether a backend's generate call, where it has one, hands unknown options to the model."""
    if call is None:
        return True
    kinds = {parameter.kind for parameter in inspect.signature(call).parameters.values()}
    return inspect.Parameter.VAR_KEYWORD in kinds


def _refuse_several_at_once(options: dict[str, Any]) -> None:
    if (options.get("num_beams") or 1) > 1:
        raise UsageError("grammars do not follow a beam search: take num_beams out of --gen_kwargs.")
    for name in _SEVERAL_AT_ONCE:
        if options.get(name):
            raise UsageError(f"grammars follow one token at a time: take {name} out of --gen_kwargs.")


def _ends(lm: Any) -> frozenset[int]:
    """Return the tokens that end an answer: those that `generate` stops at, and those that the harness cuts at."""
    found: set[int] = set()
    named = (lm.model.generation_config.eos_token_id, lm.tokenizer.eos_token_id, lm.eot_token_id)
    for ids in named:
        found.update(ids if isinstance(ids, (list, tuple)) else [] if ids is None else [int(ids)])
    return frozenset(found)


def _ready_engine(lm: Any) -> grammar_engine.Engine:
    if lm not in _engines:
        fault = ready(lm)
        if fault:
            raise UsageError(fault)
    return _engine(lm)


def _engine(lm: Any) -> grammar_engine.Engine:
    if lm not in _engines:
        head = lm.model.get_output_embeddings()
        width = int(head.weight.shape[0]) if head is not None else int(lm.model.config.get_text_config().vocab_size)
        _engines[lm] = grammar_engine.engine(lm.tokenizer, width, _ends(lm))
    return _engines[lm]
