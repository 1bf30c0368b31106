"""Ask an OpenAI-compatible chat server: text before image, true MIME type, one request as one unit of failure.

The harness's own image path re-encodes every picture as PNG, holds all of them as base64 before the first call,
and gives the whole run up when one request keeps failing. Here a request is built when its turn comes.
"""

from __future__ import annotations

import asyncio
import json
import logging
from typing import TYPE_CHECKING, Any

from tqdm import tqdm

from sobench_metrics.data.images import data_url, read_bytes
from sobench_metrics.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from lm_eval.api.instance import Instance
    from lm_eval.api.model import LM

__all__ = ["FailedGeneration", "ask", "messages_with_image", "serves"]

log = logging.getLogger(f"lm_eval.{__name__}")  # the harness shows its own loggers only
_LONGEST_REASON = 300


class FailedGeneration(str):  # noqa: SLOT000 - carries its reason through pickling
    """The empty text in place of an answer that a server refused to give, with the reason."""

    reason: str

    def __new__(cls, text: str = "", reason: str = "") -> FailedGeneration:  # noqa: PYI034 - Self needs Python 3.11
        self = super().__new__(cls, text)
        self.reason = reason
        return self


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
            f"{type(lm).__name__} cannot send images: use --model local-chat-completions (or "
            "openai-chat-completions) without a tokenizer in --model_args."
        )
    asyncio.run(_ask_all(lm, requests, on_answer))


def messages_with_image(context: Any, images: list[bytes]) -> list[dict[str, Any]]:
    """Return the chat with the images as data URLs behind the text of its last message."""
    messages: list[dict[str, Any]] = json.loads(context.prompt if hasattr(context, "prompt") else context[0])
    parts: list[dict[str, Any]] = [{"type": "text", "text": messages[-1]["content"]}]
    parts += ({"type": "image_url", "image_url": {"url": data_url(data)}} for data in images)
    for message in messages:
        message.pop("type", None)
    messages[-1]["content"] = parts
    return messages


async def _ask_all(lm: Any, requests: list[Instance], on_answer: Callable[[int, str], None]) -> None:
    from aiohttp import ClientSession, ClientTimeout, TCPConnector
    from lm_eval.models.api_models import JsonChatStr
    from tenacity import AsyncRetrying, stop_after_attempt, wait_exponential

    concurrent = max(1, int(lm._concurrent))  # noqa: SLF001 - the user's num_concurrent has no public name
    places = iter(range(len(requests)))
    permits = asyncio.Semaphore(concurrent)

    async def once(session: ClientSession, request: Instance) -> str:
        context, gen_kwargs, rest = request.args
        chat = messages_with_image(context, [read_bytes(ref) for ref in rest["visual"]])
        prompt = JsonChatStr(json.dumps(chat, ensure_ascii=False))
        del chat
        answers = await lm.amodel_call(
            session=session, sem=permits, messages=[prompt], generate=True, gen_kwargs=dict(gen_kwargs)
        )
        return str(answers[0])

    async def worker(session: ClientSession) -> None:
        for place in places:
            tries = AsyncRetrying(
                stop=stop_after_attempt(lm.max_retries),
                wait=wait_exponential(multiplier=0.5, min=1, max=10),  # the harness's own waits
                reraise=True,
            )
            try:
                answer = await tries(once, session, requests[place])
            except UsageError:
                raise
            except Exception as error:  # noqa: BLE001 - whatever a server does, it costs one sample and no more
                answer = FailedGeneration(reason=f"{type(error).__name__}: {error}"[:_LONGEST_REASON])
            on_answer(place, answer)
            bar.update()

    with tqdm(total=len(requests), desc="Requesting image answers", disable=lm.rank != 0) as bar:
        connector = TCPConnector(limit=concurrent, ssl=lm.verify_certificate)
        async with ClientSession(connector=connector, timeout=ClientTimeout(total=lm.timeout)) as session:
            await asyncio.gather(*(worker(session) for _ in range(min(concurrent, len(requests)))))
