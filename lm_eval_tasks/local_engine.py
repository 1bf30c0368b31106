"""Ask an engine in this process: shards of whole batches, pictures opened per shard, a schema for each request.

The engine does the batching. A shard only bounds how many decoded pictures exist at once and how much work a
killed run loses; it is a multiple of the engine's batch size, so no batch is ever smaller than without shards.
"""

from __future__ import annotations

import inspect
import logging
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from lm_eval.api.instance import Instance
from tqdm import tqdm

from lm_eval_tasks import constraint, engines, vllm_engine
from sobench_metrics.data.images import open_image, read_bytes
from sobench_metrics.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from lm_eval.api.model import LM

__all__ = ["ask", "shards"]

log = logging.getLogger(f"lm_eval.{__name__}")  # the harness shows its own loggers only
# Decoded pixels (4 bytes each in Pillow) that may wait at once. An engine with batches of a fixed size needs one
# batch; a continuous one (vLLM, batch_size=auto) is starved by small shards.
_PIXELS_FIXED = 32_000_000
_BATCHES_FIXED = 16  # texts cost no pixels, and a killed run shall keep what it has
_PIXELS_CONTINUOUS = 512_000_000
_REQUESTS_CONTINUOUS = 256
_PIXELS_RELOADING = 4_000_000_000  # vLLM's data parallel runs load the model anew for every call


def ask(lm: LM, requests: list[Instance], on_answer: Callable[[int, str], None]) -> None:
    """Answer all requests, calling `on_answer(place, text)` for each as its shard is done.

    Raises UsageError when the answer's limit leaves no room for a prompt.
    """
    _check_room(lm, requests)
    options: dict[str, Any] = {}
    if "disable_tqdm" in inspect.signature(lm.generate_until).parameters:
        options["disable_tqdm"] = True  # one bar for all shards instead of one for each
    # longest first, as the engines sort inside a call: padding stays small and memory faults come early
    order = sorted(range(len(requests)), key=lambda place: -len(requests[place].args[0]))
    bar = tqdm(total=len(requests), desc="Answering requests", disable=lm.rank != 0)
    if any(constraint.schema_of(request) is not None for request in requests):
        engines.refuse_unready(lm)
    with bar, _uncut_prompts(lm), engines.answering(lm) as answers:
        for shard in shards(lm, requests, order):
            opened = [_opened(lm, requests[place]) for place in shard]
            begin = time.monotonic()
            texts = lm.generate_until(opened, **options)
            each = round((time.monotonic() - begin) / len(shard), 4)  # batches are answered together
            for place, answer in zip(shard, answers(opened, texts), strict=True):
                answer.seconds = each
                on_answer(place, answer)
                bar.update()


def shards(lm: LM, requests: list[Instance], order: list[int]) -> Iterator[list[int]]:
    """Yield places of `order`, whole batches at a time, within the pixel budget of the engine's kind."""
    size = getattr(lm, "batch_size", 1)
    fixed = isinstance(size, int) or str(size).isdigit()
    batch = max(1, int(size)) if fixed else 1
    if getattr(lm, "data_parallel_size", 1) > 1:
        budget, most = _PIXELS_RELOADING, len(order)
    elif fixed:
        budget, most = _PIXELS_FIXED, batch * _BATCHES_FIXED
    else:
        budget, most = _PIXELS_CONTINUOUS, _REQUESTS_CONTINUOUS
    shard: list[int] = []
    pixels = 0
    for start in range(0, len(order), batch):
        chunk = order[start : start + batch]
        cost = sum(getattr(ref, "pixels", 0) for place in chunk for ref in requests[place].args[2].get("visual", ()))
        if shard and (pixels + cost > budget or len(shard) + len(chunk) > most):
            yield shard
            shard, pixels = [], 0
        shard, pixels = shard + chunk, pixels + cost
    if shard:
        yield shard


def _opened(lm: LM, request: Instance) -> Instance:
    """The same request in the harness's own form: type generate_until, Pillow images (still undecoded) if any."""
    context, gen_kwargs, rest = request.args
    context = engines.ConstrainedPrompt(context, constraint.schema_of(request))
    arguments: tuple[Any, ...]
    if "visual" in rest:
        arguments = (context, gen_kwargs, {"visual": [open_image(read_bytes(ref)) for ref in rest["visual"]]})
    else:
        arguments = (
            context,
            vllm_engine.text_arguments(context, gen_kwargs) if vllm_engine.is_vllm(lm) else gen_kwargs,
        )
    return Instance(
        request_type="generate_until", doc=request.doc, arguments=arguments, idx=request.idx, metadata=request.metadata
    )


@contextmanager
def _uncut_prompts(lm: Any) -> Iterator[None]:
    """hf-multimodal cuts a batch that is too long from its front: system prompt, schema and picture go first."""
    encode = getattr(lm, "tok_batch_multimodal_encode", None)
    if encode is None:
        yield
        return

    def encode_whole(*args: Any, left_truncate_len: int | None = None, **kwargs: Any) -> Any:
        encoded = encode(*args, **kwargs)
        length = encoded["input_ids"].shape[1] if hasattr(encoded, "keys") else 0  # vLLM's own check comes later
        if left_truncate_len and length > left_truncate_len:
            raise UsageError(
                f"a prompt with its image takes {length} tokens where max_length={lm.max_length} leaves "
                f"{left_truncate_len}: raise max_length (or limit max_pixels) in --model_args; a --use_cache file "
                "keeps what is done."
            )
        return encoded

    lm.tok_batch_multimodal_encode = encode_whole
    try:
        yield
    finally:
        del lm.tok_batch_multimodal_encode


def _check_room(lm: LM, requests: list[Instance]) -> None:
    """With no room left, hf-multimodal would ask with the tail of the prompt."""
    longest = getattr(lm, "max_length", None)
    wanted = max(int(request.args[1].get("max_gen_toks", 0)) for request in requests)
    if isinstance(longest, int) and longest - wanted <= 0:
        raise UsageError(
            f"max_gen_toks={wanted} leaves no room for a prompt in max_length={longest}: raise max_length in "
            "--model_args or lower max_gen_toks in --gen_kwargs."
        )
