"""Ask an OpenAI-compatible chat server: text before image, true MIME type, one request as one unit of failure.

The harness's own image path re-encodes every picture as PNG, holds all of them as base64 before the first call,
and gives the whole run up when one request keeps failing. Here a request is built when its turn comes.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tqdm import tqdm

from lm_eval_tasks.answer import FailedGeneration, Generation, Skipped
from sobench_metrics.data.images import data_url, read_bytes
from sobench_metrics.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from lm_eval.api.instance import Instance
    from lm_eval.api.model import LM

__all__ = ["ask", "constraint_fields", "messages_with_image", "serves", "whole_text"]

log = logging.getLogger(f"lm_eval.{__name__}")  # the harness shows its own loggers only
_LONGEST_REASON = 300
_REFUSED = (400, 422)
_CONSTRAINT = "constraint"  # the key in a request's third argument, see `lm_eval_tasks.constraint`
_note: ContextVar[dict[str, Any] | None] = ContextVar("note", default=None)


def serves(lm: LM) -> bool:
    """Return whether the LM talks to a server through the harness's API classes."""
    return any(kind.__name__ == "TemplateAPI" for kind in type(lm).__mro__)


def ask(lm: Any, requests: list[Instance], on_answer: Callable[[int, str], None]) -> None:
    """Answer all requests with the LM's own concurrency, time limit and number of tries.

    `on_answer(place, text)` is called as each answer arrives; a request that fails at every try yields a
    `FailedGeneration`. Raises UsageError for server kinds that do not speak the chat-completions format.
    """
    if not any(kind.__name__ == "LocalChatCompletion" for kind in type(lm).__mro__) or lm.tokenizer is not None:
        raise UsageError(
            f"{type(lm).__name__} cannot send images or schemas: use --model local-chat-completions (or "
            "openai-chat-completions) without a tokenizer in --model_args."
        )
    asyncio.run(_ask_all(lm, requests, on_answer))


def messages_with_image(context: Any, images: list[bytes]) -> list[dict[str, Any]]:
    """Return the chat with the images, if any, as data URLs behind the text of its last message."""
    messages: list[dict[str, Any]] = json.loads(context.prompt if hasattr(context, "prompt") else context[0])
    for message in messages:
        message.pop("type", None)
    if not images:
        return messages
    parts: list[dict[str, Any]] = [{"type": "text", "text": messages[-1]["content"]}]
    parts += ({"type": "image_url", "image_url": {"url": data_url(data)}} for data in images)
    messages[-1]["content"] = parts
    return messages


def constraint_fields(part: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a request that hold its answer to the schema in `part`; {} where there is none."""
    if part.get("schema") is None:
        return {}
    schema = json.loads(part["schema"])
    if part["dialect"] == "vllm":
        return {"structured_outputs": {"json": schema}}
    # strict: without it a server may take the schema for a hint, and the answer would not be held to it
    return {
        "response_format": {"type": "json_schema", "json_schema": {"name": "answer", "schema": schema, "strict": True}}
    }


def whole_text(text: str) -> str:
    """Return a text that can be written: halves of a surrogate pair are joined, lone ones replaced."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _refuses_schema(error: BaseException, request: Instance) -> bool:
    """Whether a server will not take a request that carries a schema; the same request without may do."""
    return getattr(error, "status", None) in _REFUSED and bool(request.args[2].get(_CONSTRAINT, {}).get("schema"))


def _without_schema(request: Instance) -> Instance:
    context, gen_kwargs, rest = request.args
    bare = {**rest, _CONSTRAINT: {**rest[_CONSTRAINT], "schema": None}}
    return replace(request, arguments=(context, gen_kwargs, bare))


@contextmanager
def _noting(lm: Any) -> Iterator[None]:
    """Note what a server says about an answer, which the harness drops when it takes the text out."""
    parse = lm.parse_generations

    def parse_and_note(outputs: Any, **kwargs: Any) -> Any:
        note = _note.get()
        if note is not None:
            note.update(_told(outputs))
        return parse(outputs=outputs, **kwargs)

    lm.parse_generations = parse_and_note
    try:
        yield
    finally:
        del lm.parse_generations


def _told(outputs: Any) -> dict[str, Any]:
    """The number of tokens and whether the limit ended the text, as far as a server tells either."""
    try:
        tokens = (outputs.get("usage") or {}).get("completion_tokens")
        reason = outputs["choices"][0].get("finish_reason")
    except (AttributeError, IndexError, KeyError, TypeError):
        return {}
    return {
        "tokens": tokens if type(tokens) is int and tokens >= 0 else None,
        "at_limit": reason == "length" if isinstance(reason, str) else None,
    }


async def _ask_all(lm: Any, requests: list[Instance], on_answer: Callable[[int, str], None]) -> None:
    from aiohttp import ClientSession, ClientTimeout, TCPConnector
    from lm_eval.models.api_models import JsonChatStr
    from tenacity import AsyncRetrying, retry_if_exception, stop_after_attempt, wait_exponential

    concurrent = max(1, int(lm._concurrent))  # noqa: SLF001 - the user's num_concurrent has no public name
    places = iter(range(len(requests)))
    permits = asyncio.Semaphore(concurrent)

    async def once(session: ClientSession, request: Instance) -> str:
        context, gen_kwargs, rest = request.args
        chat = messages_with_image(context, [read_bytes(ref) for ref in rest.get("visual", ())])
        prompt = JsonChatStr(json.dumps(chat, ensure_ascii=False))
        del chat
        fields = {**gen_kwargs, **constraint_fields(rest.get(_CONSTRAINT, {}))}
        note: dict[str, Any] = {}
        _note.set(note)  # each worker is a task with a context of its own
        begin = time.monotonic()
        answers = await lm.amodel_call(
            session=session, sem=permits, messages=[prompt], generate=True, gen_kwargs=fields
        )
        return Generation(whole_text(str(answers[0])), seconds=round(time.monotonic() - begin, 3), **note)

    async def tried(session: ClientSession, request: Instance) -> str:
        tries = AsyncRetrying(
            retry=retry_if_exception(lambda error: not _refuses_schema(error, request)),
            stop=stop_after_attempt(lm.max_retries),
            wait=wait_exponential(multiplier=0.5, min=1, max=10),  # the harness's own waits
            reraise=True,
        )
        try:
            return await tries(once, session, request)
        except Exception as error:
            if not _refuses_schema(error, request):
                raise
            part = request.args[2][_CONSTRAINT]
            state = "free" if part["on_unsupported"] == "free" else "skipped"
            reason = f"the server refused its schema ({type(error).__name__}: {error})"[:_LONGEST_REASON]
            answer = await tried(session, _without_schema(request)) if state == "free" else Skipped()
            answer.constraint = {**part, "state": state, "reason": reason}  # type: ignore[attr-defined]
            return answer

    async def worker(session: ClientSession) -> None:
        for place in places:
            try:
                answer = await tried(session, requests[place])
            except UsageError:
                raise
            except Exception as error:  # noqa: BLE001 - whatever a server does, it costs one sample and no more
                answer = FailedGeneration(reason=f"{type(error).__name__}: {error}"[:_LONGEST_REASON])
            on_answer(place, answer)
            bar.update()

    with tqdm(total=len(requests), desc="Requesting answers", disable=lm.rank != 0) as bar, _noting(lm):
        connector = TCPConnector(limit=concurrent, ssl=lm.verify_certificate)
        async with ClientSession(connector=connector, timeout=ClientTimeout(total=lm.timeout)) as session:
            await asyncio.gather(*(worker(session) for _ in range(min(concurrent, len(requests)))))
