"""A schema for each request of one vLLM batch.

lm-eval's text backend builds sampling parameters for each request, so a constraint goes in with its generation
arguments. The multimodal one builds one set for a whole batch: here the engine's own `generate` gets a list in its
place. Either way vLLM sees one call with all requests, and batches as it likes.
"""

from __future__ import annotations

import importlib
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from lm_eval_tasks.grammars import Measured, Measures

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["constraining", "fault", "is_vllm", "schema_fault", "text_arguments"]

_TEXT, _MULTIMODAL = "VLLM", "VLLM_VLM"
_MARK = "sobench_prompt"
_LONGEST_REASON = 300


def is_vllm(lm: Any) -> bool:
    """Return whether the LM runs vLLM in this process."""
    return bool({_TEXT, _MULTIMODAL} & {kind.__name__ for kind in type(lm).__mro__})


def fault(lm: Any) -> str | None:
    """Return why this engine takes no schema for each request, with the remedy; None when it does."""
    if getattr(lm, "data_parallel_size", 1) > 1:
        return (
            "data_parallel_size above 1 builds its engines elsewhere and takes no schema for each request: use "
            "tensor_parallel_size, or vLLM's server and --model local-chat-completions."
        )
    return None


def schema_fault(lm: Any, schema: str) -> str | None:
    """Return why this engine refuses the schema (JSON text), by the check that it makes of every request itself.

    None when it takes it, or when this version of vLLM cannot be asked beforehand.
    """
    try:
        config = lm.model.llm_engine.vllm_config
        params = importlib.import_module("vllm").SamplingParams(structured_outputs=_structured(schema))
        verify, tokenizer = params.verify, lm.model.get_tokenizer()
        parts = (config.model_config, config.speculative_config, config.structured_outputs_config, tokenizer)
    except AttributeError:
        return None
    try:
        verify(*parts)
    except ValueError as error:  # VLLMValidationError is one
        return " ".join(str(error).split())[:_LONGEST_REASON]
    return None


def text_arguments(prompt: Any, gen_kwargs: dict[str, Any]) -> dict[str, Any]:
    """Return the generation arguments of a text request with its schema, and a mark by which its output is known."""
    schema = {} if prompt.schema is None else {"structured_outputs": _structured(prompt.schema)}
    return {**gen_kwargs, **schema, "extra_args": {_MARK: id(prompt)}}


@contextmanager
def constraining(lm: Any) -> Iterator[Measures]:
    """For the time of the block, let prompts that carry a schema be answered under it; yield the measures of all."""
    measures = Measures()
    engine = getattr(lm, "model", None)
    if fault(lm) or engine is None:
        yield measures
        return
    generate, tok_encode = engine.generate, lm.tok_encode
    prompts: dict[int, Any] = {}

    def remember(string: Any, *args: Any, **kwargs: Any) -> Any:
        prompts.update({id(prompt): prompt for prompt in string if hasattr(prompt, "schema")})
        return tok_encode(string, *args, **kwargs)

    def generate_each(asked: list[Any], sampling_params: Any = None, **options: Any) -> Any:
        named = [prompt.get("prompt") for prompt in asked]
        if any(hasattr(prompt, "schema") for prompt in named):
            sampling_params = [_own(sampling_params, prompt) for prompt in named]
        elif isinstance(sampling_params, list):
            named = [prompts.get((params.extra_args or {}).get(_MARK)) for params in sampling_params]
        outputs = generate(asked, sampling_params=sampling_params, **options)
        for prompt, output in zip(named, outputs, strict=True):
            if prompt is not None:
                measures.add(prompt, _measured(output.outputs[0]))
        return outputs

    engine.generate, lm.tok_encode = generate_each, remember
    try:
        yield measures
    finally:
        del engine.generate, lm.tok_encode


def _own(shared: Any, prompt: Any) -> Any:
    params = shared.clone()
    if prompt.schema is not None:
        params.structured_outputs = _structured(prompt.schema)
    return params


def _structured(schema: str) -> Any:
    return importlib.import_module("vllm.sampling_params").StructuredOutputsParams(json=schema)


def _measured(completion: Any) -> Measured:
    tokens = len(completion.token_ids)
    ended = completion.finish_reason != "length"
    return Measured(tokens - 1 if ended and tokens else tokens, at_limit=not ended)
